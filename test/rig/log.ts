/** The event log as a program reads it: `drover events --json`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './within.ts';
import type { World } from './world.ts';

export interface Line {
  seq: number;
  source: string;
  name: string;
  sessionId: string;
  context: Record<string, unknown>;
  payload: Record<string, unknown>;
}

/** What `drover events --json` printed, one event a line. */
export const lines = (stdout: string): Line[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Line);

/** Every hook event that the daemon of a world keeps. */
export async function readHookEvents(world: World): Promise<Line[]> {
  const { stdout } = await world.drover('events', '--after', '0', '--json');
  return lines(stdout).filter(({ source }) => source === 'hook');
}

/** Waits until the log has this many hook events. */
export function awaitEvents(world: World, count: number): Promise<Line[]> {
  let last = 0;
  const missing = () => `${last} events are kept, not ${count}`;
  return until(20_000, missing, async () => {
    const found = await readHookEvents(world);
    last = found.length;
    return last >= count ? found : undefined;
  });
}

/** Waits until the daemon has read everything from the spool. */
export async function awaitEmptySpool({ droverHome }: World): Promise<void> {
  let left = 0;
  await until(
    20_000,
    () => `${left} files are left in the spool`,
    async () => {
      left = (await readdir(join(droverHome, 'spool'))).length;
      return left === 0 || undefined;
    },
  );
}
