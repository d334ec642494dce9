import { readFileSync } from 'node:fs';

/** The version of this package; the build puts it in, the sources read it from package.json. */
declare const DROVER_VERSION: string | undefined;

export const version: string =
  typeof DROVER_VERSION === 'string'
    ? DROVER_VERSION
    : (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
        .version;
