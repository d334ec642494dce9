/**
 * The life of a run of commands. A pure reducer: a run is running, done or cancelled, and has the fields that exist in that state
 * and no others. What programs read is a view of it.
 */
import type { Commands as View, CommandStep } from '../../contract/menu.ts';

interface Identity {
  id: string;
  /** The session that the commands are typed into now. */
  sessionId: string;
  steps: readonly CommandStep[];
}

export type RunningRun = Identity & {
  status: 'running';
  /** The message of the step that was begun last; null until it is accepted. */
  message: string | null;
  /** The UserPromptSubmit of that message has come. */
  isPrompted: boolean;
  /** The conversation that follows a `/clear` has begun. */
  isCleared: boolean;
};

export type FinishedRun = Identity & ({ status: 'done' } | { status: 'cancelled'; reason: string });

export type Run = RunningRun | FinishedRun;

export type RunChange =
  /** A command is about to be sent. */
  | { kind: 'begun'; step: number }
  /** It was accepted as this message. */
  | { kind: 'sent'; message: string }
  /** Claude Code has taken its prompt. */
  | { kind: 'prompted' }
  /** Another conversation follows, by the `/clear` of the active step or by somebody else's. */
  | { kind: 'moved'; sessionId: string; isCleared: boolean }
  /** The active step is over; `result` is the beginning of what was answered. */
  | { kind: 'ended'; result: string; at: number }
  | { kind: 'cancelled'; reason: string; at: number };

export const newRun = (id: string, sessionId: string, commands: readonly string[]): RunningRun => ({
  id,
  sessionId,
  status: 'running',
  steps: commands.map(stepOf),
  message: null,
  isPrompted: false,
  isCleared: false,
});

/** Applies one change. Returns null where it does not apply: the run stays as it is. */
export const reduceRun = (run: Run, change: RunChange): Run | null => {
  if (run.status !== 'running') return null;
  switch (change.kind) {
    case 'begun':
      return beginStep(run, change.step);
    case 'sent':
      return { ...run, message: change.message };
    case 'prompted':
      return { ...run, isPrompted: true };
    case 'moved':
      return { ...run, sessionId: change.sessionId, isCleared: change.isCleared };
    case 'ended':
      return endActiveStep(run, change.result, change.at);
    default: {
      const { id, sessionId, steps } = run;
      const { reason, at } = change;
      return {
        id,
        sessionId,
        status: 'cancelled',
        reason,
        steps: steps.map(step => cancelledStep(step, at)),
      };
    }
  }
};

export const activeOf = ({ steps }: Run): CommandStep | undefined =>
  steps.find(({ status }) => status === 'active');

export const isSlash = (command: string): boolean => /^\/\S[^\n]*$/.test(command);

/** As programs see it. */
export const viewOf = (run: Run): View => ({
  id: run.id,
  sessionId: run.sessionId,
  status: run.status,
  reason: run.status === 'cancelled' ? run.reason : null,
  steps: [...run.steps],
});

const beginStep = (run: RunningRun, at: number): RunningRun | null => {
  if (activeOf(run) || run.steps[at]?.status !== 'pending') return null;
  const steps = run.steps.map((step, n) => (n === at ? { ...step, status: 'active' as const } : step));
  return { ...run, steps, message: null, isPrompted: false, isCleared: false };
};

const endActiveStep = (run: RunningRun, result: string, endedAt: number): Run | null => {
  if (!activeOf(run)) return null;
  const steps = run.steps.map(step =>
    step.status === 'active' ? { ...step, status: 'done' as const, result, endedAt } : step,
  );
  if (steps.some(({ status }) => status === 'pending')) return { ...run, steps };
  return { id: run.id, sessionId: run.sessionId, status: 'done', steps };
};

const cancelledStep = (step: CommandStep, endedAt: number): CommandStep =>
  step.status === 'done' ? step : { ...step, status: 'cancelled', endedAt };

const stepOf = (command: string): CommandStep => ({
  command,
  status: 'pending',
  awaits: awaitedEventOf(command),
  result: null,
  endedAt: null,
});

const awaitedEventOf = (command: string): CommandStep['awaits'] => {
  if (/^\/(?:clear|reset|new)\s*$/.test(command)) return 'SessionStart(clear)';
  return /^\/compact\b/.test(command) ? 'SessionStart(compact)' : 'Stop';
};
