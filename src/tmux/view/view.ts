/**
 * tmux as a view of the state. It follows every commit, sets the options of each session's pane, and writes the queue into
 * server options where our tmux.conf is loaded. It changes no state; key requests are passed on.
 */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import { limits } from '../../limits.ts';
import { lineage } from '../../platform/processes.ts';
import type { Folded } from '../../session/memory.ts';
import { paneKey } from '../../session/place.ts';
import { type Queued, queueChangesAt } from '../../session/queue/queue.ts';
import { changedOptions, queueOptions } from './queue-options.ts';
import { BorrowedStarts } from './borrowed-starts.ts';
import { clearedOptions, type Options, optionsAfter, paneSessionOf, stateOptions } from './options.ts';
import { LivenessProbe } from '../server/liveness-probe.ts';
import { type KeyRequest, KeyRequests } from '../keys/key-requests.ts';
import { OptionWriter } from './option-writer.ts';

export interface TmuxViewDeps {
  live: () => Folded[];
  /** Sessions that were seen in a pane. */
  sessionsIn: (paneKey: string) => Folded[];
  queue: () => Queued[];
  /** How many sessions wait on other hosts. */
  waitingOnOtherHosts: () => number;
  now: () => number;
  onKeyRequest: (request: KeyRequest, socket: string) => void;
}

interface Server {
  pid: number;
  keyRequests: KeyRequests;
  /** Server options as last written. */
  written: Options;
}

type Pane = NonNullable<Folded['pane']>;

export class TmuxView {
  private readonly servers = new Map<string, Server>();
  private readonly writers = new Map<string, OptionWriter>();
  /** Options for panes whose process is not known yet. */
  private readonly deferredOptions = new Map<string, Options>();
  /** The process of each session with its ancestors. */
  private readonly lineages = new Map<string, { pid: number; pids: number[] }>();
  private readonly borrowedStarts = new BorrowedStarts();
  private readonly livenessProbe: LivenessProbe;
  private timer: NodeJS.Timeout | null = null;
  private isQueueScheduled = false;
  private closed = false;

  constructor(
    private readonly deps: TmuxViewDeps,
    private readonly channel: string,
    home: string,
  ) {
    this.livenessProbe = new LivenessProbe(process.pid, channel, home);
  }

  /** Write the state of all live sessions again, without hook details. */
  start(): void {
    for (const session of this.deps.live())
      if (session.pane && this.isPaneSession(session))
        this.setOptions(session, session.pane, stateOptions(session));
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    this.livenessProbe.close();
    for (const { keyRequests } of this.servers.values()) keyRequests.close();
    for (const writer of this.writers.values()) writer.close();
  }

  /** Update the panes of the sessions that a commit has changed. */
  onCommit({
    event,
    payload,
    changed,
  }: {
    event: Event;
    payload: Hook | null;
    changed: { before: Folded | undefined; after: Folded }[];
  }): void {
    if (changed.length === 0) {
      this.borrowedStarts.add(event, payload);
      for (const session of this.borrowedStarts.isEmpty ? [] : this.deps.live()) this.showStart(session);
      return;
    }
    for (const { before, after } of changed) {
      this.clearFormerPane(before, after);
      if (after.pane && this.isPaneSession(after)) {
        const moved = before?.pane && paneKey(before.pane) !== paneKey(after.pane);
        const options = optionsAfter(moved ? undefined : before, after, event, payload ?? {});
        this.setOptions(after, after.pane, options);
        this.showStart(after);
      }
      if (after.state === 'ended') this.lineages.delete(after.id);
    }
    this.writeQueue();
  }

  /** Start to serve a server. It may load our keys and status line at any time. */
  seen(socket: string, pid: number): void {
    if (this.closed) return;
    const known = this.servers.get(socket);
    if (known?.pid === pid) return;
    known?.keyRequests.close();
    const keyRequests: KeyRequests = new KeyRequests(
      socket,
      this.channel,
      requests => {
        for (const request of requests) this.deps.onKeyRequest(request, socket);
        // Our tmux.conf also signals when it is loaded; then all options have to be written again.
        const server = this.servers.get(socket);
        if (server) server.written = {};
        this.writeQueue();
      },
      () => {
        if (this.servers.get(socket)?.keyRequests === keyRequests) this.servers.delete(socket);
      },
    );
    this.servers.set(socket, { pid, keyRequests, written: {} });
    this.livenessProbe.watch(socket);
    this.writeQueue();
  }

  /** Show the start of a fork, which carried the id of the session that it copies. */
  private showStart(session: Folded): void {
    if (!session.pane || !this.isPaneSession(session)) return;
    const options = this.borrowedStarts.take(session);
    if (options) this.setOptions(session, session.pane, options);
  }

  /** Clear the old pane of a session that has moved to another one. */
  private clearFormerPane(before: Folded | undefined, after: Folded): void {
    if (!before?.pane || before.headless || (after.pane && paneKey(before.pane) === paneKey(after.pane)))
      return;
    if (paneSessionOf(this.deps.sessionsIn(paneKey(before.pane))) === undefined)
      this.setOptions(before, before.pane, clearedOptions);
  }

  private isPaneSession(session: Folded): boolean {
    return (
      session.pane !== null &&
      !session.headless &&
      paneSessionOf(this.deps.sessionsIn(paneKey(session.pane)))?.id === session.id
    );
  }

  private setOptions(session: Folded, pane: Pane, options: Options): void {
    const key = paneKey(pane);
    const pids = this.pidsOf(session, pane);
    const all = { ...this.deferredOptions.get(key), ...options };
    this.deferredOptions.delete(key);
    if (Object.keys(all).length === 0) return;
    if (pane.serverPid === null || pids.length === 0) {
      this.deferredOptions.set(key, all);
      const [oldest] = this.deferredOptions.keys();
      if (oldest && this.deferredOptions.size > limits.tmux.unplacedPanes)
        this.deferredOptions.delete(oldest);
      return;
    }
    this.writer(pane.socket).pane({ serverPid: pane.serverPid, pane: pane.id, pids }, all);
  }

  /** List the processes of which one must be the pane's: the session's process and its ancestors, where known. */
  private pidsOf({ id, pid }: Folded, pane: Pane): number[] {
    if (pid === null) return pane.pid === null ? [] : [pane.pid];
    const known = this.lineages.get(id);
    if (known?.pid === pid) return known.pids;
    const pids = lineage(pid);
    if (pids.length === 0) return pane.pid === null ? [] : [pane.pid];
    this.lineages.set(id, { pid, pids });
    return pids;
  }

  private writer(socket: string): OptionWriter {
    let writer = this.writers.get(socket);
    if (!writer) this.writers.set(socket, (writer = new OptionWriter(socket)));
    return writer;
  }

  /** Write the queue to every server, once for all commits of this tick. */
  writeQueue(): void {
    if (this.isQueueScheduled || this.closed) return;
    this.isQueueScheduled = true;
    setImmediate(() => {
      this.isQueueScheduled = false;
      if (this.closed) return;
      const queue = this.deps.queue();
      for (const [socket, server] of this.servers) {
        const options = {
          '@drover_daemon': String(process.pid),
          ...queueOptions(queue, socket, server.pid, this.deps.waitingOnOtherHosts()),
        };
        this.writer(socket).all(changedOptions(server.written, options));
        server.written = options;
      }
      this.schedule(queueChangesAt(queue, this.deps.live(), this.deps.now()));
    });
  }

  /** Write the queue again when the next deferral expires, which causes no event. */
  private schedule(at: number | null): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (at === null) return;
    const wait = Math.min(Math.max(at - this.deps.now(), 10), 0x7fffffff);
    this.timer = setTimeout(() => this.writeQueue(), wait).unref();
  }
}
