/** The tool call of a hook, with what is needed to find it in a dialog: directories, and the files that it would change. */
import { readFileSync, statSync } from 'node:fs';
import type { Hook } from '../../contract/hook.ts';
import type { ToolCall } from './dialog-input.ts';

/** The call that a hook tells; null when it tells none. `dirs` are the directories of its session. */
export const toolCallOf = (hook: Hook, dirs: (string | null)[]): ToolCall | null => {
  const { tool_name: tool, tool_input: input, cwd } = hook;
  if (typeof tool !== 'string') return null;
  return {
    tool,
    input: typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {},
    dirs: [...dirs, cwd].filter((one): one is string => typeof one === 'string'),
    fileText,
  };
};

/** The text of a file of ordinary size; null when there is none. */
const fileText = (path: string): string | null => {
  try {
    return statSync(path).size > 2_000_000 ? null : readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};
