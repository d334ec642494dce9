/** The folder of one run: settings with the relay hooks, their script, the FIFO. Only the user can read it. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '../../limits.ts';
import { addHooks, type Settings } from '../../driver/launch/settings.ts';
import type { Env } from '../../paths.ts';
import { createPrivate } from '../../files/private-file.ts';
import { pidNamespace, processStart } from '../../platform/processes.ts';
import { quote } from '../../quote.ts';

export interface RunDir {
  path: string;
  settings: string;
  hook: string;
  fifo: string;
  /** Its modification time is when the last Stop fired. On a busy machine the payload arrives much later. */
  stopped: string;
  /** The payload of UserPromptSubmit, which names the session. */
  identity: string;
  /** With `--on-permission hold`: exists when requests are held. The prompt hook waits for it. */
  held: string;
  /** The script that the terminal runs. */
  start: string;
  /** The CLI's pid, for the cleanup process and later runs. */
  pid: string;
  /** Its exit code, once it has ended. */
  ended: string;
  socket: string;
  /** Every folder of this run. */
  folders: string[];
}

export const tempFolder = (env: Env): string => env.TMPDIR || tmpdir();

/** Chooses a new name. Creates nothing. */
export const nameRunDir = (env: Env): RunDir => {
  const random = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
  const name = `claude-print-${process.pid}-${random}`;
  const path = join(tempFolder(env), name);
  // Paths of sockets are limited; with a long TMPDIR the socket goes elsewhere under the same name.
  const isTooLong = Buffer.byteLength(join(path, 'tmux')) > limits.http.socketPath;
  return runDirOf(isTooLong ? [path, join('/tmp', name)] : [path]);
};

/** Creates all of them or none; fails when one exists. */
export const makeFolders = ({ folders }: RunDir): void => {
  for (const [at, folder] of folders.entries()) {
    try {
      makeFolder(folder);
    } catch (error) {
      for (const made of folders.slice(0, at)) rmSync(made, { recursive: true, force: true });
      throw error;
    }
  }
};

export const makeRunDir = (env: Env): RunDir => {
  const dir = nameRunDir(env);
  makeFolders(dir);
  return dir;
};

/** The paths in the folders of a run: the first has everything, the last the socket. */
export const runDirOf = (folders: string[]): RunDir => {
  const [path = '', home = path] = folders;
  return {
    path,
    settings: join(path, 'settings.json'),
    hook: join(path, 'hook.sh'),
    fifo: join(path, 'stop.fifo'),
    stopped: join(path, 'stopped'),
    identity: join(path, 'identity.json'),
    held: join(path, 'held'),
    start: join(path, 'start.sh'),
    pid: join(path, 'pid'),
    ended: join(path, 'ended'),
    socket: join(home, 'tmux'),
    folders,
  };
};

/** Names the process of a run. The file keeps its first name, because runs of earlier versions have it. */
export const processFile = 'owner';

/** Records which process a run belongs to, across containers. A later call replaces it. */
export const writeProcess = ({ folders }: RunDir): void => {
  for (const folder of folders) {
    const file = join(folder, processFile);
    const fresh = `${file}.${process.pid}`;
    createPrivate(fresh, processText(process.pid), 0o600);
    renameSync(fresh, file);
  }
};

/** Identifies a process across hosts, containers and reuse of its pid. */
export const processText = (pid: number): string =>
  `${hostname()} ${pidNamespace()} ${processStart(pid) ?? ''} ${pid}`;

/**
 * Writes the relay hook: Stop goes to the FIFO, UserPromptSubmit to the identity file. It prints nothing and never fails. With
 * `hold` the prompt waits until the session is held, so that even its first request is.
 */
export const writeRelay = (dir: RunDir, settings: Settings, hold = false): void => {
  const held = `i=0; until [ -e ${quote(dir.held)} ] || [ $i = 80 ]; do sleep 0.05; i=$((i + 1)); done`;
  createPrivate(
    dir.hook,
    `#!/bin/sh
case $1 in
stop) echo >${quote(dir.stopped)}; [ -p ${quote(dir.fifo)} ] && cat >${quote(dir.fifo)} ;;
prompt) cat >${quote(dir.identity)}; ${hold ? held : ':'} ;;
esac 2>/dev/null
exit 0
`,
    0o700,
  );
  createPrivate(dir.settings, JSON.stringify(withRelay(settings, dir.hook)), 0o600);
};

export const makeFifo = (dir: RunDir, env: Env): Promise<void> =>
  new Promise((done, fail) => {
    execFile('mkfifo', ['-m', '600', dir.fifo], { env: { PATH: env.PATH } }, error => {
      if (error) fail(new Error(`mkfifo: ${error.message}`));
      else done();
    });
  });

/** Removes the folders, the FIFO first. May be called twice. */
export const removeRunDir = ({ fifo, folders }: RunDir): void => {
  rmSync(fifo, { force: true });
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
};

const makeFolder = (path: string): void => {
  mkdirSync(path, { mode: 0o700 });
  chmodSync(path, 0o700);
};

const withRelay = (settings: Settings, hook: string): Settings => {
  const relay = (word: string) => ({
    hooks: [{ type: 'command', command: `${quote(hook)} ${word} 2>/dev/null || true`, timeout: 10 }],
  });
  return addHooks(settings, { Stop: [relay('stop')], UserPromptSubmit: [relay('prompt')] });
};
