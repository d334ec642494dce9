/**
 * Reports a full disk when nothing can be written. Two files are made beforehand: `lost`, which already has a block to count
 * in, and a reserve that the emitter removes. Removing a file needs no space.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';

/** Makes both files if they are missing; throws when there is no space for them. */
export const makeReserve = ({ lost, reserve }: Paths): void => {
  if (!statSync(lost, { throwIfNoEntry: false })) writeFileSync(lost, '\n', { mode: 0o600, flag: 'a' });
  if (statSync(reserve, { throwIfNoEntry: false })?.size === limits.spool.reserveBytes) return;
  try {
    writeFileSync(reserve, Buffer.alloc(limits.spool.reserveBytes), { mode: 0o600 });
  } catch (error) {
    rmSync(reserve, { force: true });
    throw error;
  }
};

/** Returns how many events could not be written, and when the last one was lost, ms; null for never. */
export const lostEvents = ({ lost }: Paths): { count: number; lastAt: number | null } => {
  try {
    const count = readFileSync(lost, 'latin1').replaceAll('\n', '').length;
    return { count, lastAt: count > 0 ? Math.floor(statSync(lost).mtimeMs) : null };
  } catch {
    return { count: 0, lastAt: null };
  }
};
