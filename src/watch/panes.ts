/** The panes of every tmux server a session was seen on: where sessions are, and dialogs that nothing else can see. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startupDialog } from '../claude/dialogs.ts';
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { claudeDir, type Env } from '../paths.ts';
import { descendants, processEnv, processName, processStart } from '../proc.ts';
import type { Folded } from '../session/memory.ts';
import { listPanes, ownSockets, screenOf, type TmuxPane } from '../tmux/panes.ts';

export class Panes {
  private readonly dialogs = new Map<number, string>();
  private timer: NodeJS.Timeout | null = null;
  private busy = false;

  constructor(
    private readonly env: Env,
    private readonly live: () => Folded[],
    private readonly dirs: () => string[],
    private readonly take: (drafts: Draft[]) => void,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  start(): void {
    void this.look();
    this.timer = setInterval(() => void this.look(), limits.paneScan);
    this.timer.unref();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** One look at every server: one tmux call each. */
  async look(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const sockets = new Set([
        ...ownSockets(this.env),
        ...this.live().flatMap(session => session.pane?.socket ?? []),
      ]);
      for (const socket of sockets) {
        const panes = await listPanes(socket);
        this.compare(socket, panes ?? []);
        for (const pane of panes ?? [])
          if (pane.command === 'claude' && !pane.dead) await this.askScreen(pane);
      }
      for (const pid of this.dialogs.keys()) if (processStart(pid) === null) this.dialogs.delete(pid);
    } catch (error) {
      this.onError('the panes could not be looked at', error);
    } finally {
      this.busy = false;
    }
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
        if (known.session === pane.session && known.window === pane.window && known.pid === pane.pid)
          return [];
        return [
          draft(session.id, 'PaneSeen', {
            session: pane.session,
            window: pane.window,
            pane_pid: pane.pid,
            server_pid: pane.serverPid,
          }),
        ];
      });
    if (drafts.length) this.take(drafts);
  }

  /** A pane that runs claude without a session file is at a dialog of its start. */
  private async askScreen(pane: TmuxPane): Promise<void> {
    const pid = [pane.pid, ...descendants(pane.pid)].find(candidate => processName(candidate) === 'claude');
    const start = pid === undefined ? null : processStart(pid);
    if (pid === undefined || start === null || !this.isOurs(pid) || this.hasFile(pid)) return;
    const message = startupDialog(await screenOf(pane.socket, pane.id));
    if (!message || this.dialogs.get(pid) === message) return;
    this.dialogs.set(pid, message);
    const { PWD } = processEnv(pid, ['PWD'] as const);
    const context = { pid, entrypoint: 'cli', socket: pane.socket, serverPid: pane.serverPid, pane: pane.id };
    this.take([{ ...draft(`startup-${pid}-${start}`, 'Dialog', { message, cwd: PWD }), context }]);
  }

  private hasFile(pid: number): boolean {
    return this.dirs().some(dir => existsSync(join(dir, 'sessions', `${pid}.json`)));
  }

  /** One world at a time: the process's own HOME or CLAUDE_CONFIG_DIR must lead to a folder that is watched. */
  private isOurs(pid: number): boolean {
    const env = processEnv(pid, ['HOME', 'CLAUDE_CONFIG_DIR'] as const);
    return (
      (env.HOME !== undefined || env.CLAUDE_CONFIG_DIR !== undefined) && this.dirs().includes(claudeDir(env))
    );
  }
}

const draft = (sessionId: string, name: string, fields: object): Draft => ({
  at: Date.now(),
  source: 'sweep',
  name,
  sessionId,
  context: {},
  raw: Buffer.from(JSON.stringify({ session_id: sessionId, ...fields })),
});
