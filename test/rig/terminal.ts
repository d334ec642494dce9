/** A person's terminal: a client attached to the world's tmux server, in a pane of a second tmux that is the screen. */
import { join } from 'node:path';
import { askTmux } from './ask-tmux.ts';
import { until } from './within.ts';
import type { World } from './world.ts';

export interface Terminal {
  /** The client's name on the world's server, such as `/dev/pts/3`. */
  client: string;
  /** Presses keys by their tmux names; the prefix is `C-b`. */
  press: (...keys: string[]) => Promise<void>;
  screen: () => Promise<string>;
  /** Awaits text on the screen and returns the screen. */
  sees: (pattern: string | RegExp, ms?: number) => Promise<string>;
  /** The pane that the client shows now. */
  pane: () => Promise<string>;
  /** Awaits the client on a pane. */
  reaches: (pane: string, ms?: number) => Promise<void>;
}

/** Attaches a client to a tmux session of the world. */
export async function terminalIn(world: World, session: string): Promise<Terminal> {
  const outer = async (...args: string[]) =>
    (await askTmux(world, ['-u', '-S', join(world.root, 'o')], args)).trim();
  const attach = ['env', '-u', 'TMUX', 'tmux', '-u', '-S', world.socket, 'attach-session', '-t', session];
  const made = ['-d', '-P', '-F', '#{pane_id} #{pane_tty}', '-x', '160', '-y', '40'];
  const [screen = '', client = ''] = (await outer('new-session', ...made, ...attach)).split(' ');
  const terminal: Terminal = {
    client,
    press: async (...keys) => void (await outer('send-keys', '-t', screen, ...keys)),
    screen: () => outer('capture-pane', '-p', '-t', screen),
    sees: (pattern, ms = 20_000) => {
      let last = '';
      const missing = () => `"${pattern}" was not seen in ${ms} ms; the terminal:\n${last}`;
      return until(ms, missing, async () => {
        last = await terminal.screen();
        const found = typeof pattern === 'string' ? last.includes(pattern) : pattern.test(last);
        return found ? last : undefined;
      });
    },
    async pane() {
      const rows = (await world.tmux(['list-clients', '-F', '#{client_name} #{pane_id}'])).split('\n');
      return rows.map(row => row.split(' ')).find(([name]) => name === client)?.[1] ?? '';
    },
    async reaches(pane, ms = 5_000) {
      let last = '';
      await until(
        ms,
        () => `the client is on ${last}, not on ${pane}`,
        async () => ((last = await terminal.pane()) === pane ? true : undefined),
      );
    },
  };
  await until(
    5_000,
    () => `no client at ${client}`,
    async () => ((await terminal.pane()) === '' ? undefined : true),
  );
  return terminal;
}

/** The value of an option; empty if it is not set. */
export const readOption = async (world: World, name: string, pane?: string): Promise<string> =>
  (await world.tmux(['show-options', ...(pane ? ['-pqv', '-t', pane] : ['-sqv']), name])).replace(/\n$/, '');

/** Awaits a value of an option. */
export const awaitOption = async (
  world: World,
  name: string,
  wanted: string,
  { pane, ms = 8_000 }: { pane?: string; ms?: number } = {},
): Promise<void> => {
  let last = '';
  await until(
    ms,
    () => `${name} of ${pane ?? 'the server'} is ${JSON.stringify(last)}, not ${JSON.stringify(wanted)}`,
    async () => ((last = await readOption(world, name, pane)) === wanted ? true : undefined),
  );
};
