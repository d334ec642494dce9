/**
 * Whether the transcript has the last message of a turn. The CLI writes it up to 120 ms after its Stop, much later under
 * load, and never if it is ended before.
 */
import { withoutSpace } from '../../claude/screen/without-space.ts';
import { limits } from '../../limits.ts';
import { pollUntil } from '../../poll-until.ts';
import type { HookPayload } from './hook-payload.ts';
import type { TurnAccount } from './turn-account.ts';

interface ReadableTurn {
  account: TurnAccount;
  /** Reads what the transcript has by now. */
  readLines: () => void;
}

/** Waits for it, for a bounded time or until cancelled. */
export const awaitWritten = async (
  turn: ReadableTurn,
  stop: HookPayload,
  isCancelled: () => boolean,
): Promise<void> => {
  const isDone = () => {
    turn.readLines();
    return isWritten(turn.account, stop) || isCancelled();
  };
  await pollUntil(isDone, limits.print.flushTimeout, limits.print.flushPoll);
};

export const isWritten = ({ answer, tool, stopReason }: TurnAccount, stop: HookPayload): boolean => {
  if (answer === null) return false;
  // The Stop names no answer: then a message that calls no tool is the last one.
  if (stop.answer === null) return tool === null && stopReason !== 'tool_use';
  // A message may have several parts, and the Stop has only the last one; white space between the parts does not count.
  return withoutSpace(answer).endsWith(withoutSpace(stop.answer));
};

/** A transcript line made from the Stop's answer, for a transcript that lost its last one. `madeBy` marks it as ours. */
export const substituteLine = (
  text: string,
  at: number,
  sessionId: string | null,
  version: string | null,
): string =>
  JSON.stringify({
    type: 'assistant',
    madeBy: 'drover',
    message: {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
    },
    timestamp: new Date(at).toISOString(),
    sessionId,
    version,
  });
