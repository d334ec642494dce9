/** Another Node than the one that runs the tests, fetched once into a cache that git ignores. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchPackage } from './fetch.ts';
import { run } from './run.ts';

/** The newest LTS. */
export const newestLts = '24';

/** The path of a Node of this major version; fetches it when the cache has none. */
export function nodeBinary(major: string): Promise<string> {
  const cache = process.env.DROVER_TEST_CACHE ?? fileURLToPath(new URL('../../.cache', import.meta.url));
  const name = `node-${process.platform}-${process.arch}`;
  const home = join(cache, 'node', major);
  return fetchPackage(home, `${name}@${major}`, join(name, 'bin', 'node'), async binary => {
    const { stdout } = await run(binary, ['--version'], { env: {}, cwd: cache });
    if (!stdout.startsWith(`v${major}.`))
      throw new Error(`Node ${major} was fetched but says "${stdout.trim()}".`);
  });
}
