/**
 * Clearing up after a crash: what became of a message that was being typed when the daemon went. Submitted, it is in the
 * log; pasted, it stands in the prompt line; and where that line stays empty it was never typed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { showsOnly } from '../../claude/prompt-line.ts';
import type { Session } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Log } from '../../store/log.ts';
import type { Message } from '../../store/receipt-table.ts';
import { promptOf } from '../../driver/input/prompt-input.ts';
import { paneRefOf } from '../target.ts';
import { promptOfMessage, takenUpAt } from './turn.ts';

export type Found =
  /** Claude Code has it since then. */
  | { kind: 'submitted'; at: number }
  /** It stands in the prompt line. */
  | { kind: 'in line' }
  /** It was certainly not typed. */
  | { kind: 'never typed' }
  | { kind: 'unknown' };

/** Looks until it is known, or cannot be. */
export const whatBecame = async (
  message: Message,
  { loop, log, clock, closed }: { loop: Loop; log: Log; clock: Clock; closed: () => boolean },
  /** So long the line has to stay empty, at least, before it counts as never typed. */
  patience: number = limits.message.neverTyped,
): Promise<Found> => {
  const deadline = clock.now() + limits.message.recovery;
  for (let emptyFrom: number | null = null; clock.now() < deadline; await pause(limits.prompt.poll)) {
    const session = loop.sessionIndex.get(message.sessionId);
    if (!session || session.state === 'ended' || !session.pane || closed()) break;
    const isHeard = session.hooks === 'live';
    const at = promptOfMessage(log, message)?.at ?? inTranscript(session, message, log);
    if (at !== null) return { kind: 'submitted', at };
    const prompt = await promptOf(paneRefOf(session));
    // Beside somebody's words it is not submitted.
    if (prompt && showsOnly(prompt, message.text ?? '')) return { kind: 'in line' };
    // The CLI has a queue of its own for what is typed while it works: an empty line says nothing then.
    const isEmpty = prompt?.draft === '' && session.state !== 'working' && !message.carried;
    emptyFrom = isEmpty ? (emptyFrom ?? clock.now()) : null;
    if (emptyFrom === null || (!isHeard && session.transcript === null)) continue;
    if (
      clock.now() - emptyFrom >=
      (isHeard ? patience : Math.max(patience, limits.message.neverTypedNoHooks))
    )
      return { kind: 'never typed' };
  }
  return { kind: 'unknown' };
};

/** When the transcript has it: of what is typed while the CLI works, and where hooks do not reach us, it alone can tell. */
const inTranscript = ({ hooks, transcript }: Session, message: Message, log: Log): number | null => {
  if (message.carried) return takenUpAt(transcript, message);
  if (hooks === 'live') return null;
  // The same words may have been sent before: only what came after the mark counts.
  const [marked] = log.read({ after: (message.typingSeq ?? 0) - 1, rows: 1 });
  return takenUpAt(transcript, message, Math.max(message.queuedAt, marked?.at ?? 0));
};
