/** What a scripted session does, one thing after another. Times are seconds of the demo. */

interface Use {
  tool: string;
  input: Record<string, unknown>;
}

export type Scene =
  /** Somebody types this. */
  | { kind: 'prompt'; text: string }
  /** A tool runs, unasked. */
  | ({ kind: 'tool'; takes: number; result: string } & Use)
  /** A permission, a question or a plan; when nobody has answered after `waits`, the play goes on as if somebody had. */
  | ({ kind: 'ask'; waits: number; takes: number; result: string } & Use)
  /** The turn is over. */
  | { kind: 'say'; text: string; waits: number }
  /** The turn is over, and a task in the background wakes it later. */
  | { kind: 'background'; text: string; command: string; takes: number }
  /** The turn broke off. */
  | { kind: 'fail'; text: string; waits: number }
  /** Nothing has been asked of it yet. */
  | { kind: 'rest'; waits: number };

/** One session of the play. */
export interface Part {
  project: string;
  model: string;
  /** Tokens in its context at the start. */
  context: number;
  scenes: Scene[];
}

const bash = (command: string, description: string): Use => ({
  tool: 'Bash',
  input: { command, description },
});

export const run = (command: string, description: string, takes: number, result: string): Scene => ({
  kind: 'tool',
  ...bash(command, description),
  takes,
  result,
});

export const read = (file: string, takes: number, lines: number): Scene => ({
  kind: 'tool',
  tool: 'Read',
  input: { file_path: file },
  takes,
  result: `Read ${lines} lines`,
});

export const edit = (file: string, from: string, to: string, takes = 1.5): Scene => ({
  kind: 'tool',
  tool: 'Edit',
  input: { file_path: file, old_string: from, new_string: to },
  takes,
  result: `Updated ${file}`,
});

export const mayRun = (command: string, description: string, waits: number, result: string): Scene => ({
  kind: 'ask',
  ...bash(command, description),
  waits,
  takes: 2,
  result,
});
