/** Checks the time limits of a run. Pure. */

export interface Times {
  /** All in ms, by one clock. */
  limits: { overall: number; firstOutput: number; firstLine: number; stop: number };
  isStreaming: boolean;
  now: number;
  began: number;
  /** The CLI's first sign of life, and the first line of its transcript. */
  firstSign: number | null;
  firstLine: number | null;
  /** The last sign of work: a transcript line, a hook, a change of status. */
  lastSign: number;
  /** The CLI is past its start. Until then the first two limits apply. */
  isStarted: boolean;
  /** The CLI works. It may take any time. */
  isBusy: boolean;
}

/** The message for a limit that has passed; null while none has. */
export const passedLimit = (times: Times): string | null => {
  const { limits, isStreaming, now, began, firstSign, firstLine, lastSign, isStarted, isBusy } = times;
  if (now - began > limits.overall) return `no answer within ${seconds(limits.overall)} (--timeout)`;
  if (firstSign === null && now - began > limits.firstOutput)
    return `claude showed nothing within ${seconds(limits.firstOutput)} (--first-output-timeout)`;
  if (isStreaming && firstLine === null && now - began > limits.firstLine)
    return `no line of the transcript within ${seconds(limits.firstLine)} (--stream-json-timeout)`;
  if (isStarted && !isBusy && now - lastSign > limits.stop)
    return `no Stop hook within ${seconds(limits.stop)} of the last sign of work (--stop-hook-timeout); are hooks switched off?`;
  return null;
};

const seconds = (ms: number): string => `${ms / 1000} s`;
