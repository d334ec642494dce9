/** A run of commands: its steps, and what is known of the active one. */
import { randomUUID } from 'node:crypto';
import type { Commands as View, CommandStep } from '../../contract/menu.ts';
import { limits } from '../../limits.ts';

export interface Run extends View {
  /** The id of the active step's message; null until it is accepted. */
  message: string | null;
  /** The UserPromptSubmit of that message has come. */
  isPrompted: boolean;
  /** The conversation that follows a `/clear` has begun. */
  isCleared: boolean;
  /** Cancels the wait for quiet; null while there is none. */
  cancelQuiet: (() => void) | null;
}

export const runOf = (sessionId: string, commands: string[]): Run => ({
  id: randomUUID(),
  sessionId,
  status: 'running',
  reason: null,
  steps: commands.map(stepOf),
  message: null,
  isPrompted: false,
  isCleared: false,
  cancelQuiet: null,
});

export const isSlash = (command: string): boolean => /^\/\S[^\n]*$/.test(command);

export const activeOf = ({ steps }: Run): CommandStep | undefined =>
  steps.find(({ status }) => status === 'active');

export const endStep = (
  run: Run,
  step: CommandStep,
  status: CommandStep['status'],
  result: string | null,
  at: number,
): void => {
  run.cancelQuiet?.();
  run.cancelQuiet = null;
  step.status = status;
  step.result = result?.slice(0, limits.command.resultText) ?? null;
  step.endedAt = at;
};

/** As programs see it. */
export const viewOf = ({ id, sessionId, status, reason, steps }: Run): View => ({
  id,
  sessionId,
  status,
  reason,
  steps: structuredClone(steps),
});

const stepOf = (command: string): CommandStep => ({
  command,
  status: 'pending',
  awaits: awaitedBy(command),
  result: null,
  endedAt: null,
});

const awaitedBy = (command: string): CommandStep['awaits'] => {
  if (/^\/(?:clear|reset|new)\s*$/.test(command)) return 'SessionStart(clear)';
  return /^\/compact\b/.test(command) ? 'SessionStart(compact)' : 'Stop';
};
