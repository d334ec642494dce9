/** Removes the folders of runs that were killed together with their cleanup process. */
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { isSameProcess, processArgs } from '../../platform/processes.ts';
import { isPrintRun, runDirName } from '../../print-run.ts';
import { endServer } from '../../tmux/server/private-server.ts';
import { processFile, processText, tempFolder } from './run-dir.ts';

/** The folders of this user that are older than `age` and whose process is dead. `named` matches their name, with the pid of that process. */
export const abandonedRuns = (env: Env, age: number, named = runDirName): string[] =>
  [...new Set([tempFolder(env), '/tmp'])].flatMap(folder =>
    names(folder)
      .filter(name => named.test(name))
      .map(name => join(folder, name))
      .filter(path => isOurs(path, age) && isDead(path, named)),
  );

/** Ends what still runs in them and removes them. */
export const removeAbandonedRuns = async (env: Env, age = limits.print.leftoverAge): Promise<string[]> => {
  const found = abandonedRuns(env, age);
  for (const path of found) {
    const socket = join(path, 'tmux');
    if (existsSync(socket)) await endServer(socket);
    killCli(path);
    rmSync(path, { recursive: true, force: true });
  }
  return found;
};

/** Kills a CLI that outlived its terminal. Its arguments prove that the pid was not reused. */
const killCli = (path: string): void => {
  try {
    const pid = Number(readFileSync(join(path, 'pid'), 'utf8'));
    if (isPrintRun(processArgs(pid), path)) process.kill(pid, 'SIGKILL');
  } catch {
    // It never had a pid, or it is gone.
  }
};

const isOurs = (path: string, age: number): boolean => {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (!facts?.isDirectory() || facts.uid !== process.getuid?.()) return false;
  return Date.now() - facts.mtimeMs > age;
};

/** Whether the process of a run, if it is of this host and pid namespace, no longer runs. A folder that names none proves nothing. */
const isDead = (path: string, named: RegExp): boolean => {
  // A warm run was created by another process than the one it belongs to now.
  const [host, space, start, pid = named.exec(basename(path))?.[1]] = read(join(path, processFile)).split(
    ' ',
  );
  const [ourHost, ourSpace] = processText(Number(pid)).split(' ');
  const isHere = host === ourHost && space === ourSpace;
  return isHere && Boolean(start) && !isSameProcess(Number(pid), start ?? null);
};

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

const names = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
