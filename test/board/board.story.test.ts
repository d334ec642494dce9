/** The board in use: in a popup over real sessions, and in its own terminal while the daemon is killed. */
import { describe, expect, test } from 'vitest';
import type { Queue } from '../../src/contract/queue.ts';
import { edges, newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { attached, paneOf, awaitPane, screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import type { World } from '../rig/world.ts';

const board = [process.execPath, MAIN];

const queue = async ({ drover }: World): Promise<string[]> => {
  const { sessions } = JSON.parse((await drover('ls', '--waiting', '--json')).stdout) as {
    sessions: Queue['items'][number]['session'][];
  };
  return sessions.map(({ id, deferral }) => `${id}${deferral?.skipped ? ' skipped' : ''}`);
};

describe.each(edges)('Claude Code %s', version => {
  test('in a popup, keys open sessions, and each request is shown in full', async () => {
    const opened = await world({ version, projects: ['shop', 'blog'] });
    const { claude, drover, daemon, tmux, dir } = opened;
    await drover('setup');
    await daemon();
    await tmux(['new-session', '-d', '-s', 'desk', '-x', '120', '-y', '40', 'sh']);
    await drover('setup', '--tmux');
    const asks = await claude({ prompt: 'ASK', dir: dir('shop'), name: 'first' });
    await asks.asks('Which size?');
    const runs = await claude({ prompt: 'RUN touch made', dir: dir('blog'), name: 'second' });
    await runs.asks('Do you want to proceed?');
    const person = await attached(opened, 'desk', { columns: 120, rows: 40 });
    await person.sees('[desk]');
    const popup = async () => {
      await person.press('C-b', 'g');
      return person.sees('Enter go');
    };
    // Its frame disappears with its process; an earlier key goes into it.
    const closed = () => person.misses(/[┌┘]/);

    await popup();
    const first = await person.sees(/drover 2 waiting[\s\S]*has a question/);
    expect(first).toMatch(/> 1 \[⏸\] (?:[0-9a-f]{8} )?has a question .* shop/);
    expect(first).toMatch(/ {2}2 \[⏸\] (?:[0-9a-f]{8} )?needs approval .* blog/);
    expect(first).toContain('1. ');
    await person.press('j');
    // What it asks, and what its pane shows.
    await person.sees(/touch made[\s\S]*Do you want to proceed/);
    await person.press('Enter');
    await awaitPane(opened, person, runs.pane);
    await closed();

    await popup();
    await person.press('Tab');
    await awaitPane(opened, person, asks.pane);
    await closed();

    await popup();
    await person.press('/');
    await person.press('b', 'l', 'o', 'g');
    await person.sees(/drover 1 waiting .*filter: blog/);
    await person.press('Enter');
    await person.sees('Enter go');
    await person.press('s');
    await person.sees(/skipped +for \d+ s/);
    expect((await queue(opened)).filter(row => row.endsWith('skipped'))).toHaveLength(1);
    await person.press('Escape');
    await person.sees(/2 deferred(?!.*filter)/);
    await person.press('?');
    await person.sees('Go to the next session in the queue');
    await person.press('q');
    await person.misses('Go to the next session in the queue');
    await person.press('q');
    await closed();
    // Leaving moves no client.
    expect(await paneOf(opened, person)).toBe(asks.pane);
  });
});

test('a board in its own terminal is live, fits any size, and survives the daemon', async () => {
  const opened = await world({ version: newest, projects: ['shop'] });
  await opened.drover('setup');
  const screen = await screenOf(opened, board);
  // It starts the daemon itself.
  await screen.sees('No sessions');
  const seat = await opened.claude({ prompt: 'SAY all done' });
  await screen.sees(/> 1 \[⏸\] (?:[0-9a-f]{8} )?done .* all done/, 20_000);
  await screen.sees(/pane %\d+ in seat/);
  expect((await screen.text()).split('\n').every(line => line.length <= 80)).toBe(true);
  await screen.resize(200, 50);
  const wide = await screen.sees(/ done .* ── [0-9a-f]{8} · shop · done for[\s\S]*Enter go/);
  expect(wide.trimEnd().split('\n')).toHaveLength(49);
  await screen.resize(60, 15);
  const small = await screen.sees(/── [0-9a-f]{8} · shop[\s\S]*Enter go/);
  expect(small.trimEnd().split('\n')).toHaveLength(14);
  expect(await screen.coloured()).toContain('\x1b[33m');
  await screen.press('z');
  await screen.sees(/Snooze [0-9a-f]{8} in shop for: 10min/);
  await screen.press('Enter');
  await screen.sees(/snoozed +for 10 min/);

  const { pid } = JSON.parse((await opened.drover('status', '--json')).stdout) as { pid: number };
  process.kill(pid, 'SIGKILL');
  await screen.sees('DAEMON DOWN');
  await screen.sees(/snoozed/);
  await seat.ready();
  await seat.type('SAY and more');
  await seat.sees('and more');
  await opened.drover('up');
  await screen.misses('DAEMON DOWN');
  await screen.sees(/> 1 \[⏸\] (?:[0-9a-f]{8} )?done .* and more/);

  // From outside tmux Enter attaches this terminal to tmux, and the board returns afterwards.
  await screen.press('Enter');
  await screen.misses('DAEMON');
  await screen.sees(/\[seat-\d+\]/);
  await awaitPane(opened, screen, seat.pane);
  await screen.press('C-b', 'd');
  await screen.sees('Enter go');
});

test('the output is the same without colours and without a terminal', async () => {
  const opened = await world({ version: newest, projects: ['shop'] });
  await opened.drover('setup');
  await opened.daemon();
  await opened.claude({ prompt: 'SAY done' });
  const plain = await screenOf(opened, board, { env: { NO_COLOR: '1' } });
  await plain.sees(/> 1 \[⏸\] (?:[0-9a-f]{8} )?done/, 20_000);
  expect(await plain.coloured()).not.toMatch(/\x1b\[[\d;]*(?:3[0-7]|38|4[0-7]|48|9[0-7])/);
  const list = await opened.run(process.execPath, [MAIN]);
  expect([list.code, list.stdout]).toEqual([0, expect.stringMatching(/done.*shop/)]);
});
