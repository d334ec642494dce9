/** Whether the active command of a run is over, and how. */
import { queuedPrompt } from '../../claude/screen/queued-prompt.ts';
import { activeOf, type RunningRun } from '../../session/command/command-run.ts';
import type { Folded } from '../../session/memory.ts';
import { isAfterStart, type MessageState, startOf } from '../../session/message/message.ts';
import { outcomeOf } from '../message/turn.ts';

export type StepEnd =
  | { kind: 'done'; result: string }
  /** The rest of the run is cancelled. */
  | { kind: 'cancelled'; reason: string }
  /** It may be a command that begins no turn. */
  | { kind: 'maybe quiet' };

/** Returns null while it is not over. `message` is that of the step that was begun last. */
export const stepEnd = (run: RunningRun, session: Folded, message: MessageState | null): StepEnd | null => {
  if (session.state === 'ended' && session.reason !== 'clear')
    return { kind: 'cancelled', reason: 'The session ended.' };
  const submitted = message && 'submittedAt' in message ? (message.submittedAt ?? null) : null;
  const start = message && startOf(message);
  if (submitted === null || !start) return null;
  // Both the submission and the SessionStart are needed, and they come in any order.
  if (run.isCleared) return { kind: 'done', result: 'cleared' };
  if (activeOf(run)?.awaits !== 'Stop') return null;
  const outcome = outcomeOf(session, start);
  if (outcome === 'stopped') return turnStopped(run, session, submitted);
  if (outcome === 'interrupted' && isAfterStart(session.evidence, start))
    return { kind: 'cancelled', reason: 'Somebody interrupted it.' };
  if (outcome === 'failed') return { kind: 'cancelled', reason: 'Its turn failed.' };
  return message?.as === 'command' ? { kind: 'maybe quiet' } : null;
};

export const otherPromptReason = 'Somebody else sent a prompt.';

/** The turn of the active step is over. A prompt that somebody has sent since then comes next. */
const turnStopped = (run: RunningRun, session: Folded, submitted: number): StepEnd => {
  const own = activeOf(run)?.command ?? null;
  if (queuedPrompt(session.transcript, submitted, own) !== null)
    return { kind: 'cancelled', reason: otherPromptReason };
  return { kind: 'done', result: session.memory.end?.detail?.text ?? '' };
};
