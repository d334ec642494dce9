/**
 * Shows the daemon's death in tmux at once, however it died: a shell that does nothing but hold the read end of a pipe
 * from the daemon, and marks every server it was told of when the pipe ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { tmuxEnv } from './run.ts';

export class LivenessProbe {
  private readonly told = new Set<string>();
  private child: ChildProcess | null = null;

  constructor(
    private readonly daemonPid: number,
    private readonly channel: string,
    /** Whose daemon it is, for those who look at processes. */
    private readonly home: string,
  ) {}

  /** Watches over the status line of this server too. */
  watch(socket: string): void {
    if (this.told.has(socket) || socket.includes('\n')) return;
    this.told.add(socket);
    this.child ??= this.start();
    this.child.stdin?.write(`${socket}\n`);
  }

  /** The daemon leaves in order: the same end of the same pipe. */
  close(): void {
    this.child?.stdin?.end();
    this.child = null;
  }

  private start(): ChildProcess {
    // A session of its own: Ctrl-C in the daemon's terminal must not reach it.
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
 * The next daemon may be up already, and then its mark stands. Whoever still waits for words to a dead daemon is let go.
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
