/**
 * Tell whether a process runs with one system call. The open file belongs to this process and not to its pid, so a reused pid
 * does not count. A zombie runs no program and has no memory.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Liveness } from '../platform.ts';
import { orNull } from './proc.ts';

export const openLiveness = (pid: number): Liveness | null => {
  const fd = orNull(() => openSync(`/proc/${pid}/statm`, 'r'));
  return fd === null ? null : { isRunning: () => hasMemory(fd), close: () => closeSync(fd) };
};

/** The first number in `statm` is the size of the process; reading the file of a process that is gone fails. */
const hasMemory = (fd: number): boolean =>
  orNull(() => readSync(fd, firstByte, 0, 1, 0) > 0 && firstByte[0] !== zero) ?? false;

const firstByte = Buffer.alloc(1);
const zero = '0'.charCodeAt(0);
