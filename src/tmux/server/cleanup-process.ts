/**
 * A shell that cleans up when the process that started it is killed. It reads from a pipe of that process; when the pipe closes, it kills the
 * private server and the program in it, and removes their folders.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Env } from '../../paths.ts';

export interface CleanupWork {
  socket: string;
  /** A file that gets the pid of the pane's process. */
  pidFile: string;
  /** Removed last. */
  folders: string[];
}

const script = `
trap '' HUP INT QUIT TERM
read -r command
# Released on purpose: the answer is complete, but the CLI is still saving it.
[ "$command" = later ] && sleep 1
socket=$1 pid_file=$2
shift 2
pid=
# The process that started this one may have died during the start: on a busy machine the server can take long to appear.
for pause in 0 0.3 0.5 1; do
  sleep $pause
  tmux -S "$socket" kill-server
  read -r pid <"$pid_file" && break
done
for pause in 0.05 0.1 0.2 0.4 0.4 0.4 0.4; do
  kill -0 "$pid" || break
  sleep $pause
done
kill -KILL "$pid"
# A process that still writes there can make the removal fail.
for pause in 0.1 0.3 1 0; do
  rm -rf "$@"
  [ -e "$1" ] || break
  sleep $pause
done
`;

/** Start the cleanup process. Call `dismiss` once everything is cleaned up. */
export const startCleanupProcess = ({ socket, pidFile, folders }: CleanupWork, env: Env): CleanupProcess => {
  const child = spawn('sh', ['-c', script, 'drover-cleanup', socket, pidFile, ...folders], {
    // Its own process group: a Ctrl-C in the terminal must not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: env.PATH },
    cwd: '/',
  });
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  return new CleanupProcess(child);
};

export class CleanupProcess {
  constructor(private readonly child: ChildProcess) {}

  /** Let the process clean up one second from now, even if this one exits before. */
  release(): void {
    this.child.stdin?.end('later\n');
    this.child.unref();
  }

  /** Stop the process without cleaning up. Resolves when it has exited. */
  dismiss(): Promise<void> {
    const { child } = this;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
      return Promise.resolve();
    return new Promise(done => {
      child.once('exit', () => done());
      child.kill('SIGKILL');
    });
  }
}
