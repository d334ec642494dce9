/**
 * Show in tmux that the daemon has died, even after SIGKILL. A shell holds the read end of a pipe from the daemon. When the pipe
 * closes, the shell marks every server that it knows.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { tmuxEnv } from './run.ts';

export class LivenessProbe {
  private readonly watched = new Set<string>();
  private child: ChildProcess | null = null;

  constructor(
    private readonly daemonPid: number,
    private readonly channel: string,
    /** Set in the shell's environment, so that a process listing shows which daemon it belongs to. */
    private readonly home: string,
  ) {}

  /** Mark this server too when the daemon dies. */
  watch(socket: string): void {
    if (this.watched.has(socket) || socket.includes('\n')) return;
    this.watched.add(socket);
    this.child ??= this.start();
    this.child.stdin?.write(`${socket}\n`);
  }

  /** The daemon stops: closing the pipe marks the servers, as its death would. */
  close(): void {
    this.child?.stdin?.end();
    this.child = null;
  }

  private start(): ChildProcess {
    // Detached, so that Ctrl-C in the daemon's terminal does not reach it.
    const child = spawn('/bin/sh', ['-c', script, 'drover', String(this.daemonPid), this.channel], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...tmuxEnv(), DROVER_HOME: this.home },
    });
    child.on('error', () => {});
    child.stdin.on('error', () => {});
    child.unref();
    return child;
  }
}

/**
 * Only this daemon's own mark is replaced: the next daemon may already be running. The signal releases tmux processes that
 * still wait on the channel of the dead daemon.
 */
const script = `
sockets=
while IFS= read -r socket; do
  sockets="$sockets$socket
"
done
printf %s "$sockets" | while IFS= read -r socket; do
  tmux -S "$socket" if-shell -F "#{==:#{@drover_daemon},$1}" 'set-option -s @drover_daemon down' \\; wait-for -S "$2" </dev/null
done
`;
