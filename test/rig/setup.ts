/** Before all stories: both CLIs are in the cache. After all: nothing of the run is left, even of a worker that died. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noChromium } from './browser.ts';
import { claudeBinary, versions } from './cli.ts';
import { endAll } from './process.ts';

/** Vitest's globalSetup; what it returns is the teardown. */
export default async function setup(): Promise<() => Promise<void>> {
  const start = performance.now();
  process.stdout.write(`rig: Claude Code ${versions.join(' and ')} ...`);
  await Promise.all(versions.map(claudeBinary));
  process.stdout.write(` in the cache after ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  const without = noChromium();
  if (without !== undefined) process.stdout.write(`${without}\n`);

  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dv-')));
  process.env.DROVER_TEST_RUN = folder;
  return async () => {
    await endAll(folder);
    await rm(folder, { recursive: true, force: true });
  };
}
