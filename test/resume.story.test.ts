/** Resume: any session, in the right directory, once. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Version, versions } from './rig/cli.ts';
import { terminal } from './rig/terminal.ts';
import { world } from './rig/story.ts';
import { until } from './rig/within.ts';
import type { World } from './rig/world.ts';

/** A session that has said one word and ended. */
const past = async (opened: World, dir = opened.dir(), word = 'one'): Promise<string> => {
  const id = randomUUID();
  const said = await opened.headless({ prompt: `SAY ${word}`, args: ['--session-id', id], cwd: dir });
  expect([said.code, said.stdout, said.stderr]).toEqual([0, `${word}\n`, '']);
  return id;
};

/** What `sessions/*.json` say now. */
const running = async (opened: World, id: string): Promise<{ pid: number; cwd: string }[]> => {
  const folder = join(opened.home, '.claude', 'sessions');
  const names = readdirSync(folder).filter(name => name.endsWith('.json'));
  const { readFileSync } = await import('node:fs');
  return names
    .flatMap(name => {
      try {
        return [JSON.parse(readFileSync(join(folder, name), 'utf8')) as { pid: number; cwd: string; sessionId: string }];
      } catch {
        return [];
      }
    })
    .filter(file => file.sessionId === id);
};

const lives = (opened: World, id: string, dir: string) =>
  until(
    15_000,
    () => `session ${id} does not run in ${dir}`,
    async () => (await running(opened, id)).find(file => file.cwd === dir),
  );

describe.each(versions)('Claude Code %s', version => {
  test('by prefix, from another directory, in a terminal that asks', async () => {
    const opened = await world({ version, projects: ['project', 'other'] });
    const id = await past(opened);
    const term = await terminal(opened, opened.dir('other'));
    const short = id.slice(0, 8);
    await term.types(`drover resume ${id.slice(0, 7)}`);
    await term.sees(`Resume session ${short} from ~/project? [Yn]`);
    await term.press('n');
    await term.sees('[Yn] no');
    expect(await running(opened, id)).toEqual([]);
    await term.types(`drover resume ${short}`);
    await term.sees(/\[Yn\] $/m);
    await term.press('Enter');
    await lives(opened, id, opened.dir());
    await term.sees(/one/);
  });
});
