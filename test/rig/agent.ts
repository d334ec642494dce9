/** A fake agent: `openclaw` on the PATH of the world, which records each call. */
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Wake } from '../../src/contract/wake.ts';
import { until } from './within.ts';
import type { World } from './world.ts';

export interface AgentCall {
  /** Arguments; of `openclaw agent --session-id S --message M`. */
  argv: string[];
  message: string;
  /** Milliseconds since the epoch at which it was started. */
  at: number;
}

export interface FakeAgent {
  calls: () => Promise<AgentCall[]>;
  /** Awaits the call whose message fits, also one that came before. */
  woken: (fits: (message: string) => boolean, ms?: number) => Promise<AgentCall>;
}

/** Creates it. `then` is a shell command that it runs after it has recorded its call; it exits with 0 by default. */
export async function fakeAgent(world: World, then = 'exit 0'): Promise<FakeAgent> {
  const dir = join(world.root, 'openclaw');
  await mkdir(dir);
  // Only builtins, so that the time of the file is that of the start. Each argument ends with NUL, each call with a record separator.
  const script = `#!/bin/sh
: > '${dir}'/$$.began
{ printf '%s\\0' "$@"; printf '\\036'; } > '${dir}'/$$.call
${then}
`;
  await writeFile(join(world.root, 'bin', 'openclaw'), script);
  await chmod(join(world.root, 'bin', 'openclaw'), 0o755);
  const calls = async () => {
    const names = (await readdir(dir)).filter(name => name.endsWith('.call'));
    const found = await Promise.all(
      names.map(async name => {
        const text = await readFile(join(dir, name), 'utf8');
        const argv = text.split('\0').slice(0, -1);
        const { mtimeMs: at } = await stat(join(dir, name.replace('.call', '.began')));
        return text.endsWith('\x1e') ? [{ argv, message: argv.at(-1) ?? '', at }] : [];
      }),
    );
    return found.flat().sort((a, b) => a.at - b.at);
  };
  return {
    calls,
    woken: (fits, ms = 15_000) =>
      until(
        ms,
        () => 'no such wake',
        async () => (await calls()).find(({ message }) => fits(message)),
      ),
  };
}

/** What `drover wake log` prints. */
export const readWakes = async ({ drover }: World): Promise<Wake[]> =>
  (await drover('wake', 'log', '--json')).stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Wake);
