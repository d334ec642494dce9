/** Replays events from the log to one reader, at its own pace. */
import type { Event } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { snapshotName } from '../session/fold.ts';
import type { Log } from '../store/log.ts';
import { drained } from './drained.ts';
import { gapFrame, hookFrame } from './frame.ts';
import type { Reader } from './reader.ts';
import type { SessionIndex } from './session-index.ts';

interface ReplayDeps {
  log: Log;
  sessionIndex: Pick<SessionIndex, 'get'>;
}

/** Replays the events after the cursor, page by page. Calls `onCaughtUp` in the same tick as the read that finds no more. */
export const replay = async (
  deps: ReplayDeps,
  reader: Reader,
  after: number,
  onCaughtUp: () => void,
): Promise<void> => {
  const { log } = deps;
  const { sink, sessionId } = reader;
  sendGap(log, reader, after);
  let cursor = after;
  while (reader.isOpen) {
    const rows = { rows: limits.stream.replayRows, bytes: limits.stream.replayBytes };
    const events = log.read({ after: cursor, sessionId: sessionId ?? undefined, ...rows });
    if (events.length === 0) return onCaughtUp();
    let room = true;
    for (const event of events) room = replayOne(deps, reader, event, after) && room;
    cursor = (events.at(-1) as Event).seq;
    await (room ? new Promise(setImmediate) : drained(sink));
  }
};

const replayOne = (
  { sessionIndex }: ReplayDeps,
  { sink, sessionId }: Reader,
  event: Event,
  after: number,
): boolean => {
  if (sessionId !== null && event.source === 'drover' && event.name === snapshotName)
    return sink.write(gapFrame(after, event.seq));
  if (event.source !== 'hook') return true;
  // `end` follows the event that ended the session and carries the id, so a reader that misses it gets both again.
  const session = sessionId === null ? undefined : sessionIndex.get(sessionId);
  const last = session?.state === 'ended' && event.seq >= session.evidence.seq;
  return sink.write(hookFrame(event, !last));
};

const sendGap = (log: Log, { sink, sessionId }: Reader, after: number): void => {
  const last = log.lastSeq();
  if (after > last || (sessionId === null && after < log.highestRemoved()))
    sink.write(gapFrame(after, Math.min(log.highestRemoved() + 1, last + 1)));
};
