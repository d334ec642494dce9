/** The spool of a world, as emit.sh wrote it. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

export interface SpoolFile {
  name: string;
  /** When it was written, ms. */
  at: number;
  content: string;
}

/** The fields that stand before the payload; emit.sh has their order. */
export interface Head {
  hook: string;
  tmux: string;
  pane: string;
  pid: string;
  parent: string;
  session: string;
  host: string;
  ns: string;
}

/** Every file of the spool, oldest first, in the order in which the daemon takes them. */
export const readSpool = (world: World): SpoolFile[] => {
  const folder = join(world.droverHome, 'spool');
  return readdirSync(folder)
    .map(name => ({
      name,
      time: lstatSync(join(folder, name), { bigint: true }).mtimeNs,
      content: readFileSync(join(folder, name), 'utf8'),
    }))
    .sort((a, b) => Number(a.time - b.time) || Number.parseInt(a.name, 10) - Number.parseInt(b.name, 10))
    .map(({ name, time, content }) => ({ name, at: Number(time / 1_000_000n), content }));
};

export const headOf = (content: string): Head => {
  const [, hook = '', , tmux = '', pane = '', pid = '', parent = '', session = '', , , , host = '', ns = ''] =
    content.split('\0', 13);
  return { hook, tmux, pane, pid, parent, session, host, ns };
};

/** What Claude Code gave to the hook. */
export const payloadOf = (content: string): string =>
  content.slice(content.indexOf('\0\n') + 2, -'\0end\n'.length);

/** Awaits this number of hooks of one name in a session. */
export const hookCount = (world: World, id: string, name: string, count: number): Promise<number> => {
  let seen = 0;
  return until(
    30_000,
    () => `${seen} of ${count} ${name} of ${id}`,
    () => {
      seen = readSpool(world).filter(({ content }) => {
        const { hook, session } = headOf(content);
        return hook === name && session === id;
      }).length;
      return seen >= count ? seen : undefined;
    },
  );
};
