/** The real Claude Code CLI, any published version, fetched once into a cache that git ignores. */
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

/** The versions that every story about the CLI must hold on. */
export const versions = ['2.1.197', '2.1.325'] as const;

export type Version = (typeof versions)[number];

const platform = `claude-code-${process.platform}-${process.arch}`;
const INSTALL_MS = 110_000;

/** The path of the CLI of one version; fetches it when the cache has none. */
export async function claudeBinary(version: string): Promise<string> {
  const cache =
    process.env.DROVER_TEST_CACHE ?? fileURLToPath(new URL('../../.cache/claude', import.meta.url));
  const home = join(cache, version);
  const binary = join(home, 'node_modules', '@anthropic-ai', platform, 'claude');
  if (await exists(binary)) return binary;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, `.${version}-`));
  try {
    await install(version, fresh);
    await check(version, join(fresh, 'node_modules', '@anthropic-ai', platform, 'claude'));
    await rename(fresh, home).catch(lostTheRace);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return binary;
}

async function install(version: string, into: string): Promise<void> {
  const flags = ['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  const wanted = `@anthropic-ai/${platform}@${version}`;
  const args = ['install', ...flags, '--loglevel=error', '--prefix', into, wanted];
  // npm alone may inherit the environment: it needs the user's certificates and registry.
  const { code, stderr } = await run('npm', args, { env: process.env, cwd: into, ms: INSTALL_MS });
  if (code === 0) return;
  const why = stderr.split('\n').find(line => line.includes('npm error')) ?? `npm ended with ${code}`;
  throw new Error(`Claude Code ${version} could not be fetched for ${platform}: ${why.trim()}`);
}

async function check(version: string, binary: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'dv-'));
  try {
    const env = {
      HOME: home,
      PATH: process.env.PATH ?? '',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
    };
    const { stdout } = await run(binary, ['--version'], { env, cwd: home, ms: 30_000 });
    if (stdout.startsWith(version)) return;
    throw new Error(`Claude Code ${version} was fetched but says "${stdout.trim()}" to --version.`);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function lostTheRace(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
