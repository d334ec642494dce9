/**
 * The environment of a demo: one temporary folder with its own HOME, DROVER_HOME and tmux server. It is separate from the
 * user's own, and is removed however the demo's process ends.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { limits } from '../limits.ts';
import { demoName, type Env, type Paths, pathsAt } from '../paths.ts';
import { abandonedRuns } from '../print/cli/abandoned-runs.ts';
import { processFile, processText, tempFolder } from '../print/cli/run-dir.ts';
import { createPrivate } from '../files/private-file.ts';
import { endServer } from '../tmux/server/private-server.ts';
import cleanup from './cleanup.sh';

export interface DemoEnvironment {
  path: string;
  paths: Paths;
  socket: string;
  env: Env;
  /** Returns a project's folder. */
  dir: (project: string) => string;
  /** Ends the tmux server and removes the folder. */
  close: () => Promise<void>;
}

export const createEnvironment = (env: Env, projects: string[]): DemoEnvironment => {
  const path = makeFolder(env);
  createPrivate(join(path, processFile), processText(process.pid), 0o600);
  const socket = socketIn(path);
  const dir = (project: string) => join(path, 'home', project);
  const folders = ['drover', 'tmp', join('t', tmuxFolder), ...projects.map(project => join('home', project))];
  for (const folder of folders) mkdirSync(join(path, folder), { recursive: true, mode: 0o700 });
  return {
    path,
    paths: pathsAt(join(path, 'drover')),
    socket,
    env: environment(env, path),
    dir,
    close: startCleanup(env, socket, path),
  };
};

/** Remove demos that were killed together with their cleanup process. */
export const removeAbandonedDemos = async (env: Env): Promise<string[]> => {
  const found = abandonedRuns(env, 0, demoName);
  await Promise.all(found.map(path => startCleanup(env, socketIn(path), path)()));
  return found;
};

const tmuxFolder = `tmux-${userInfo().uid}`;

const socketIn = (path: string): string => join(path, 't', tmuxFolder, 'default');

/** Create the folder. The path of a socket must be short, so with a long TMPDIR it goes to /tmp. */
const makeFolder = (env: Env): string => {
  const name = `drover-demo-${process.pid}-${randomBytes(6).toString('hex')}`;
  const preferred = join(realpathSync(tempFolder(env)), name);
  const path =
    Buffer.byteLength(socketIn(preferred)) > limits.http.socketPath ? join('/tmp', name) : preferred;
  mkdirSync(path, { mode: 0o700 });
  return path;
};

/** Keep only PATH, language, time zone and colours of the user's environment. */
const environment = (env: Env, path: string): Env => ({
  ...Object.fromEntries(
    Object.entries(env).filter(([name]) => /^(?:PATH|LANG|LC_.*|TZ|COLORTERM)$/.test(name)),
  ),
  HOME: join(path, 'home'),
  SHELL: '/bin/sh',
  TMPDIR: join(path, 'tmp'),
  TMUX_TMPDIR: join(path, 't'),
  DROVER_HOME: join(path, 'drover'),
  DROVER_PORT: '0',
});

/** Start the cleanup process, detached from this terminal; returns a function that lets it clean up. */
const startCleanup = (env: Env, socket: string, path: string): (() => Promise<void>) => {
  const child = spawn('sh', ['-c', cleanup, 'drover-demo-cleanup', socket, path], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: env.PATH },
  });
  const exited = once(child, 'exit').catch(() => {});
  return async () => {
    child.stdin.on('error', () => {}).end();
    await exited;
    // The cleanup process may have been killed.
    if (!existsSync(path)) return;
    await endServer(socket);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  };
};
