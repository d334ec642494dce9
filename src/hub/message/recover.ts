/**
 * Recovery after a crash: the outcome of a message that was being typed when the daemon stopped. If it was submitted, the
 * log has it; if it was pasted, the prompt shows it; if the prompt stays empty, it was never typed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, elapsed } from '../../clock.ts';
import { showsOnly } from '../../claude/screen/prompt-line.ts';
import type { Session } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Log } from '../../store/log.ts';
import type { BegunMessage } from '../../session/message/message.ts';
import { readPromptLine } from '../../driver/input/prompt-input.ts';
import { paneRefOf } from '../target.ts';
import { promptOfMessage, acceptedAt } from './turn.ts';

export type Found =
  /** Claude Code took it at this time. */
  | { kind: 'submitted'; at: number; prompt?: number }
  /** The prompt shows it. */
  | { kind: 'in line' }
  /** It was certainly not typed. */
  | { kind: 'never typed' }
  | { kind: 'unknown' };

/** Polls until the outcome is known, or cannot be. */
export const resolveOutcome = async (
  message: BegunMessage,
  { loop, log, clock, closed }: { loop: Loop; log: Log; clock: Clock; closed: () => boolean },
  /** How long the prompt has to stay empty before the message counts as never typed. */
  patience: number = limits.message.neverTyped,
): Promise<Found> => {
  const deadline = elapsed(clock) + limits.message.recovery;
  for (let emptyFrom: number | null = null; elapsed(clock) < deadline; await pause(limits.prompt.poll)) {
    const session = loop.sessionIndex.get(message.sessionId);
    if (!session || session.state === 'ended' || !session.pane || closed()) break;
    const hasHooks = session.hooks === 'live';
    const reported = promptOfMessage(log, message);
    if (reported) return { kind: 'submitted', at: reported.at, prompt: reported.seq };
    const at = promptTimeInTranscript(session, message, log);
    if (at !== null) return { kind: 'submitted', at };
    const prompt = await readPromptLine(paneRefOf(session));
    // If a person has typed something beside it, it must not be submitted.
    if (prompt && showsOnly(prompt, message.text)) return { kind: 'in line' };
    // The CLI queues what is typed while it works: an empty prompt proves nothing then.
    const isEmpty = prompt?.draft === '' && session.state !== 'working' && !message.carried;
    emptyFrom = isEmpty ? (emptyFrom ?? elapsed(clock)) : null;
    if (emptyFrom === null || (!hasHooks && session.transcript === null)) continue;
    if (
      elapsed(clock) - emptyFrom >=
      (hasHooks ? patience : Math.max(patience, limits.message.neverTypedNoHooks))
    )
      return { kind: 'never typed' };
  }
  return { kind: 'unknown' };
};

/** Returns when the transcript shows the prompt, for a busy CLI or one whose hooks do not reach us; null when it does not. */
const promptTimeInTranscript = (
  { hooks, transcript }: Session,
  message: BegunMessage,
  log: Log,
): number | null => {
  if (message.carried) return acceptedAt(transcript, message);
  if (hooks === 'live') return null;
  // The same text may have been sent before: only what came after typing began counts.
  const [marked] = log.read({ after: message.typingSeq - 1, rows: 1 });
  return acceptedAt(transcript, message, Math.max(message.queuedAt, marked?.at ?? 0));
};
