/** Hooks fired as Claude Code fires them: the command that `drover setup` registered, by `sh -c`, with a payload. */
import { appendFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './within.ts';
import type { Inside, World } from './world.ts';

export interface Payload {
  session_id: string;
  hook_event_name: string;
  [field: string]: unknown;
}

export interface Hooks {
  /** The registered command of each event. */
  commands: Record<string, string>;
  /** Fires one hook and waits until it has ended; any output is an error. */
  fire: (payload: Payload, inside?: Inside) => Promise<void>;
  /** Fires one event of many sessions at once, each from its own process, and waits until all have ended. */
  fireAll: (shots: { payload: Payload; pid: number }[], inside?: Inside) => Promise<void>;
}

/** Registers the hooks of a world, by its own `drover` or by another, and returns how to fire them. */
export async function hooksOf(world: World, drover = world.drover): Promise<Hooks> {
  const setup = await drover('setup');
  if (setup.code !== 0) throw new Error(`drover setup: ${setup.stderr}`);
  await letGo(world);
  const settings = JSON.parse(await readFile(join(world.home, '.claude', 'settings.json'), 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const commands = Object.fromEntries(
    Object.entries(settings.hooks).map(([event, groups]) => [event, groups[0]?.hooks[0]?.command ?? '']),
  );
  return {
    commands,
    async fire(payload, inside) {
      const command = commands[payload.hook_event_name];
      if (!command) throw new Error(`${payload.hook_event_name} is not registered`);
      const input = `${JSON.stringify(payload)}\n`;
      const { code, stdout, stderr } = await world.run('sh', ['-c', command], { input, ...inside });
      if (code !== 0 || stdout || stderr) throw new Error(`the hook ended with ${code}: ${stdout}${stderr}`);
    },
    async fireAll(shots, inside) {
      const dir = await mkdtemp(join(world.root, 'volley-'));
      const write = ({ payload, pid }: { payload: Payload; pid: number }) =>
        writeFile(join(dir, String(pid)), `${JSON.stringify(payload)}\n`);
      await Promise.all(shots.map(write));
      const command = commands[shots[0]?.payload.hook_event_name ?? ''] ?? 'exit 99';
      // One shell starts them all: starting a process for each would take far longer than the hooks.
      const script = 'for file in "$1"/*; do CLAUDE_PID=${file##*/} sh -c "$2" < "$file" & done; wait';
      const { stdout, stderr } = await world.run('sh', ['-c', script, 'sh', dir, command], inside);
      if (stdout || stderr) throw new Error(`a hook said ${stdout}${stderr}`);
    },
  };
}

/** Lets go the hooks of requests at once: nobody answers them, and whoever fires them waits for their end. */
async function letGo(world: World): Promise<void> {
  const file = join(world.droverHome, 'config.json');
  const config = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as object;
  await writeFile(file, JSON.stringify({ approvals: 'terminal', ...config }));
}

/** A pane that shows what is written to it, and the variables that a hook in it has. */
export interface HookPane {
  env: Record<string, string>;
  /** Writes lines and waits until the pane shows them. */
  shows: (...lines: string[]) => Promise<void>;
}

export async function hookPane(world: World, name: string): Promise<HookPane> {
  const file = join(world.root, `pane-${name}`);
  await writeFile(file, '');
  const format = '#{socket_path},#{pid},0 #{pane_id}';
  const words = ['new-session', '-d', '-s', name, '-x', '120', '-y', '30', '-P', '-F', format];
  const [tmux = '', pane = ''] = (await world.tmux([...words, 'tail', '-n', '+1', '-f', file]))
    .trim()
    .split(' ');
  return {
    env: { TMUX: tmux, TMUX_PANE: pane },
    async shows(...lines) {
      await appendFile(file, lines.map(line => `${line}\n`).join(''));
      await until(
        5_000,
        () => `the pane does not show ${lines.at(-1)}`,
        async () =>
          (await world.tmux(['capture-pane', '-p', '-t', pane])).includes(lines.at(-1) ?? '') || undefined,
      );
    },
  };
}

/** A session id that no other number gives, unique in its first 8 digits. */
export const sessionId = (number: number): string =>
  `5eed${number.toString(16).padStart(4, '0')}-0000-4000-8000-000000000000`;
