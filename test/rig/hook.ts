/** Hooks fired as Claude Code fires them: the command that `drover setup` registered, by `sh -c`, with a payload. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Inside, World } from './world.ts';

export interface Payload {
  session_id: string;
  hook_event_name: string;
  [field: string]: unknown;
}

export interface Hooks {
  /** The registered command of each event. */
  commands: Record<string, string>;
  /** Fires one hook and waits until it is over; one that says anything is an error. */
  fire: (payload: Payload, inside?: Inside) => Promise<void>;
}

/** Registers the hooks of a world, by its own `drover` or by another, and returns how to fire them. */
export async function hooksOf(world: World, drover = world.drover): Promise<Hooks> {
  const setup = await drover('setup');
  if (setup.code !== 0) throw new Error(`drover setup: ${setup.stderr}`);
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
  };
}

/** A session id that no other number gives, unique in its first 8 digits. */
export const sessionId = (number: number): string =>
  `5eed${number.toString(16).padStart(4, '0')}-0000-4000-8000-000000000000`;
