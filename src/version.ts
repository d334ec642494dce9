import { readFileSync } from 'node:fs';

/** The version of this package: set by the build, else read from package.json. */
declare const DROVER_VERSION: string | undefined;

export const version: string =
  typeof DROVER_VERSION === 'string'
    ? DROVER_VERSION
    : (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
        .version;
