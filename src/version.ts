import { readFileSync } from 'node:fs';

/** The version of this package: set by the build, else read from package.json. */
declare const DROVER_VERSION: string | undefined;
/** A hash of the sources, set by the build: the same for the same sources. */
declare const DROVER_BUILD: string | undefined;

export const version: string =
  typeof DROVER_VERSION === 'string'
    ? DROVER_VERSION
    : (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
        .version;

/** The version with its build, such as `0.1.0+3f2a91c04d`. A command and a daemon of one build have the same. */
export const build: string = `${version}+${typeof DROVER_BUILD === 'string' ? DROVER_BUILD : 'source'}`;

/** The build of the daemon, where that is another one. Kept in the process, because each bundle has its own copy of this file. */
export const daemonBuild = {
  get other(): string | null {
    return (globalThis as Noted)[noted] ?? null;
  },
  set other(build: string | null) {
    (globalThis as Noted)[noted] = build;
  },
};

const noted = Symbol.for('drover.otherBuild');

type Noted = { [noted]?: string | null };
