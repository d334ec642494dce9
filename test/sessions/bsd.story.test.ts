/** The code for macOS, run here: states, panes, death, resume and start-up dialogs without /proc. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { Session } from '../../src/contract/session.ts';
import { edges, newest } from '../rig/cli.ts';
import type { Daemon } from '../rig/drover.ts';
import { terminal } from '../rig/shell.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

/** Waits for a session with this state in the daemon. */
const knows = (
  { url, token }: Daemon,
  what: string,
  wanted: (session: Session) => boolean,
): Promise<Session> => {
  let last: Session[] = [];
  return until(
    20_000,
    () => `no session ${what}: ${JSON.stringify(last)}`,
    async () => {
      const response = await fetch(`${url}/sessions`, { headers: { Authorization: `Bearer ${token}` } });
      last = ((await response.json()) as { sessions: Session[] }).sessions;
      return last.find(wanted);
    },
  );
};

describe.each(edges)('Claude Code %s with the code for macOS', version => {
  test('a session without hooks has its pane and its states, its death is known, and it is resumed', async () => {
    const opened = await world({ version, platform: 'bsd' });
    const daemon = await opened.daemon();
    const seat = await opened.claude({ prompt: 'RUN touch made', inShell: true });
    await seat.asks('Do you want to proceed?');
    const pid = await seat.pid();
    const waiting = await knows(
      daemon,
      'waits for a permission in its pane',
      ({ state, reason, pane }) => state === 'waiting' && reason === 'permission' && pane?.id === seat.pane,
    );
    expect(waiting).toMatchObject({ pid, headless: false, pane: { socket: opened.socket } });
    const { id } = waiting;
    await seat.press('Enter');
    await knows(
      daemon,
      'is done',
      one => one.id === id && one.state === 'waiting' && one.reason === 'stopped',
    );

    process.kill(pid, 'SIGKILL');
    await knows(daemon, 'has ended', one => one.id === id && one.state === 'ended');

    const term = await terminal(opened, opened.dir(), 'work');
    await term.types(`drover resume ${shortId(id)} -y`);
    const again = await knows(
      daemon,
      'runs in the pane of the terminal',
      one => one.id === id && one.state !== 'ended' && one.pane?.id === term.pane,
    ).catch(async (error: Error) => {
      throw new Error(`${error.message}\nThe terminal:\n${await term.screen()}`, { cause: error });
    });
    expect(again.pid).not.toBe(pid);
  });
});

test('a start-up dialog is known from its pane', async () => {
  const opened = await world({ version: newest, platform: 'bsd' });
  const daemon = await opened.daemon();
  const dir = join(opened.home, 'unknown');
  mkdirSync(dir);
  const seat = await opened.claude({ dir });
  await seat.sees(/trust/i);
  const found = await knows(daemon, 'waits at a dialog', ({ pane }) => pane?.id === seat.pane);
  expect(found).toMatchObject({ state: 'waiting', pid: await seat.pid(), cwd: dir });
});
