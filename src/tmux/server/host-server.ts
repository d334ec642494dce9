/**
 * The tmux server of the host, seen from a hub in a container: its socket is mounted, its processes are not visible. Only tmux
 * reaches its panes, and every pid that tmux names belongs to the host.
 */
import type { Context, Draft } from '../../contract/event.ts';
import { pidNamespaceTest } from '../../platform/processes.ts';
import { tmux } from './run.ts';

export class HostServer {
  /** The server that answered last, and whether it runs in another pid namespace. */
  private known: { pid: number; isForeign: boolean } | null = null;

  /** `socket`: the configured one; null when none is configured, and then no server counts as the host's. */
  constructor(private readonly socket: string | null) {}

  /** Ask the server on a socket whether it runs in another pid namespace than this process. */
  async isForeign(socket: string): Promise<boolean> {
    if (this.socket === null || socket !== this.socket) return false;
    const isSame = pidNamespaceTest();
    if (isSame === null) return false;
    const say = (word: string) => `display-message -p "#{pid} ${word}"`;
    const { ok, stdout } = await tmux(socket, ['if-shell', isSame, say('same'), say('foreign')]);
    const [pid, word] = stdout.trim().split(' ');
    this.known = ok && word ? { pid: Number(pid), isForeign: word === 'foreign' } : null;
    return this.known?.isForeign ?? false;
  }

  /** Check what is known of a server, without asking it. */
  isKnownForeign(socket: string, serverPid: number): boolean {
    return socket === this.socket && this.known?.pid === serverPid && this.known.isForeign;
  }

  /** Ask again when another server answers on the socket. */
  onSeen(socket: string, serverPid: number): void {
    if (socket === this.socket && serverPid !== this.known?.pid) void this.isForeign(socket);
  }

  /**
   * Make an event from the host one of this machine's: its pane can be reached, its process cannot. The server must be the one
   * that answers on the configured socket; a pane of the same name on another server stays elsewhere.
   */
  adopt(draft: Draft): Draft {
    const { host, socket, serverPid, pane } = draft.context;
    if (!host || !socket || serverPid === undefined || !pane || !this.isKnownForeign(socket, serverPid))
      return draft;
    const context: Context = { ...draft.context, foreignPids: true };
    for (const name of ['host', 'ns', 'pid', 'configDir'] as const) delete context[name];
    return { ...draft, context };
  }
}
