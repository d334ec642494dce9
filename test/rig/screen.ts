/** A screen: any program of the world in a pane of a second tmux server, which is the terminal that a person sits at. */
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { limits } from '../../src/limits.ts';
import { askTmux } from './ask-tmux.ts';
import { until } from './within.ts';
import type { World } from './world.ts';

export interface Screen {
  /** Presses keys by their tmux names. Several arrive at once: nobody types as fast as that. */
  press: (...keys: string[]) => Promise<void>;
  /** Pastes text, marked as a paste where the program asked for that. */
  paste: (text: string) => Promise<void>;
  /** What the screen shows now. */
  text: () => Promise<string>;
  /** The same with its colour sequences. */
  coloured: () => Promise<string>;
  /** Awaits text, or the absence of it, and returns the screen. */
  sees: (pattern: string | RegExp, ms?: number) => Promise<string>;
  misses: (pattern: string | RegExp, ms?: number) => Promise<string>;
  resize: (columns: number, rows: number) => Promise<void>;
  /** Awaits the bell. */
  rings: (ms?: number) => Promise<void>;
  /** The program's terminal, such as `/dev/pts/3`, which is also the name of a tmux client in it. */
  tty: string;
}

export interface ScreenOptions {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
}

let count = 0;

/** Starts a program on its own screen. */
export async function screenOf(
  world: World,
  command: string[],
  { columns = 80, rows = 24, env = {} }: ScreenOptions = {},
): Promise<Screen> {
  const outer = (...args: string[]) => askTmux(world, ['-u', '-S', join(world.root, 's')], args);
  const name = `screen-${++count}`;
  const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const size = ['-x', String(columns), '-y', String(rows)];
  const made = ['-d', '-P', '-F', '#{pane_id} #{pane_tty}', '-s', name, ...size, ...variables];
  const bare = ['env', '-u', 'TMUX', '-u', 'TMUX_PANE', ...command];
  const [pane = '', tty = ''] = (await outer('new-session', ...made, ...bare)).trim().split(' ');
  await outer('set-option', '-t', name, 'status', 'off');
  await outer('resize-window', '-t', name, ...size);
  const look = (what: string, wanted: (text: string) => boolean, ms: number) => {
    let last = '';
    return until(
      ms,
      () => `${what} in ${ms} ms; the screen:\n${last}`,
      async () => {
        last = await screen.text();
        return wanted(last) ? last : undefined;
      },
    );
  };
  /** Waits until the program has read all input of its terminal. Only Linux shows that. */
  const isRead = async () => {
    if (process.platform !== 'linux') return;
    const isPending = () => world.run('bash', ['-c', `read -t 0 < ${tty}`]);
    const missing = () => `the program on ${tty} reads no keys`;
    await until(10_000, missing, async () => ((await isPending()).code === 0 ? undefined : true));
  };
  const has = (text: string, pattern: string | RegExp) =>
    typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text);
  const screen: Screen = {
    tty,
    press: async (...keys) => {
      // Drover ignores keys that come faster than a person can press them, and a busy program reads queued keys as one burst. So
      // wait until it has read the previous key, then as long as a person would take.
      await isRead();
      await pauseFor(2 * limits.keyboard.burstGap);
      await outer('send-keys', '-t', pane, ...keys);
    },
    paste: async text => {
      await outer('set-buffer', '-b', name, text);
      await outer('paste-buffer', '-p', '-d', '-b', name, '-t', pane);
    },
    text: () => outer('capture-pane', '-p', '-t', pane),
    coloured: () => outer('capture-pane', '-p', '-e', '-t', pane),
    sees: (pattern, ms = 20_000) => look(`"${pattern}" was not seen`, text => has(text, pattern), ms),
    misses: (pattern, ms = 20_000) => look(`"${pattern}" did not go`, text => !has(text, pattern), ms),
    rings: async (ms = 10_000) => {
      const flag = () => outer('display-message', '-p', '-t', pane, '#{window_bell_flag}');
      await until(
        ms,
        () => 'it did not ring',
        async () => ((await flag()).trim() === '1' ? true : undefined),
      );
    },
    resize: async (width, height) =>
      void (await outer('resize-window', '-t', name, '-x', String(width), '-y', String(height))),
  };
  return screen;
}

/** A client attached to a session of the world's own tmux server. */
export const attached = (world: World, session: string, options?: ScreenOptions): Promise<Screen> =>
  screenOf(world, ['tmux', '-u', '-S', world.socket, 'attach-session', '-t', session], options);

/** The pane that a client shows now. */
export const paneOf = async (world: World, { tty }: Screen): Promise<string> => {
  const rows = (await world.tmux(['list-clients', '-F', '#{client_name} #{pane_id}'])).split('\n');
  return rows.map(row => row.split(' ')).find(([name]) => name === tty)?.[1] ?? '';
};

/** Awaits a client on a pane. */
export const awaitPane = async (world: World, screen: Screen, pane: string, ms = 5_000): Promise<void> => {
  let last = '';
  await until(
    ms,
    () => `the client is on ${last}, not on ${pane}`,
    async () => ((last = await paneOf(world, screen)) === pane ? true : undefined),
  );
};
