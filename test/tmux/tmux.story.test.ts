/** What tmux shows of a session from start to end, and what it must never show. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { edges, newest } from '../rig/cli.ts';
import { createPastSession } from '../rig/past.ts';
import { world } from '../rig/story.ts';
import { awaitOption, readOption, terminalIn } from '../rig/terminal.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const panes = (opened: World, pane: string) => {
  const name = (short: string) => (short.startsWith('@') ? short : `@meta.claude.${short}`);
  return {
    is: (short: string, value: string, ms?: number) =>
      awaitOption(opened, name(short), value, { pane, ...(ms && { ms }) }),
    get: (short: string) => readOption(opened, name(short), pane),
    all: () => opened.tmux(['show-options', '-p', '-t', pane]),
  };
};

describe.each(edges)('Claude Code %s', version => {
  test('the options of a pane follow its session from start to end, without focus', async () => {
    const opened = await world({ version });
    await opened.drover('setup');
    await opened.daemon();
    await opened.tmux(['new-session', '-d', '-s', 'elsewhere', '-x', '100', '-y', '30', 'sh']);
    const elsewhere = (await opened.tmux(['display-message', '-p', '-t', 'elsewhere', '#{pane_id}'])).trim();
    await terminalIn(opened, 'elsewhere');
    const seat = await opened.claude();
    const own = panes(opened, seat.pane);
    const { sessionId } = await seat.file(({ status }) => status === 'idle');

    await own.is('session_id', sessionId);
    await own.is('status', 'stopped');
    expect(await own.get('session_id_set_on')).toBe('SessionStart');
    expect(await own.get('session_dir')).toBe(opened.dir());
    expect(await own.get('latest_hook_event')).toBe('SessionStart');
    expect(Number(await own.get('latest_hook_time'))).toBeGreaterThan(Date.now() / 1000 - 60);
    expect(await own.get('@drover_label')).toBe('project');

    await seat.ready();
    await seat.type('RUN touch made');
    await own.is('reason', 'permission');
    expect(await own.get('status')).toBe('stopped');
    await seat.asks('Do you want to proceed?');
    await seat.press('Enter');
    await own.is('reason', 'stopped');
    expect(await own.get('status')).toBe('stopped');
    await own.is('session_id_set_on', 'Stop');

    // An Esc fires no hook: status and reason follow, what hooks wrote stays.
    await seat.ready();
    await seat.type('STREAM 300');
    await own.is('status', 'running');
    await own.is('latest_hook_event', 'UserPromptSubmit');
    await seat.sees(/line \d/i);
    await seat.press('Escape');
    await own.is('reason', 'interrupted');
    expect(await own.get('status')).toBe('stopped');
    expect([await own.get('latest_hook_event'), await own.get('session_id_set_on')]).toEqual([
      'UserPromptSubmit',
      'UserPromptSubmit',
    ]);

    // A headless one in the same pane changes nothing.
    const before = await own.all();
    const serverPid = (await opened.tmux(['display-message', '-p', '#{pid}'])).trim();
    const inside = { TMUX: `${opened.socket},${serverPid},0`, TMUX_PANE: seat.pane };
    expect((await opened.headless({ prompt: 'SAY nested', env: inside })).code).toBe(0);
    await until(
      10_000,
      () => 'the nested one has not ended',
      async () => (await opened.drover('ls', '--all')).stdout.includes('ended') || undefined,
    );
    expect(await own.all()).toBe(before);

    await opened.tmux(['set-option', '-t', seat.name, 'remain-on-exit', 'on']);
    await seat.type('/exit');
    await own.is('session_id_set_on', 'SessionEnd');
    await own.is('status', '');
    expect(await own.get('session_id')).toBe(sessionId);
    expect(await opened.tmux(['show-options', '-p', '-t', elsewhere])).toBe('');
  });

  test('the start of a fork, which carries the id of the session that it copies, is shown on the pane of the fork', async () => {
    const opened = await world({ version });
    const old = await createPastSession(opened);
    await opened.drover('setup');
    await opened.daemon();
    const seat = await opened.claude({ args: ['--resume', old, '--fork-session'] });
    const { sessionId: fork } = await seat.file(
      ({ sessionId, status }) => sessionId !== old && status === 'idle',
    );
    const own = panes(opened, seat.pane);
    await own.is('session_dir', opened.dir());
    await own.is('latest_hook_event', 'SessionStart');
    await own.is('status', 'stopped');
    await seat.ready();
    await seat.type('SAY forked');
    await own.is('reason', 'stopped');
    await own.is('session_id', fork);
    await own.is('session_id_set_on', 'Stop');
    expect([await own.get('session_dir'), await own.get('latest_hook_event')]).toEqual([
      opened.dir(),
      'Stop',
    ]);
  });
});

test('/clear gives the pane the next id and keeps its folder; a late end of the old session changes nothing', async () => {
  const opened = await world({ version: newest });
  await opened.drover('setup');
  const { url, token } = await opened.daemon();
  const seat = await opened.claude();
  const own = panes(opened, seat.pane);
  const { sessionId: first } = await seat.file(({ status }) => status === 'idle');
  await own.is('session_id', first);
  await seat.ready();
  await seat.type('/clear');
  const { sessionId: second, pid } = await seat.file(({ sessionId }) => sessionId !== first);
  await own.is('session_id', second);
  await own.is('status', 'stopped');
  expect(await own.get('session_dir')).toBe(opened.dir());
  const before = await own.all();
  const serverPid = (await opened.tmux(['display-message', '-p', '#{pid}'])).trim();
  const late = await fetch(`${url}/event`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-tmux': `${opened.socket},${serverPid},0`,
      'x-tmux-pane': seat.pane,
      'x-claude-pid': String(pid),
    },
    body: JSON.stringify({ session_id: first, hook_event_name: 'SessionEnd', reason: 'other' }),
  });
  expect(late.status).toBe(200);
  // Anything that this would write comes before the next write.
  await seat.ready();
  await seat.type('SAY more');
  await own.is('reason', 'stopped');
  expect(await own.get('session_id')).toBe(second);
  expect(before).toContain(second);
});

test('a hostile project name is shown as text, and the exit of the daemon shows at once', async () => {
  const hostile = '#(touch x)#[bg=red]';
  const opened = await world({ version: newest, projects: [hostile] });
  await opened.drover('setup');
  const daemon = await opened.daemon();
  // tmux would take the name for a format in `-c`.
  const command = 'cd "$PLACE" && exec claude "SAY hello" --permission-mode default';
  const place = ['-e', `PLACE=${opened.dir(hostile)}`, 'sh', '-c', command];
  const made = ['-d', '-P', '-F', '#{pane_id}', '-s', 'hostile', '-x', '160', '-y', '40'];
  const pane = (await opened.tmux(['new-session', ...made, ...place])).trim();
  expect((await opened.drover('setup', '--tmux')).code).toBe(0);
  const own = panes(opened, pane);
  await own.is('reason', 'stopped');
  const terminal = await terminalIn(opened, 'hostile');
  const id = shortId(await own.get('session_id'));
  const screen = await terminal.sees(' ⏸ 1 (touch x)[bg=red] ');
  expect(screen).toContain(`${id} [⏸]`);
  expect(screen.split('\n').at(-1)).toContain('(⏸)');
  expect(await own.get('session_dir')).toBe(opened.dir(hostile));
  const touched = [opened.home, opened.root, opened.dir(hostile)].filter(dir => existsSync(join(dir, 'x')));
  expect(touched).toEqual([]);

  await daemon.kill9();
  await terminal.sees('✗ drover down', 8_000);
  await terminal.press('C-b', 'Tab');
  await terminal.sees('Drover: the daemon is down');
  await opened.daemon();
  await terminal.sees(' ⏸ 1 (touch x)[bg=red] ');
  await terminal.press('SLEEP 6000 SAY more');
  await terminal.sees('SLEEP 6000 SAY more');
  await terminal.press('Enter');
  await terminal.sees(`${id} [▶]`);
  await terminal.sees(' ✓ ');
  await terminal.sees(' ⏸ 1 ');
});
