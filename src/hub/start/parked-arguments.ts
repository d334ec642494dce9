/** How a parked session was running, for its next start. The arguments may contain secrets, so they are removed when it runs again. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parkedArgumentsFile, type Paths } from '../../paths.ts';

export const writeParkedArguments = (paths: Paths, id: string, args: string[]): void => {
  const folder = join(paths.managed, id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeParkedArguments(paths, id);
  writeFileSync(join(folder, parkedArgumentsFile), JSON.stringify(args), { mode: 0o600 });
};

export const removeParkedArguments = (paths: Paths, id: string): void =>
  rmSync(join(paths.managed, id, parkedArgumentsFile), { force: true });
