/** Makes a temporary DROVER_HOME for a unit test, removed with the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { prepareHome } from '../files/prepare-home.ts';
import { type Paths, pathsAt } from '../paths.ts';

/** Claude's folder beside a throw-away home. */
export const claudeDirOf = ({ home }: Pick<Paths, 'home'>): string => join(home, '..', 'claude');

export const tempHome = (): Paths => {
  const dir = mkdtempSync(join(tmpdir(), 'du-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  const paths = pathsAt(join(dir, 'd'));
  prepareHome(paths);
  return paths;
};
