/**
 * Whether the transcript has the last message of a turn. The CLI writes it up to 120 ms behind its Stop, and much later
 * where it gets little time; one that is told to end before that may never write it.
 */
import { limits } from '../../limits.ts';
import type { Account } from './turn-account.ts';
import { pollUntil } from '../poll-until.ts';
import type { Payload } from './hook-payload.ts';

/** A turn whose transcript can be read on. */
interface ReadableTurn {
  account: Account;
  readLines: () => void;
}

/** Waits for it, for a bounded time, or until nobody wants it any more. */
export const awaitWritten = async (
  turn: ReadableTurn,
  stop: Payload,
  isCancelled: () => boolean,
): Promise<void> => {
  const hasLast = () => {
    turn.readLines();
    return isWritten(turn.account, stop) || isCancelled();
  };
  await pollUntil(hasLast, limits.print.flushTimeout, limits.print.flushPoll);
};

export const isWritten = ({ answer, tool, stopReason }: Account, stop: Payload): boolean => {
  if (answer === null) return false;
  // A Stop that says nothing: a message that calls no tool is a last one.
  if (stop.answer === null) return tool === null && stopReason !== 'tool_use';
  // Of a message in several parts, the Stop may have the last one, and white space between two parts is nobody's.
  return bare(answer).endsWith(bare(stop.answer));
};

const bare = (text: string): string => text.replace(/\s+/g, '');

/** A line of a transcript that lost its last one, made of what the Stop said. `madeBy` tells it from the CLI's own. */
export const madeLine = (text: string, sessionId: string | null, version: string | null): string =>
  JSON.stringify({
    type: 'assistant',
    madeBy: 'drover',
    message: {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
    },
    timestamp: new Date().toISOString(),
    sessionId,
    version,
  });
