/** The steps of a scripted session. Times are in seconds. */

interface ToolUse {
  tool: string;
  input: Record<string, unknown>;
}

export type Step =
  /** A prompt is typed. */
  | { kind: 'prompt'; text: string }
  /** A tool runs without a permission request. */
  | ({ kind: 'tool'; takes: number; result: string } & ToolUse)
  /** A permission, a question or a plan. After `waits` without an answer, the script continues as if it was approved. */
  | ({ kind: 'ask'; waits: number; takes: number; result: string } & ToolUse)
  /** The turn is over. */
  | { kind: 'say'; text: string; waits: number }
  /** The turn is over, and a background task starts another one later. */
  | { kind: 'background'; text: string; command: string; takes: number }
  /** The turn failed. */
  | { kind: 'fail'; text: string; waits: number }
  /** No prompt yet. */
  | { kind: 'rest'; waits: number };

export interface Script {
  project: string;
  model: string;
  /** Tokens in the context at the start. */
  context: number;
  steps: Step[];
}

const bash = (command: string, description: string): ToolUse => ({
  tool: 'Bash',
  input: { command, description },
});

export const run = (command: string, description: string, takes: number, result: string): Step => ({
  kind: 'tool',
  ...bash(command, description),
  takes,
  result,
});

export const read = (file: string, takes: number, lines: number): Step => ({
  kind: 'tool',
  tool: 'Read',
  input: { file_path: file },
  takes,
  result: `Read ${lines} lines`,
});

export const edit = (file: string, from: string, to: string, takes = 1.5): Step => ({
  kind: 'tool',
  tool: 'Edit',
  input: { file_path: file, old_string: from, new_string: to },
  takes,
  result: `Updated ${file}`,
});

export const askToRun = (command: string, description: string, waits: number, result: string): Step => ({
  kind: 'ask',
  ...bash(command, description),
  waits,
  takes: 2,
  result,
});
