/** Which of a run's time limits has passed. Pure. */

export interface Times {
  /** All in ms, by one clock. */
  limits: { overall: number; firstOutput: number; firstLine: number; stop: number };
  streams: boolean;
  now: number;
  began: number;
  /** The first sign of life of the CLI, and the first line of its transcript. */
  firstSign: number | null;
  firstLine: number | null;
  /** The last sign of work: a line, a hook, a change of status. */
  sign: number;
  /** It is past its start: until then the first two limits rule. */
  started: boolean;
  /** The CLI says that it works: however long that takes, it is no reason to end it. */
  busy: boolean;
}

/** What is said when a limit has passed; null while none has. */
export const overdue = ({
  limits,
  streams,
  now,
  began,
  firstSign,
  firstLine,
  sign,
  started,
  busy,
}: Times): string | null => {
  if (now - began > limits.overall) return `no answer within ${seconds(limits.overall)} (--timeout)`;
  if (firstSign === null && now - began > limits.firstOutput)
    return `claude showed nothing within ${seconds(limits.firstOutput)} (--first-output-timeout)`;
  if (streams && firstLine === null && now - began > limits.firstLine)
    return `no line of the transcript within ${seconds(limits.firstLine)} (--stream-json-timeout)`;
  if (started && !busy && now - sign > limits.stop)
    return `no Stop hook within ${seconds(limits.stop)} of the last sign of work (--stop-hook-timeout); are hooks switched off?`;
  return null;
};

const seconds = (ms: number): string => `${ms / 1000} s`;
