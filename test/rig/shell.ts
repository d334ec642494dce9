/** A terminal: a shell in a pane of the world's tmux server, in which a person types commands. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN } from './drover.ts';
import { until } from './within.ts';
import type { World } from './world.ts';

export interface Terminal {
  pane: string;
  /** Types a command line and Enter. */
  types: (line: string) => Promise<void>;
  /** Presses keys by their tmux names. */
  press: (...keys: string[]) => Promise<void>;
  screen: () => Promise<string>;
  /** Awaits text on the screen and returns the screen. */
  sees: (pattern: string | RegExp, ms?: number) => Promise<string>;
  /** Awaits the shell's prompt after a program has ended; keys that come before it are lost. */
  back: () => Promise<void>;
  /** Runs a command to its end and returns its exit code and what the screen shows. */
  runs: (line: string) => Promise<{ code: number; screen: string }>;
}

let count = 0;

/** Opens a terminal in its own tmux session. `drover` and `cld` are on its PATH. */
export async function terminal(world: World, dir = world.dir(), name = `term-${++count}`): Promise<Terminal> {
  for (const program of ['drover', 'cld'])
    try {
      symlinkSync(MAIN, join(world.root, 'bin', program));
    } catch {
      // Made for an earlier terminal.
    }
  const size = ['-x', '200', '-y', '50'];
  const wanted = ['-P', '-F', '#{pane_id}', '-s', name, '-c', dir, ...size];
  const pane = (await world.tmux(['new-session', '-d', ...wanted, 'env', 'PS1=$ ', 'sh'])).trim();
  const screen = () => world.tmux(['capture-pane', '-p', '-J', '-t', pane]);
  const self: Terminal = {
    pane,
    screen,
    async press(...keys) {
      for (const key of keys) await world.tmux(['send-keys', '-t', pane, key]);
    },
    async types(line) {
      await world.tmux(['send-keys', '-t', pane, '-l', line]);
      await self.press('Enter');
    },
    sees(pattern, ms = 15_000) {
      let last = '';
      return until(
        ms,
        () => `"${pattern}" was not seen in ${ms} ms; the screen:\n${last.trimEnd()}`,
        async () => {
          last = await screen();
          const there = typeof pattern === 'string' ? last.includes(pattern) : pattern.test(last);
          return there ? last : undefined;
        },
      );
    },
    async back() {
      await self.sees(/\$ *\n*$(?![\s\S])/);
      // The line contains what tmux answered to a program that had already exited.
      await self.press('C-u');
    },
    async runs(line) {
      const mark = `ended-${++count}`;
      await self.types(`clear; ${line}; echo ${mark}-$?.`);
      const shown = await self.sees(new RegExp(`^${mark}-\\d+\\.`, 'm'));
      return { code: Number(new RegExp(`^${mark}-(\\d+)`, 'm').exec(shown)?.[1]), screen: shown };
    },
  };
  await self.sees('$');
  return self;
}
