/** Keeps counts and collisions of the rows current, and infers what shell commands changed. Runs after the commit. */
import { type Clock, schedule } from '../clock.ts';
import type { Collision } from '../contract/changes.ts';
import type { Draft } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import { isRemote } from '../contract/origin.ts';
import { limits } from '../limits.ts';
import type { Commit } from '../live/loop.ts';
import type { SessionIndex } from '../live/session-index.ts';
import type { Folded } from '../session/memory.ts';
import type { Store } from '../store/store.ts';
import type { ChangeProjection } from './change-projection.ts';
import { collisionsOf, type FileUse, nextEnd } from './collisions.ts';
import { inferredDraft, inferredName } from './inferred-event.ts';
import { inferFiles } from './inferred-files.ts';
import { ShellPeriods } from './shell-periods.ts';
import { changedPath, editTools } from './tool-change.ts';

export interface ChangeWatchDeps {
  store: Pick<Store, 'changes' | 'write'>;
  sessionIndex: Pick<SessionIndex, 'get' | 'all' | 'live' | 'setChanges'>;
  projection: Pick<ChangeProjection, 'turnOf'>;
  clock: Clock;
  /** Appends events. */
  record: (drafts: Draft[]) => void;
  /** Sends sessions whose counts alone changed. */
  publish: (sessions: Folded[]) => void;
  /** Reads the payload of an event; null when the log no longer has it. */
  payloadAt: (seq: number) => Hook | null;
  /** Called once for each new collision. */
  onCollision: (session: Folded, collision: Collision) => void;
  onError: (message: string, error: unknown) => void;
  infer?: typeof inferFiles;
}

export class ChangeWatch {
  private readonly shells = new ShellPeriods();
  /** Sessions whose counts have to be read again. */
  private readonly stale = new Set<string>();
  /** The files that open requests are about, by the event of the request. */
  private readonly asked = new Map<number, string | null>();
  /** The newest change of each collision that was noted. */
  private readonly noted = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private cancelEnd = (): void => {};
  private closed = false;

  constructor(private readonly deps: ChangeWatchDeps) {}

  /** Reads the counts of all sessions: saved ones may be older than the table. */
  start(): void {
    const { store, sessionIndex } = this.deps;
    const counts = new Map(store.changes.counts().map(({ sessionId, ...rest }) => [sessionId, rest]));
    sessionIndex.setChanges(
      new Map(sessionIndex.all().map(({ id }) => [id, { changes: counts.get(id) ?? null }])),
    );
    this.findCollisions();
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    this.cancelEnd();
  }

  onCommit({ event, payload, changed }: Commit): void {
    const { sessionId, source, name } = event;
    if (sessionId === null) return;
    const change = changed.find(({ after }) => after.id === sessionId);
    if (!change) return;
    const isTool = source === 'hook' && name === 'PostToolUse' && editTools.has(payload?.tool_name ?? '');
    if (isTool || (source === 'drover' && name === inferredName)) this.refresh([sessionId]);
    else if (mayChangeCollisions(change.before, change.after)) this.refresh([]);
    if (source !== 'hook' && change.after.state === 'ended') this.shells.forget(sessionId);
    if (source !== 'hook' || !payload || !mayInfer(change.after)) return;
    if (turnEnds.has(name))
      void this.infer(change.after, event.seq, event.at).catch(error =>
        this.deps.onError('the files that shell commands changed could not be listed', error),
      );
    else this.shells.onHook(sessionId, event, payload);
  }

  /** Reads the counts of these sessions again, and the collisions of all, after a pause. */
  refresh(ids: Iterable<string>): void {
    for (const id of ids) this.stale.add(id);
    if (this.closed) return;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      try {
        this.count();
        this.findCollisions();
      } catch (error) {
        this.deps.onError('changed files could not be counted', error);
      }
    }, limits.changes.count).unref();
  }

  private count(): void {
    const { store, sessionIndex, publish } = this.deps;
    const counted = new Map(
      [...this.stale].map(id => {
        const [found] = store.changes.counts(id);
        store.write(() => store.changes.trim(limits.changes.sessionBytes, id));
        const { files, added, removed } = found ?? { files: 0, added: 0, removed: 0 };
        return [id, { changes: found ? { files, added, removed } : null }] as const;
      }),
    );
    this.stale.clear();
    publish(sessionIndex.setChanges(counted));
  }

  private findCollisions(): void {
    const { sessionIndex, clock, publish } = this.deps;
    const now = clock.now();
    const uses = this.usesOf(now);
    const found = collisionsOf(uses, now);
    const marked = sessionIndex
      .all()
      .filter(({ id, collisions }) => collisions.length > 0 || found.has(id))
      .map(({ id }) => [id, { collisions: found.get(id) ?? [] }] as const);
    publish(sessionIndex.setChanges(new Map(marked)));
    this.announce(found, now);
    this.cancelEnd();
    const end = found.size > 0 ? nextEnd(uses, now) : null;
    if (end !== null && !this.closed)
      this.cancelEnd = schedule(clock, Math.max(end - now, 1), () => this.refresh([]));
  }

  /** What live sessions of this machine changed recently, and what they ask to change. */
  private usesOf(now: number): FileUse[] {
    const { store, sessionIndex } = this.deps;
    const here = sessionIndex.live().filter(session => !isRemote(session));
    const ids = new Set(here.map(({ id }) => id));
    const changes = store.changes
      .recent(now - 2 * limits.changes.collision)
      .filter(({ sessionId }) => ids.has(sessionId))
      .map(use => ({ ...use, isAsking: false }));
    return [...changes, ...here.flatMap(session => this.askedBy(session))];
  }

  private askedBy({ id: sessionId, cwd, requests }: Folded): FileUse[] {
    return requests
      .filter(({ tool }) => editTools.has(tool ?? ''))
      .flatMap(({ id, tool, at }) => {
        if (!this.asked.has(id)) {
          if (this.asked.size >= askedFiles) this.asked.clear();
          this.asked.set(id, changedPath(tool, this.deps.payloadAt(id)?.tool_input, cwd));
        }
        const path = this.asked.get(id);
        return path ? [{ path, sessionId, at, isAsking: true }] : [];
      });
  }

  private announce(found: Map<string, Collision[]>, now: number): void {
    const { store, sessionIndex, onCollision } = this.deps;
    const since = now - limits.changes.collision;
    for (const [id, list] of found)
      for (const collision of list) {
        const session = sessionIndex.get(id);
        // Each pair is found twice.
        if (!session || id > collision.sessionId) continue;
        const key = `${collision.path}\0${id}\0${collision.sessionId}`;
        if (this.noted.get(key) === collision.at) continue;
        if (this.noted.size >= notedCollisions) this.noted.clear();
        this.noted.set(key, collision.at);
        const isNew = store.write(() =>
          store.changes.noteCollision(collision.path, id, collision.sessionId, now, since),
        );
        if (isNew) onCollision(session, collision);
      }
  }

  private async infer({ id, cwd, dir }: Folded, seq: number, at: number): Promise<void> {
    const periods = this.shells.take(id, at);
    const folder = cwd ?? dir;
    if (periods.length === 0 || folder === null || this.closed) return;
    const { store, projection, record, infer = inferFiles } = this.deps;
    const turn = projection.turnOf(id, seq);
    const { fileTime, toolWriteLead } = limits.changes;
    const files = await infer(folder, periods, (path, time) =>
      store.changes.isByTool(path, time - fileTime, time + toolWriteLead),
    );
    if (files.length > 0 && !this.closed) record([inferredDraft(id, at, turn, files)]);
  }
}

/** An interrupted turn has no hook of its own: it is over when the next one begins, or the session ends. */
const turnEnds: ReadonlySet<string> = new Set(['Stop', 'StopFailure', 'UserPromptSubmit', 'SessionEnd']);

/** Requests whose file is remembered; that of others is read from the log again. */
const askedFiles = 1_000;

/** Collisions that are remembered in memory. An older one is noted again, which has no effect. */
const notedCollisions = 10_000;

/** Git runs only for a session of this machine that has fired a hook itself. */
export const mayInfer = (session: Folded): boolean =>
  !isRemote(session) && session.memory.spooled && session.memory.hooked > 0;

/** Whether collisions may have changed: another request is open, or the session has begun or ended. */
const mayChangeCollisions = (before: Folded | undefined, after: Folded): boolean =>
  before?.requests !== after.requests || (before.state === 'ended') !== (after.state === 'ended');
