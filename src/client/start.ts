/** Starting the daemon in the background, and knowing that it is up. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Status } from '../contract/api.ts';
import { DroverError } from '../contract/error.ts';
import { programFile } from '../hook/emitter.ts';
import { limits } from '../limits.ts';
import { type Env, isDemoHome, type Paths } from '../paths.ts';
import { errorOf } from './call.ts';
import { runningDaemon } from './running.ts';

/** What of the environment a daemon gets: it outlives the terminal that started it. */
const passed =
  /^(HOME|PATH|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|TMUX_TMPDIR|XDG_.*|DISPLAY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|DROVER_HOME|DROVER_PORT|CLAUDE_CONFIG_DIR)$/;

/** Starts the daemon apart from this terminal and waits until it answers. */
export const startDaemon = async (paths: Paths, env: Env, port?: string): Promise<Status> => {
  if (isDemoHome(paths.home))
    throw new DroverError('daemon_down', 'This demo is over.', '`drover demo` starts another.');
  mkdirSync(paths.log, { recursive: true, mode: 0o700 });
  // A file of its own while it starts: two who start it at once must not read each other's words.
  const said = join(paths.log, `start.${process.pid}.log`);
  const out = openSync(said, 'w', 0o600);
  const child = spawn(
    process.execPath,
    [programFile(), 'up', '--foreground', '--json', ...(port ? ['--port', port] : [])],
    {
      cwd: '/',
      detached: true,
      stdio: ['ignore', out, out],
      env: Object.fromEntries(
        Object.entries({ ...env, DROVER_HOME: paths.home }).filter(([name]) => passed.test(name)),
      ),
    },
  );
  closeSync(out);
  let ended = false;
  child.on('exit', () => {
    ended = true;
  });
  child.unref();
  const deadline = Date.now() + limits.daemon.startTimeout;
  let complaint: unknown;
  while (Date.now() < deadline) {
    // One that is not quite there yet may say so in its own way.
    const status = await runningDaemon(paths).catch((error: unknown) => {
      complaint = error;
      return null;
    });
    if (status) {
      if (status.pid === child.pid) renameSync(said, join(paths.log, 'start.log'));
      else {
        await discard(child);
        rmSync(said, { force: true });
      }
      return status;
    }
    // Held: someone else started it at the same moment, and it is about to answer.
    if (ended && refusal(readFileSync(said, 'utf8'))?.code !== 'daemon_held') break;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  const words = readFileSync(said, 'utf8').trim();
  rmSync(said, { force: true });
  throw (
    refusal(words) ??
    complaint ??
    new DroverError(
      'failed',
      `The daemon did not start: ${words || 'it said nothing'}`,
      `Look into ${paths.logFile}.`,
    )
  );
};

/** One that came too late waits for the lock, and would take it after the next `down`. */
const discard = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

/** The daemon, started when there is none. */
export const ensureDaemon = async (paths: Paths, env: Env): Promise<Status> =>
  (await runningDaemon(paths)) ?? (await startDaemon(paths, env));

/** The error with which a daemon refused to start, as it printed it. */
const refusal = (words: string): DroverError | null => {
  const line = words.split('\n').find(text => text.startsWith('{"error":'));
  return line ? errorOf(line) : null;
};
