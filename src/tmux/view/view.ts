/**
 * tmux as a view of the state: hears every commit, keeps the options of the sessions' own panes, and the queue in server
 * options where our tmux.conf is loaded. It changes no state; what keys ask for is handed on.
 */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import { limits } from '../../limits.ts';
import { lineage } from '../../proc.ts';
import type { Folded } from '../../session/memory.ts';
import { paneKey } from '../../session/place.ts';
import { type Queued, queueChangesAt } from '../../session/queue.ts';
import { changedOptions, listOptions } from './list.ts';
import { noState, type Options, optionsAfter, ownerOf, stateOptions } from './options.ts';
import { LivenessProbe } from '../server/liveness-probe.ts';
import { type KeyRequest, KeyRequests } from '../keys/key-requests.ts';
import { Writer } from './writer.ts';

export interface World {
  live: () => Folded[];
  tenants: (paneKey: string) => Folded[];
  queue: () => Queued[];
  now: () => number;
  /** A key asked for something on the server of this socket. */
  wish: (wish: KeyRequest, socket: string) => void;
}

interface Server {
  pid: number;
  wishes: KeyRequests;
  /** Server options as they were written last. */
  written: Options;
}

type Pane = NonNullable<Folded['pane']>;

export class TmuxView {
  private readonly servers = new Map<string, Server>();
  private readonly writers = new Map<string, Writer>();
  /** Options for panes whose own process is not known yet. */
  private readonly unplaced = new Map<string, Options>();
  /** Who stands above the process of a session, by session. */
  private readonly lineages = new Map<string, { pid: number; pids: number[] }>();
  private readonly livenessProbe: LivenessProbe;
  private timer: NodeJS.Timeout | null = null;
  private listing = false;
  private closed = false;

  constructor(
    private readonly world: World,
    private readonly channel: string,
    home: string,
  ) {
    this.livenessProbe = new LivenessProbe(process.pid, channel, home);
  }

  /** What was true before this daemon came is true still: said again, without the words of any hook. */
  start(): void {
    for (const session of this.world.live())
      if (session.pane && this.owns(session)) this.put(session, session.pane, stateOptions(session));
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    this.livenessProbe.close();
    for (const { wishes } of this.servers.values()) wishes.close();
    for (const writer of this.writers.values()) writer.close();
  }

  /** One event after its commit. */
  hear({
    event,
    payload,
    changed,
  }: {
    event: Event;
    payload: Hook | null;
    changed: { before: Folded | undefined; after: Folded }[];
  }): void {
    if (changed.length === 0) return;
    for (const { before, after } of changed) {
      this.leave(before, after);
      if (after.pane && this.owns(after)) {
        const moved = before?.pane && paneKey(before.pane) !== paneKey(after.pane);
        this.put(after, after.pane, optionsAfter(moved ? undefined : before, after, event, payload ?? {}));
      }
      if (after.state === 'ended') this.lineages.delete(after.id);
    }
    this.list();
  }

  /** A server that was looked at: who has one runs our keys and our status line, or may any moment. */
  seen(socket: string, pid: number): void {
    if (this.closed) return;
    const known = this.servers.get(socket);
    if (known?.pid === pid) return;
    known?.wishes.close();
    const wishes: KeyRequests = new KeyRequests(
      socket,
      this.channel,
      asked => {
        for (const wish of asked) this.world.wish(wish, socket);
        // Our tmux.conf signals too when it is loaded: nothing that was written before counts.
        const server = this.servers.get(socket);
        if (server) server.written = {};
        this.list();
      },
      () => {
        if (this.servers.get(socket)?.wishes === wishes) this.servers.delete(socket);
      },
    );
    this.servers.set(socket, { pid, wishes, written: {} });
    this.livenessProbe.watch(socket);
    this.list();
  }

  /** The session before has moved to another pane: the old one shows it no longer. */
  private leave(before: Folded | undefined, after: Folded): void {
    if (!before?.pane || before.headless || (after.pane && paneKey(before.pane) === paneKey(after.pane)))
      return;
    if (ownerOf(this.world.tenants(paneKey(before.pane))) === undefined)
      this.put(before, before.pane, noState);
  }

  private owns(session: Folded): boolean {
    return (
      session.pane !== null &&
      !session.headless &&
      ownerOf(this.world.tenants(paneKey(session.pane)))?.id === session.id
    );
  }

  private put(session: Folded, pane: Pane, options: Options): void {
    const key = paneKey(pane);
    const pids = this.pidsOf(session, pane);
    const all = { ...this.unplaced.get(key), ...options };
    this.unplaced.delete(key);
    if (Object.keys(all).length === 0) return;
    if (pane.serverPid === null || pids.length === 0) {
      this.unplaced.set(key, all);
      const [oldest] = this.unplaced.keys();
      if (oldest && this.unplaced.size > limits.tmux.unplacedPanes) this.unplaced.delete(oldest);
      return;
    }
    this.writer(pane.socket).pane({ serverPid: pane.serverPid, pane: pane.id, pids }, all);
  }

  /** The processes of which one must be the pane's own. The session's own ancestry is the best proof there is. */
  private pidsOf({ id, pid }: Folded, pane: Pane): number[] {
    if (pid === null) return pane.pid === null ? [] : [pane.pid];
    const known = this.lineages.get(id);
    if (known?.pid === pid) return known.pids;
    const pids = lineage(pid);
    if (pids.length === 0) return pane.pid === null ? [] : [pane.pid];
    this.lineages.set(id, { pid, pids });
    return pids;
  }

  private writer(socket: string): Writer {
    let writer = this.writers.get(socket);
    if (!writer) this.writers.set(socket, (writer = new Writer(socket)));
    return writer;
  }

  /** Brings the queue to every server, once for all that this turn of the loop commits. */
  private list(): void {
    if (this.listing || this.closed) return;
    this.listing = true;
    setImmediate(() => {
      this.listing = false;
      if (this.closed) return;
      const queue = this.world.queue();
      for (const [socket, server] of this.servers) {
        const options = {
          '@drover_daemon': String(process.pid),
          ...listOptions(queue, socket, server.pid),
        };
        this.writer(socket).all(changedOptions(server.written, options));
        server.written = options;
      }
      this.wind(queueChangesAt(queue));
    });
  }

  /** A hold that ends by the clock brings no event: looked at when its time has come. */
  private wind(at: number | null): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (at === null) return;
    const wait = Math.min(Math.max(at - this.world.now(), 10), 0x7fffffff);
    this.timer = setTimeout(() => this.list(), wait).unref();
  }
}
