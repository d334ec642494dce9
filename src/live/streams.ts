/**
 * Every open stream. A reader replays from the log at its own pace; when it has caught up it joins the live ones within
 * the same turn of the event loop, so nothing falls between. A live reader that falls behind is cut off: it resumes by
 * cursor, and nobody waits for it.
 */
import type { ServerResponse } from 'node:http';
import type { Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import type { Log } from '../store/log.ts';
import { endFrame, gapFrame, hookFrame, keepAlive, stateFrame } from './frame.ts';
import type { Commit, Loop } from './loop.ts';

interface Reader {
  response: ServerResponse;
  /** Null: all sessions. */
  sessionId: string | null;
  /** The session was cleared and its successor is not known yet: its end waits for it a moment. */
  ending: NodeJS.Timeout | null;
}

export class Streams {
  readonly counts = { opened: 0, cut: 0 };
  private readonly everything = new Set<Reader>();
  private readonly bySession = new Map<string, Set<Reader>>();
  private readonly open = new Set<Reader>();
  private readonly beat: NodeJS.Timeout;

  constructor(
    private readonly loop: Loop,
    private readonly log: Log,
  ) {
    loop.listen(commit => this.publish(commit));
    this.beat = setInterval(() => this.keepAlive(), limits.keepAlive);
    this.beat.unref();
  }

  get size(): number {
    return this.open.size;
  }

  /** Serves one reader. `after` null: from now on. */
  async serve(response: ServerResponse, session: Session | null, after: number | null): Promise<void> {
    if (session && after !== null && this.isOver(session, after)) {
      response.writeHead(204).end();
      return;
    }
    const reader: Reader = { response, sessionId: session?.id ?? null, ending: null };
    this.open.add(reader);
    this.counts.opened++;
    response.on('close', () => this.leave(reader));
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    if (after !== null) await this.replay(reader, after);
    this.join(reader);
  }

  close(): void {
    clearInterval(this.beat);
    for (const reader of this.open) reader.response.end();
  }

  private isOver(session: Session, after: number): boolean {
    return session.state === 'ended' && this.log.read({ after, sessionId: session.id, rows: 1 }).length === 0;
  }

  private async replay(reader: Reader, after: number): Promise<void> {
    const first = this.log.first();
    if (after + 1 < first && this.log.last() > 0) reader.response.write(gapFrame(after, first));
    let cursor = after;
    while (!reader.response.destroyed) {
      const events = this.log.read({
        after: cursor,
        sessionId: reader.sessionId ?? undefined,
        rows: limits.replayPage,
        bytes: limits.replayBytes,
      });
      if (events.length === 0) return;
      let room = true;
      for (const event of events)
        if (event.source === 'hook') room = reader.response.write(hookFrame(event, true));
      cursor = (events.at(-1) as { seq: number }).seq;
      await (room ? new Promise(setImmediate) : drained(reader.response));
    }
  }

  /** The snapshot and the joining happen without a pause between them. */
  private join(reader: Reader): void {
    const { response, sessionId } = reader;
    if (response.destroyed) return;
    if (sessionId === null) {
      response.write(stateFrame(this.loop.roll.all(), null));
      this.everything.add(reader);
      return;
    }
    const session = this.loop.roll.get(sessionId);
    if (!session) {
      response.end();
      return;
    }
    response.write(stateFrame([session], null));
    if (session.state === 'ended') {
      response.end(endFrame(session, session.seq));
      return;
    }
    const readers = this.bySession.get(sessionId) ?? new Set();
    this.bySession.set(sessionId, readers.add(reader));
  }

  private leave(reader: Reader): void {
    if (reader.ending) clearTimeout(reader.ending);
    this.open.delete(reader);
    this.everything.delete(reader);
    if (reader.sessionId === null) return;
    const readers = this.bySession.get(reader.sessionId);
    readers?.delete(reader);
    if (readers?.size === 0) this.bySession.delete(reader.sessionId);
  }

  private publish({ event, changed }: Commit): void {
    const visible = changed.filter(({ before, after }) => differs(before, after)).map(({ after }) => after);
    const isHook = event.source === 'hook';
    if (this.everything.size && (isHook || visible.length)) {
      const frames = [
        ...(isHook ? [hookFrame(event, visible.length === 0)] : []),
        ...(visible.length ? [stateFrame(visible, event.seq)] : []),
      ];
      for (const reader of this.everything) this.send(reader, frames);
    }
    for (const { before, after } of changed) {
      const readers = this.bySession.get(after.id);
      if (readers) this.publishTo(readers, after, event, differs(before, after));
    }
  }

  /** One session's own readers: the hook, its new state, and its end, of which the last alone carries the id. */
  private publishTo(readers: Set<Reader>, session: Session, event: Commit['event'], changed: boolean): void {
    const isOwn = event.sessionId === session.id;
    const isHook = isOwn && event.source === 'hook';
    const over = session.state === 'ended';
    const frames = [
      ...(isHook ? [hookFrame(event, !changed)] : []),
      ...(changed ? [stateFrame([session], over ? null : event.seq)] : []),
    ];
    for (const reader of readers) {
      this.send(reader, frames);
      if (over) this.finish(reader, session);
    }
  }

  // A cleared session has a successor, told by the next event of the same pane. It is worth a short wait.
  private finish(reader: Reader, session: Session): void {
    if (session.reason === 'clear' && !session.next && !reader.ending) {
      reader.ending = setTimeout(() => {
        const now = this.loop.roll.get(session.id);
        if (now?.state === 'ended') reader.response.end(endFrame(now, now.seq));
        else reader.ending = null;
      }, limits.clearWait);
      return;
    }
    if (session.reason === 'clear' && !session.next) return;
    reader.response.end(endFrame(session, session.seq));
    this.leave(reader);
  }

  private send(reader: Reader, frames: Buffer[]): void {
    const { response } = reader;
    if (response.destroyed || response.writableEnded) return;
    if (response.writableLength > limits.readerBytes) {
      this.counts.cut++;
      response.destroy();
      return;
    }
    for (const frame of frames) response.write(frame);
  }

  private keepAlive(): void {
    for (const reader of this.open) this.send(reader, [keepAlive]);
  }
}

const shown = [
  'state',
  'reason',
  'since',
  'detail',
  'cwd',
  'model',
  'permissionMode',
  'pid',
  'next',
] as const;

/** Something that a reader sees changed. */
const differs = (before: Session | undefined, after: Session): boolean =>
  !before ||
  shown.some(key => before[key] !== after[key]) ||
  before.pane?.id !== after.pane?.id ||
  before.pane?.socket !== after.pane?.socket;

/** Waits for the reader to take what it was sent; one that takes nothing for long is cut off. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    const timer = setTimeout(() => response.destroy(), limits.stalled);
    response.on('drain', done);
    response.on('close', done);
  });
