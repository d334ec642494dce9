/** Writes emit.sh into DROVER_HOME, with the paths of node and of the program that it may start. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { limits } from '../limits.ts';
import { passedPatterns, readPassedNames } from '../config/passed-variables.ts';
import type { Paths } from '../paths.ts';
import { nodePath } from '../platform/node-path.ts';
import { programFile } from '../program-file.ts';
import { quote } from '../quote.ts';
import { makeReserve } from './disk-reserve.ts';
import template from './emit.sh';

/** Installs or updates the emitter atomically: running hooks see the old file or the new one. */
export const installEmitter = (paths: Paths, node = nodePath(), main = programFile()): void => {
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  mkdirSync(paths.spool, { recursive: true, mode: 0o700 });
  tryReserve(paths);
  const script = emitterScript(node, main, readPassedNames(paths.config));
  if (current(paths.emit) === script) return;
  const temp = `${paths.emit}.${process.pid}`;
  writeFileSync(temp, script, { mode: 0o700 });
  renameSync(temp, paths.emit);
};

export const emitterScript = (node: string, main: string, passed: string[]): string =>
  template
    .replace('@NODE@', () => quote(node))
    .replace('@MAIN@', () => quote(main))
    .replace('@PASSED@', passedPatterns(passed).join(' | '))
    .replace('@SPOOL_FILES@', String(limits.spool.maxFiles))
    .replace('@SPOOL_KB@', String(limits.spool.maxBytes / 1024));

/** Makes the reserve if there is space; otherwise the daemon makes it later. */
const tryReserve = (paths: Paths): void => {
  try {
    makeReserve(paths);
  } catch {
    /* the disk is full now */
  }
};

const current = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
