/** Move to the next waiting session with one key, and back. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { world } from '../rig/story.ts';
import { awaitOption, readOption, terminalIn } from '../rig/terminal.ts';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

/** A world whose tmux has our keys, with a session of the person's own called `desk`. */
const deskIn = async (): Promise<{ opened: World; desk: string }> => {
  const opened = await world({ version: newest });
  await opened.drover('setup');
  await opened.daemon();
  await opened.tmux(['new-session', '-d', '-s', 'desk', '-x', '160', '-y', '40', 'sh']);
  expect((await opened.drover('setup', '--tmux')).code).toBe(0);
  const desk = (await opened.tmux(['display-message', '-p', '-t', 'desk', '#{pane_id}'])).trim();
  return { opened, desk };
};

/** Sessions that began to wait one after the other. */
const waiting = async (opened: World, count: number): Promise<Seat[]> => {
  const seats = await Promise.all(Array.from({ length: count }, () => opened.claude()));
  for (const [n, seat] of seats.entries()) {
    await seat.ready(30_000);
    await seat.type('SAY hello');
    await awaitOption(opened, `@drover_${n + 1}`, seat.pane, { ms: 20_000 });
  }
  return seats;
};

test('five sessions in three tmux sessions: the key visits them in order, back returns, skip defers one', async () => {
  const { opened, desk } = await deskIn();
  const one = await terminalIn(opened, 'desk');
  await one.sees(' ✓ ');
  await one.press('C-b', 'Tab');
  await one.sees('Drover: no session is waiting');
  const seats = await waiting(opened, 5);
  const [a, b, c, d, e] = seats.map(({ pane }) => pane) as [string, string, string, string, string];
  const [first, second, third, fourth, fifth] = seats.map(({ name }) => name);
  // Two clients in one tmux session share its window, so the first two use different ones.
  await opened.tmux(['move-window', '-s', `${fourth}:`, '-t', `${first}:`]);
  await opened.tmux(['join-pane', '-s', `${fifth}:`, '-t', `${second}:`]);
  const names = (await opened.tmux(['list-sessions', '-F', '#{session_name}'])).trim().split('\n');
  expect(names.sort()).toEqual(['desk', first, second, third].sort());

  // The first client has claimed the head: the second gets the next session, and then stays there.
  const two = await terminalIn(opened, 'desk');
  await one.press('C-b', 'Tab');
  await one.reaches(a);
  await awaitOption(opened, '@drover_1_by', one.client);
  await two.press('C-b', 'Tab');
  await two.reaches(b);
  await two.press('C-b', 'B');
  await two.reaches(desk);

  for (const pane of [b, c, d, e, a]) {
    await one.press('C-b', 'Tab');
    await one.reaches(pane);
  }
  expect(await two.pane()).toBe(desk);
  for (const pane of [e, d, c, b, a, desk]) {
    await one.press('C-b', 'B');
    await one.reaches(pane);
  }
  await one.press('C-b', 'B');
  await one.sees('nothing to go back to');

  // Skip in a waiting pane defers that session and moves on; while the head is deferred, the one behind it can be skipped too.
  await one.press('C-b', 'Tab');
  await one.reaches(a);
  await one.press('C-b', 'S');
  await one.reaches(b);
  await awaitOption(opened, '@drover_1', b);
  await one.press('C-b', 'S');
  await one.reaches(c);
  await awaitOption(opened, '@drover_1', c);
  expect(await readOption(opened, '@drover_count')).toBe('5');
  const { stdout } = await opened.drover('ls', '--waiting');
  // Five rows below the heading.
  expect(stdout.trimEnd().split('\n')).toHaveLength(6);
});

test('next, go and back from a shell move its own client; a window can be linked instead', async () => {
  const { opened, desk } = await deskIn();
  await opened.tmux(['new-session', '-d', '-s', 'other', '-x', '160', '-y', '40', 'sh']);
  const other = (await opened.tmux(['display-message', '-p', '-t', 'other', '#{pane_id}'])).trim();
  const one = await terminalIn(opened, 'desk');
  const two = await terminalIn(opened, 'other');
  const drover = `${process.execPath} ${MAIN}`;
  const give = async (terminal: typeof one, words: string) => {
    await terminal.press(`clear; ${drover} ${words}; echo code $?`);
    await terminal.press('Enter');
  };
  await give(one, 'next');
  await one.sees(/No session is waiting\.\s+code 1/);
  const [seat] = (await waiting(opened, 1)) as [Seat];
  await give(one, 'next');
  await one.reaches(seat.pane);
  expect(await two.pane()).toBe(other);
  await one.press('C-b', 'B');
  await one.reaches(desk);

  const id = shortId(await readOption(opened, '@meta.claude.session_id', seat.pane));
  await give(two, `go ${id} --link`);
  await two.reaches(seat.pane);
  const windows = async () => (await opened.tmux(['list-windows', '-t', 'other', '-F', '#{pane_id}'])).trim();
  expect((await windows()).split('\n')).toEqual([other, seat.pane]);
  await two.press('C-b', 'B');
  await two.reaches(other);
  expect(await windows()).toBe(other);
  await seat.ready();

  // From outside tmux, and from another server, the command that goes there is printed.
  const outside = await opened.drover('go', id);
  const way = `tmux -u -S ${opened.socket} attach-session -t ${seat.pane}`;
  expect([outside.code, outside.stdout.trim()]).toEqual([0, way]);
  const told = JSON.parse((await opened.drover('go', id, '--json')).stdout) as {
    moved: boolean;
    command: string;
  };
  expect(told).toMatchObject({ moved: false, command: way });
  await one.press(`clear; env -u TMUX ${drover} go ${id}`, 'Enter');
  await one.sees('sessions should be nested', 5_000).catch(() => {});
  expect((await opened.drover('back')).code).toBe(6);
  expect((await opened.drover('go', 'ffffffff')).code).toBe(4);
});

test('a pane gets its session back after a restart of tmux that restored the panes', async () => {
  const { opened } = await deskIn();
  const seat = await opened.claude({ prompt: 'SAY hello', name: 'work' });
  await awaitOption(opened, '@meta.claude.reason', 'stopped', { pane: seat.pane, ms: 20_000 });
  const id = await readOption(opened, '@meta.claude.session_id', seat.pane);
  // As long as a poll of the panes takes: only then is the place of this pane known.
  await awaitOption(opened, '@drover_1', seat.pane);
  await kept(opened, id);
  await opened.tmux(['kill-server']);

  const make = async (name: string, dir: string) =>
    (await opened.tmux(['new-session', '-d', '-P', '-F', '#{pane_id}', '-s', name, '-c', dir, 'sh'])).trim();
  // The old server may still be on its way out.
  await until(
    5_000,
    () => 'no new server',
    () => make('first', opened.home).catch(() => undefined),
  );
  const strange = await make('desk', opened.dir());
  const back = await make('work', opened.dir());
  await awaitOption(opened, '@meta.claude.session_id', id, { pane: back });
  expect(await readOption(opened, '@meta.claude.session_dir', back)).toBe(opened.dir());
  expect(await readOption(opened, '@meta.claude.status', back)).toBe('');
  expect(await opened.tmux(['show-options', '-p', '-t', strange])).toBe('');
});

const kept = async (opened: World, id: string): Promise<void> => {
  const file = join(opened.droverHome, 'panes.json');
  await until(
    20_000,
    () => `${id} is not kept`,
    () => (existsSync(file) && readFileSync(file, 'utf8').includes(id)) || undefined,
  );
};
