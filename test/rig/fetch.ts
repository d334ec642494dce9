/** Programs that npm has, fetched once into a cache that git ignores. */
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { run } from './run.ts';

const INSTALL_MS = 110_000;

/** The path of a file in a package, kept in the folder `home`; `check` looks at a fresh one before others see it. */
export async function fetchPackage(
  home: string,
  wanted: string,
  file: string,
  check: (path: string) => Promise<void>,
): Promise<string> {
  const found = join(home, 'node_modules', file);
  if (await exists(found)) return found;
  await mkdir(dirname(home), { recursive: true });
  const fresh = await mkdtemp(join(dirname(home), `.${basename(home)}-`));
  try {
    await npmInstall(fresh, wanted);
    await check(join(fresh, 'node_modules', file));
    await rename(fresh, home).catch(lostTheRace);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return found;
}

/** Installs a package into a folder, as npm does with install scripts off. `isGlobal`: the folder is a prefix, with bin and share/man. */
export async function npmInstall(into: string, wanted: string, isGlobal = false): Promise<void> {
  const flags = [
    '--ignore-scripts',
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    ...(isGlobal ? ['--global'] : []),
  ];
  const args = ['install', ...flags, '--prefer-offline', '--loglevel=error', '--prefix', into, wanted];
  // npm alone may inherit the environment: it needs the user's certificates and registry.
  const { code, stderr } = await run('npm', args, { env: process.env, cwd: into, ms: INSTALL_MS });
  if (code === 0) return;
  const why = stderr.split('\n').find(line => line.includes('npm error')) ?? `npm ended with ${code}`;
  throw new Error(`${wanted} could not be fetched: ${why.trim()}`);
}

function lostTheRace(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
