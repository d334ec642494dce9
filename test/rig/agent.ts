/** A fake agent: `openclaw` on the PATH of the world, which records each call as a line of JSON. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Puts it there. `then` is what it does after it has recorded its call, in sh; it ends with 0 unless told. */
export async function fakeAgent(world: World, then = 'exit 0'): Promise<FakeAgent> {
  const file = join(world.root, 'openclaw.calls');
  // One write each, so that calls side by side do not mix; NUL between words, a record separator behind the call.
  const script = `#!/bin/sh
at=$(date +%s%N)
{ printf '%s\\0' "$at" "$@"; printf '\\036'; } > '${file}'.$$ && cat '${file}'.$$ >> '${file}' && rm '${file}'.$$
${then}
`;
  await writeFile(join(world.root, 'bin', 'openclaw'), script);
  await chmod(join(world.root, 'bin', 'openclaw'), 0o755);
  const calls = async () => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return text
      .split('\x1e')
      .filter(Boolean)
      .map(record => {
        const [at, ...argv] = record.split('\0').slice(0, -1);
        return { argv, message: argv.at(-1) ?? '', at: Number(at) / 1e6 };
      });
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
