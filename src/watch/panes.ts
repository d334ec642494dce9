/** The panes of every tmux server a session was seen on: where sessions are, and dialogs that nothing else can see. */
import { statSync } from 'node:fs';
import { startupDialog } from '../claude/dialogs.ts';
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { claudeDir, type Env } from '../paths.ts';
import { descendants, processEnv, processName, processStart } from '../proc.ts';
import type { Folded } from '../session/memory.ts';
import { listPanes, ownSockets, screenOf, type TmuxPane } from '../tmux/server/panes.ts';
import { Newcomers } from './newcomers.ts';
import { hasSessionFile } from './session-files.ts';

export class Panes {
  /** What was last seen to be asked by a CLI that has no session file, by its pid. */
  private readonly starting = new Map<number, { start: string; message: string | null; looks: number }>();
  private readonly newcomers = new Newcomers();
  /** When tmux was asked last, and where the sessions were then. */
  private asked = Number.NEGATIVE_INFINITY;
  private askedOf = '';
  private timer: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(
    private readonly env: Env,
    private readonly live: () => Folded[],
    private readonly dirs: () => string[],
    private readonly take: (drafts: Draft[]) => void,
    private readonly onError: (message: string, error: unknown) => void,
    /** Told every server that answers, with its panes. */
    private readonly seen: (socket: string, panes: TmuxPane[]) => void = () => {},
  ) {}

  start(): void {
    void this.round();
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
  }

  private async round(): Promise<void> {
    const soon = this.isWorthIt() && (await this.look());
    if (this.closed) return;
    this.timer = setTimeout(() => void this.round(), soon ? limits.panes.startingScan : limits.panes.scan);
    this.timer.unref();
  }

  /** Something may have changed since the last look: a session or its pane, a new CLI or server, a dialog that is awaited, or time. */
  private isWorthIt(): boolean {
    const now = performance.now();
    const newcomers = this.newcomers.look(now);
    const isNew = newcomers === null || newcomers.some(pid => this.isOurs(pid));
    const places = this.places();
    const isDue = now - this.asked >= limits.panes.idleScan;
    if (!isNew && !isDue && places === this.askedOf && this.starting.size === 0) return false;
    this.asked = now;
    this.askedOf = places;
    return true;
  }

  /** The servers, and which session is in which pane. A server that was restarted has a socket of its own. */
  private places(): string {
    const sessions = this.live().map(({ id, pane }) => `${id} ${pane?.socket} ${pane?.id}`);
    const servers = this.sockets().map(socket => `${socket} ${inodeOf(socket)}`);
    return [...servers, ...sessions].join('\n');
  }

  private sockets(): string[] {
    const known = this.live().flatMap(session => session.pane?.socket ?? []);
    return [...new Set([...ownSockets(this.env), ...known])];
  }

  /** One look at every server: one tmux call each. True while a CLI is starting whose dialog may come any moment. */
  async look(): Promise<boolean> {
    try {
      for (const socket of this.sockets()) {
        const panes = await listPanes(socket);
        this.compare(socket, panes ?? []);
        if (panes?.length && !this.closed) this.seen(socket, panes);
        for (const pane of this.unclaimed(panes ?? [])) await this.askScreen(pane);
      }
      for (const [pid, { start }] of this.starting)
        if (processStart(pid) !== start || hasSessionFile(this.dirs(), pid)) this.starting.delete(pid);
    } catch (error) {
      this.onError('the panes could not be looked at', error);
    }
    return [...this.starting.values()].some(
      ({ message, looks }) => !message && looks < limits.panes.startingScans,
    );
  }

  private compare(socket: string, panes: TmuxPane[]): void {
    const drafts = this.live()
      .filter(session => session.pane?.socket === socket)
      .flatMap(session => {
        const known = session.pane as NonNullable<Folded['pane']>;
        const pane = panes.find(
          ({ id, serverPid }) =>
            id === known.id && (known.serverPid === null || serverPid === known.serverPid),
        );
        // A pane that is gone takes its process along, which the sweep sees; where no process is known, this is all there is.
        if (!pane) return session.pid === null ? [draft(session.id, 'PaneGone', { pane: known.id })] : [];
        if (
          known.session === pane.session &&
          known.window === pane.window &&
          known.windowIndex === pane.at.window &&
          known.pid === pane.pid
        )
          return [];
        return [
          draft(session.id, 'PaneSeen', {
            session: pane.session,
            window: pane.window,
            window_index: pane.at.window,
            pane_pid: pane.pid,
            server_pid: pane.serverPid,
          }),
        ];
      });
    if (drafts.length) this.take(drafts);
  }

  /** Panes in which no session is known to live. */
  private unclaimed(panes: TmuxPane[]): TmuxPane[] {
    const claimed = new Set(
      this.live()
        .filter(session => !session.headless && !isStarting(session))
        .map(({ pane }) => pane && `${pane.socket} ${pane.serverPid} ${pane.id}`),
    );
    return panes.filter(
      ({ dead, socket, serverPid, id }) => !dead && !claimed.has(`${socket} ${serverPid} ${id}`),
    );
  }

  /** A pane that runs claude without a session file is at a dialog of its start. */
  private async askScreen(pane: TmuxPane): Promise<void> {
    const pid = [pane.pid, ...descendants(pane.pid)].find(candidate => processName(candidate) === 'claude');
    const start = pid === undefined ? null : processStart(pid);
    if (pid === undefined || start === null || !this.isOurs(pid) || hasSessionFile(this.dirs(), pid)) return;
    const before = this.starting.get(pid);
    const message = startupDialog(await screenOf(pane.socket, pane.id));
    const looks = (before?.looks ?? 0) + 1;
    this.starting.set(pid, { start, message: message ?? before?.message ?? null, looks });
    // Answered in this very moment: the session has told of itself.
    if (!message || before?.message === message || hasSessionFile(this.dirs(), pid)) return;
    const { PWD } = processEnv(pid, ['PWD'] as const);
    const context = { pid, entrypoint: 'cli', socket: pane.socket, serverPid: pane.serverPid, pane: pane.id };
    const owner = this.live().find(session => session.pid === pid && isStarting(session));
    const id = owner?.id ?? `startup-${pid}-${start}`;
    this.take([{ ...draft(id, 'Dialog', { message, cwd: PWD }), context }]);
  }

  /** One world at a time: the process's own HOME or CLAUDE_CONFIG_DIR must lead to a folder that is watched. */
  private isOurs(pid: number): boolean {
    const env = processEnv(pid, ['HOME', 'CLAUDE_CONFIG_DIR'] as const);
    return (
      (env.HOME !== undefined || env.CLAUDE_CONFIG_DIR !== undefined) && this.dirs().includes(claudeDir(env))
    );
  }
}

/** Nothing but its pane is known of it: its CLI has not told of itself. */
const isStarting = ({ memory }: Folded): boolean => memory.file === null && memory.hooked === 0;

const inodeOf = (path: string): number => {
  try {
    return statSync(path).ino;
  } catch {
    return 0;
  }
};

const draft = (sessionId: string, name: string, fields: object): Draft => ({
  at: Date.now(),
  source: 'sweep',
  name,
  sessionId,
  context: {},
  raw: Buffer.from(JSON.stringify({ session_id: sessionId, ...fields })),
});
