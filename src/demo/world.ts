/**
 * The world of a demo: one temporary folder with its own HOME, its own DROVER_HOME and its own tmux server. Nothing in it
 * leads to the user's own, and it goes with the process that made it, whatever ends that process.
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
import { ownerFile, ownerWords, tempFolder } from '../print/cli/run-dir.ts';
import { createPrivate } from '../private-file.ts';
import { endServer } from '../tmux/server/private-server.ts';
import keeper from './keeper.sh';

export interface DemoWorld {
  path: string;
  paths: Paths;
  socket: string;
  env: Env;
  /** A project's folder. */
  dir: (project: string) => string;
  /** Ends the tmux server and removes the folder. */
  close: () => Promise<void>;
}

export const makeDemoWorld = (env: Env, projects: string[]): DemoWorld => {
  const path = makeFolder(env);
  createPrivate(join(path, ownerFile), ownerWords(process.pid), 0o600);
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
    close: keep(env, socket, path),
  };
};

/** Removes what demos left behind that were killed together with their keeper. */
export const sweepDemos = async (env: Env): Promise<string[]> => {
  const found = abandonedRuns(env, 0, demoName);
  await Promise.all(found.map(path => keep(env, socketIn(path), path)()));
  return found;
};

const tmuxFolder = `tmux-${userInfo().uid}`;

const socketIn = (path: string): string => join(path, 't', tmuxFolder, 'default');

/** A socket's path is short; where TMPDIR is not, the folder goes elsewhere. */
const makeFolder = (env: Env): string => {
  const name = `drover-demo-${process.pid}-${randomBytes(6).toString('hex')}`;
  const near = join(realpathSync(tempFolder(env)), name);
  const path = Buffer.byteLength(socketIn(near)) > limits.http.socketPath ? join('/tmp', name) : near;
  mkdirSync(path, { mode: 0o700 });
  return path;
};

/** Of the user's environment only what says where programs are, which language and which colours. */
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

/** Starts the keeper, apart from this terminal, and gives how to send it to work. */
const keep = (env: Env, socket: string, path: string): (() => Promise<void>) => {
  const child = spawn('sh', ['-c', keeper, 'drover-demo-keeper', socket, path], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: env.PATH },
  });
  const gone = once(child, 'exit').catch(() => {});
  return async () => {
    child.stdin.on('error', () => {}).end();
    await gone;
    // It was killed itself.
    if (!existsSync(path)) return;
    await endServer(socket);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  };
};
