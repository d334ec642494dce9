/** Regular maintenance: keeps small files of DROVER_HOME from growing, and notices when the home was replaced. */
import { readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeReserve } from '../../hook/disk-reserve.ts';
import { limits } from '../../limits.ts';
import type { Core } from '../core.ts';
import type { Ingest } from './ingest.ts';

export interface MaintenanceDeps {
  ingest: Pick<Ingest, 'aside'>;
  /** Called when this is no longer the home that the daemon locked. */
  onHomeReplaced: () => void;
}

export const openMaintenance = (core: Core, { ingest, onHomeReplaced }: MaintenanceDeps) => {
  const { paths, log } = core;
  const lockInode = inodeOf(paths.lock);
  let timer: NodeJS.Timeout | null = null;
  const run = () => {
    try {
      if (inodeOf(paths.lock) === lockInode) pruneFiles(core, ingest.aside);
      else onHomeReplaced();
    } catch (error) {
      log.error('maintenance of DROVER_HOME failed', error);
    }
  };
  return {
    name: 'maintenance',
    start: () => {
      timer = setInterval(run, limits.daemon.maintenance);
    },
    close: () => {
      if (timer) clearInterval(timer);
    },
  };
};

const inodeOf = (file: string): number | null => statSync(file, { throwIfNoEntry: false })?.ino ?? null;

const pruneFiles = ({ paths, clock }: Core, aside: Ingest['aside']): void => {
  makeReserve(paths);
  const emitLog = statSync(paths.emitLog, { throwIfNoEntry: false });
  if (emitLog && emitLog.size > limits.daemon.logBytes) renameSync(paths.emitLog, `${paths.emitLog}.1`);
  for (const file of outgoing(paths.outgoing)) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats && clock.now() - stats.mtimeMs > limits.spool.outgoingAge)
      aside.move(file, 'its hook was killed while it posted the event to a remote hub');
  }
};

const outgoing = (dir: string): string[] => {
  try {
    return readdirSync(dir).map(name => join(dir, name));
  } catch {
    return [];
  }
};
