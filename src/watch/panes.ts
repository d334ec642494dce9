/** Watch the panes of every tmux server: where sessions are, and start-up dialogs that no other source sees. */
import { statSync } from 'node:fs';
import { startupDialog } from '../claude/screen/dialogs.ts';
import { type Clock, elapsed } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import { limits } from '../limits.ts';
import { claudeDir, type Env } from '../paths.ts';
import {
  descendants,
  hasEnvironments,
  isSameProcess,
  processEnv,
  processName,
  processStart,
} from '../platform/processes.ts';
import type { Folded } from '../session/memory.ts';
import { eventFrom } from '../session/own-event.ts';
import { readServerVariables } from '../tmux/server/server-variables.ts';
import { listPanes, listOwnSockets, captureScreen, type TmuxPane } from '../tmux/server/panes.ts';
import { NewProcesses } from './new-processes.ts';
import { PaneCommands } from './pane-commands.ts';
import { type FoundPane, hintOf, PaneFinder } from './pane-finder.ts';
import { mayShowUnread, readDialog } from './screen-dialogs.ts';
import { ServerActivity } from './server-activity.ts';
import { hasSessionFile } from './session-files.ts';

export interface ServerDeps {
  /** Called with every server that answers, and its panes. */
  seen?: (socket: string, panes: TmuxPane[]) => void;
  /** Whether a server runs in another pid namespace, so that the pids of its panes mean nothing here. */
  isForeign?: (socket: string, serverPid: number) => boolean;
  /** Reads the payload of an event: what a hook told of a call whose dialog is on the screen. */
  payloadAt?: (seq: number) => Hook | null;
  /** Sockets to poll besides the user's own. */
  sockets?: string[];
}

export class Panes {
  /** CLIs without a session file, by pid, with the dialog that they last showed. */
  private readonly starting = new Map<number, { start: string; message: string | null; polls: number }>();
  private readonly newProcesses = new NewProcesses();
  /** Time of the last poll, and where the sessions were then. */
  private polledAt = Number.NEGATIVE_INFINITY;
  /** Time of the last look for new CLIs and servers. */
  private lookedAt = Number.NEGATIVE_INFINITY;
  /** The last poll followed a change: another may have come right after it and be taken for the effect of our own call. */
  private mayFollow = false;
  private polledPlaces = '';
  private readonly serverActivity = new ServerActivity();
  private readonly paneCommands = new PaneCommands();
  private readonly paneFinder = new PaneFinder();
  private timer: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(
    private readonly env: Env,
    private readonly live: () => Folded[],
    private readonly dirs: () => string[],
    private readonly record: (drafts: Draft[]) => void,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
    private readonly servers: ServerDeps = {},
  ) {}

  start(): void {
    void this.run();
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    const isStarting = this.isPollDue() && (await this.poll());
    if (this.closed) return;
    this.timer = setTimeout(
      () => void this.run(),
      isStarting ? limits.panes.startingScan : limits.panes.activeScan,
    );
    this.timer.unref();
  }

  /** Check for a reason to poll: a session moved, a CLI or server is new, a dialog is expected, or it is time. */
  private isPollDue(): boolean {
    const now = elapsed(this.clock);
    const isTime = this.isActivityDue(now - this.polledAt);
    const isLookDue = now - this.lookedAt >= limits.panes.scan || this.starting.size > 0;
    if (!isTime && !isLookDue) return false;
    this.lookedAt = now;
    const pids = this.newProcesses.poll(now);
    const isNew = pids === null || pids.some(pid => this.isOurs(pid));
    const places = this.placesText();
    if (!isNew && !isTime && places === this.polledPlaces && this.starting.size === 0) return false;
    this.polledAt = now;
    this.polledPlaces = places;
    return true;
  }

  /** Check whether a server may have renamed or moved something since the last poll. */
  private isActivityDue(age: number): boolean {
    if (age < limits.panes.activeScan) return false;
    const hasChanged = this.serverActivity.hasChanged();
    const isDue = hasChanged ?? age >= limits.panes.idleScan;
    const isFollowing = this.mayFollow;
    this.mayFollow = hasChanged === true;
    return isDue || isFollowing || age >= limits.panes.quietScan;
  }

  /** Describe the servers, and which session is in which pane. A restarted server has a new socket inode. */
  private placesText(): string {
    const sessions = this.live().map(
      session =>
        `${session.id} ${session.pane?.socket} ${session.pane?.id} ${hintOf(session)?.pane} ${mayShowUnread(session) ? (session.requests[0]?.id ?? 'unread') : ''}`,
    );
    const servers = this.sockets().map(socket => `${socket} ${inodeOf(socket)}`);
    return [...servers, ...sessions].join('\n');
  }

  private sockets(): string[] {
    const known = this.live().flatMap(session => session.pane?.socket ?? []);
    return [...new Set([...listOwnSockets(this.env), ...(this.servers.sockets ?? []), ...known])];
  }

  /** Poll every server with one tmux call each. True while a CLI is starting that may show a dialog soon. */
  async poll(): Promise<boolean> {
    const servers: number[] = [];
    let hasNew = false;
    try {
      for (const socket of this.sockets()) {
        const panes = await listPanes(socket);
        // What a server in another pid namespace does is not known: no process has this pid.
        servers.push(...(panes ?? []).map(pane => (this.isForeign(pane) ? -1 : pane.serverPid)));
        const own = (panes ?? []).filter(pane => !this.isForeign(pane));
        const found = this.paneFinder.find(this.live(), own);
        if (found.length > 0) this.record(found.map(one => this.paneFound(one)));
        hasNew = this.compare(socket, panes ?? []) || hasNew;
        if (panes?.length && !this.closed) this.servers.seen?.(socket, panes);
        for (const pane of this.unknownPanes(panes ?? []))
          if (hasEnvironments || this.isWorthReading(pane)) await this.readScreen(pane);
        for (const session of this.live())
          if (session.pane?.socket === socket && mayShowUnread(session)) {
            const draft = await readDialog(session, this.clock.now(), this.servers.payloadAt ?? (() => null));
            if (draft) this.record([draft]);
          }
      }
      for (const [pid, { start }] of this.starting)
        if (!isSameProcess(pid, start) || hasSessionFile(this.dirs(), pid)) this.starting.delete(pid);
    } catch (error) {
      this.onError('could not poll the panes', error);
    }
    // Changes often come in pairs.
    if (hasNew) this.mayFollow = true;
    this.serverActivity.note(servers);
    return [...this.starting.values()].some(
      ({ message, polls }) => !message && polls < limits.panes.startingScans,
    );
  }

  /** Check whether the pids of a pane belong to another pid namespace. */
  private isForeign({ socket, serverPid }: TmuxPane): boolean {
    return this.servers.isForeign?.(socket, serverPid) ?? false;
  }

  /** Report what changed since the last poll. True when something did. */
  private compare(socket: string, panes: TmuxPane[]): boolean {
    const drafts = this.live()
      .filter(session => session.pane?.socket === socket)
      .flatMap(session => {
        const known = session.pane as NonNullable<Folded['pane']>;
        const pane = panes.find(
          ({ id, serverPid }) =>
            id === known.id && (known.serverPid === null || serverPid === known.serverPid),
        );
        // When a pane goes, its process exits, which the sweep sees. Without a known process, this is the only sign.
        if (!pane || (pane.dead && known.foreign))
          return session.pid === null ? [this.draft(session.id, 'PaneGone', { pane: known.id })] : [];
        if (
          known.session === pane.session &&
          known.window === pane.window &&
          known.windowIndex === pane.at.window &&
          known.pid === pane.pid
        )
          return [];
        return [
          this.draft(session.id, 'PaneSeen', {
            session: pane.session,
            window: pane.window,
            window_index: pane.at.window,
            pane_pid: pane.pid,
            server_pid: pane.serverPid,
          }),
        ];
      });
    if (drafts.length) this.record(drafts);
    return drafts.length > 0;
  }

  private paneFound({ session, pane, pid }: FoundPane): Draft {
    const found = this.draft(session.id, 'PaneFound', { pane_pid: pane.pid, pid });
    return { ...found, context: { socket: pane.socket, serverPid: pane.serverPid, pane: pane.id } };
  }

  /** List panes without a known live session. */
  private unknownPanes(panes: TmuxPane[]): TmuxPane[] {
    const known = new Set(
      this.live()
        .filter(session => !session.headless && !isStarting(session))
        .map(({ pane }) => pane && `${pane.socket} ${pane.serverPid} ${pane.id}`),
    );
    return panes.filter(
      ({ dead, socket, serverPid, id }) => !dead && !known.has(`${socket} ${serverPid} ${id}`),
    );
  }

  /** Look for a start-up dialog in a pane that runs claude without a session file. */
  private async readScreen(pane: TmuxPane): Promise<void> {
    if (this.isForeign(pane)) return;
    const pid = [pane.pid, ...descendants(pane.pid)].find(candidate => processName(candidate) === 'claude');
    const start = pid === undefined ? null : processStart(pid);
    if (pid === undefined || start === null || hasSessionFile(this.dirs(), pid)) return;
    if (!(hasEnvironments ? this.isOurs(pid) : await this.isOurServer(pane.socket))) return;
    const before = this.starting.get(pid);
    const message = startupDialog(await captureScreen(pane.socket, pane.id));
    const polls = (before?.polls ?? 0) + 1;
    this.starting.set(pid, { start, message: message ?? before?.message ?? null, polls });
    // A session file means that the dialog has just been answered, and the session reports itself.
    if (!message || before?.message === message || hasSessionFile(this.dirs(), pid)) return;
    const PWD = processEnv(pid, ['PWD'] as const)?.PWD ?? pane.at.cwd;
    const context = { pid, entrypoint: 'cli', socket: pane.socket, serverPid: pane.serverPid, pane: pane.id };
    const session = this.live().find(candidate => candidate.pid === pid && isStarting(candidate));
    const id = session?.id ?? `startup-${pid}-${start}`;
    this.record([{ ...this.draft(id, 'Dialog', { message, cwd: PWD }), context }]);
  }

  /** Check that the process's own HOME or CLAUDE_CONFIG_DIR leads to a watched folder. */
  private isOurs(pid: number): boolean {
    return this.isWatched(processEnv(pid, ['HOME', 'CLAUDE_CONFIG_DIR'] as const) ?? {});
  }

  /** The same by the environment that a tmux server gives to its panes. */
  private async isOurServer(socket: string): Promise<boolean> {
    return this.isWatched(await readServerVariables(socket, ['HOME', 'CLAUDE_CONFIG_DIR'] as const));
  }

  private isWatched(env: { HOME?: string; CLAUDE_CONFIG_DIR?: string }): boolean {
    return (
      (env.HOME !== undefined || env.CLAUDE_CONFIG_DIR !== undefined) && this.dirs().includes(claudeDir(env))
    );
  }

  /** A CLI that starts changes the command of its pane. Others are checked from time to time: reading all processes costs more. */
  private isWorthReading(pane: TmuxPane): boolean {
    const isStarting = [...this.starting.values()].some(({ message }) => !message);
    return this.paneCommands.mayHaveChanged(pane, elapsed(this.clock)) || isStarting;
  }

  private draft(sessionId: string, name: string, fields: object): Draft {
    return eventFrom('sweep', name, sessionId, this.clock.now(), fields);
  }
}

/** Check for a session whose pane alone is known: its CLI has sent nothing yet. */
const isStarting = ({ memory }: Folded): boolean => memory.file === null && memory.hooked === 0;

const inodeOf = (path: string): number => {
  try {
    return statSync(path).ino;
  } catch {
    return 0;
  }
};
