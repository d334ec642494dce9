/** The real Claude Code CLI, any published version, fetched once into a cache that git ignores. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchPackage } from './fetch.ts';
import { run } from './run.ts';

/** The versions that Drover supports, oldest first. */
export const supported = ['2.1.197', '2.1.325', '2.1.328'] as const;

export type Version = (typeof supported)[number];

/** DROVER_TEST_CLI plays everything on this one version, whatever is supported: for a release that nobody has tested yet. */
const only = process.env.DROVER_TEST_CLI as Version | undefined;

export const oldest = supported[0];
export const newest: Version = only ?? supported[supported.length - 1] ?? oldest;

/** Whether every supported version plays, as in CI. Without it a run takes the newest only. */
export const playsAll = only === undefined && (process.env.CI ?? '') !== '';

/** The versions on which a story about what the CLI shows or reports must pass. */
export const versions: readonly Version[] = playsAll ? supported : [newest];

/** For a story that depends on the CLI less: the oldest and the newest. */
export const edges: readonly Version[] = playsAll ? [oldest, newest] : [newest];

/** Those that start in auto mode, as all do since 2.1.283. */
export const autoVersions: readonly Version[] = versions.filter(version => version !== oldest);

/** What a measurement of every version takes. */
export const measured: readonly Version[] = only ? [only] : supported;

const platform = `claude-code-${process.platform}-${process.arch}`;

/** The path of the CLI of one version; fetches it when the cache has none. */
export function claudeBinary(version: string): Promise<string> {
  const cache =
    process.env.DROVER_TEST_CACHE ?? fileURLToPath(new URL('../../.cache/claude', import.meta.url));
  const name = `@anthropic-ai/${platform}`;
  return fetchPackage(join(cache, version), `${name}@${version}`, join(name, 'claude'), binary =>
    check(version, binary),
  );
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
