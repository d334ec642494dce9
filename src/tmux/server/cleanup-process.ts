/**
 * A shell that outlives its owner by a moment. It holds a pipe from the owner and waits; when the pipe closes the owner was
 * killed, and the shell ends the private server, what ran in it, and the folders of both.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Env } from '../../paths.ts';

export interface CleanupWork {
  socket: string;
  /** A file with the pid of the pane's process, once there is one. */
  pidFile: string;
  /** Removed at the end. */
  folders: string[];
}

const script = `
trap '' HUP INT QUIT TERM
read -r word
# Let go on purpose: the answer is out, and the CLI still writes it down.
[ "$word" = later ] && sleep 1
socket=$1 pid_file=$2
shift 2
pid=
# Killed in the moment of the start: on a busy machine the server may be on its way for long.
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
# What still writes there may get in the way.
for pause in 0.1 0.3 1 0; do
  rm -rf "$@"
  [ -e "$1" ] || break
  sleep $pause
done
`;

/** Starts the guard; `dismiss` it when everything is tidied up by other hands. */
export const startCleanupProcess = ({ socket, pidFile, folders }: CleanupWork, env: Env): CleanupProcess => {
  const child = spawn('sh', ['-c', script, 'drover-guard', socket, pidFile, ...folders], {
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

  /** Leaves everything to the guard: it clears up a second later, whatever becomes of this process. */
  release(): void {
    this.child.stdin?.end('later\n');
    this.child.unref();
  }

  /** Resolves when the guard is gone. */
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
