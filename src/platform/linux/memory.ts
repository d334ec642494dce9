/** Read the resident memory of every process. Pauses after each hundred, so that a crowded machine delays nobody. */
import { readdirSync } from 'node:fs';
import type { ProcessMemory } from '../platform.ts';
import { orNull, statFields } from './proc.ts';

export const processMemory = async (): Promise<ProcessMemory[]> => {
  const found: ProcessMemory[] = [];
  let count = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d/.test(name)) continue;
    if (++count % 100 === 0) await new Promise(setImmediate);
    const pid = Number(name);
    const fields = orNull(() => statFields(pid));
    // Null: it has exited since.
    if (fields) found.push({ pid, parent: Number(fields[1]), bytes: Number(fields[21]) * pageBytes() });
  }
  return found;
};

let pageSize = 0;

/** The size of a memory page, which Node does not report: computed from our own process, whose two figures are known. */
const pageBytes = (): number => {
  if (pageSize > 0) return pageSize;
  const pages = Number(statFields(process.pid)[21]);
  pageSize = 2 ** Math.round(Math.log2(process.memoryUsage.rss() / pages));
  return pageSize;
};
