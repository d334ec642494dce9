/** What an attached client of tmux shows for each status, and what becomes of it while the daemon is down. */
import { expect, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { hookPane, hooksOf, sessionId } from '../rig/hook.ts';
import { world } from '../rig/story.ts';
import { awaitOption, readOption, terminalIn } from '../rig/terminal.ts';
import { until } from '../rig/within.ts';

const version = newest;

test('tmux draws [▶], [⏸], [■], [?] or no icon on the border, and (⏸) only where a pane has stopped', async () => {
  const opened = await world({ version });
  await opened.tmux(['new-session', '-d', '-s', 'work', '-x', '160', '-y', '40', 'sleep 600']);
  expect((await opened.drover('setup', '--tmux')).code).toBe(0);
  const terminal = await terminalIn(opened, 'work');
  const pane = (await opened.tmux(['display-message', '-p', '-t', 'work', '#{pane_id}'])).trim();
  const set = (name: string, value: string | null) =>
    opened.tmux([
      'set-option',
      ...(value === null ? ['-pu'] : ['-p']),
      '-t',
      pane,
      `@meta.claude.${name}`,
      ...(value === null ? [] : [value]),
    ]);
  /** The border of the pane and the status line, once both are as wanted. */
  const draws = (border: RegExp, isMarked: boolean) => {
    let last = '';
    return until(
      5_000,
      () => `not ${border}${isMarked ? ' with' : ' without'} (⏸):\n${last}`,
      async () => {
        last = await terminal.screen();
        const lines = last.split('\n');
        return border.test(lines[0] ?? '') && (lines.at(-1) ?? '').includes('(⏸)') === isMarked
          ? true
          : undefined;
      },
    );
  };
  await draws(/^[^[]*$/, false);
  await set('session_id', '4dd74d42-0000-4000-8000-000000000000');
  await draws(/ 4dd74d42 \[■\]/, false);
  await set('status', 'running');
  await draws(/ 4dd74d42 \[▶\]/, false);
  await set('status', 'stopped');
  await draws(/ 4dd74d42 \[⏸\]/, true);
  await set('status', 'something else');
  await draws(/ 4dd74d42 \[\?\]/, false);
  // One stopped pane of several marks the window.
  await set('status', 'running');
  const other = (
    await opened.tmux(['split-window', '-d', '-P', '-F', '#{pane_id}', '-t', pane, 'sleep 600'])
  ).trim();
  await opened.tmux(['set-option', '-p', '-t', other, '@meta.claude.status', 'stopped']);
  await draws(/ 4dd74d42 \[▶\]/, true);
  await opened.tmux(['kill-pane', '-t', other]);
  await draws(/ 4dd74d42 \[▶\]/, false);
  await set('status', null);
  await set('session_id', null);
  await draws(/^[^[]*$/, false);
});

test('while the daemon is down options freeze and tmux says so; its next start repairs them', async () => {
  const opened = await world({ version });
  const { fire } = await hooksOf(opened);
  const daemon = await opened.daemon();
  const seats = await Promise.all(
    ['stops', 'ends'].map(async (name, n) => {
      const { env } = await hookPane(opened, name);
      const pane = env.TMUX_PANE ?? '';
      const pid = (await opened.tmux(['display-message', '-p', '-t', pane, '#{pane_pid}'])).trim();
      const inside = { env: { ...env, CLAUDE_PID: pid, CLAUDE_CODE_ENTRYPOINT: 'cli' } };
      const hook = (hook_event_name: string, fields = {}) =>
        fire({ session_id: sessionId(n + 1), hook_event_name, cwd: opened.dir(), ...fields }, inside);
      const is = (short: string, value: string) =>
        awaitOption(opened, `@meta.claude.${short}`, value, { pane });
      return { name, pane, hook, is };
    }),
  );
  const [stops, ends] = seats as [(typeof seats)[number], (typeof seats)[number]];
  expect((await opened.drover('setup', '--tmux')).code).toBe(0);
  for (const { hook, is } of seats) {
    await hook('SessionStart', { source: 'startup' });
    await hook('UserPromptSubmit', { prompt: 'do' });
    await is('status', 'running');
  }
  const terminal = await terminalIn(opened, stops.name);
  await terminal.sees('[▶]');
  await daemon.kill9();
  await stops.hook('Stop', { last_assistant_message: 'done' });
  await ends.hook('SessionEnd', { reason: 'prompt_input_exit' });
  await terminal.sees('✗ drover down');
  expect(await terminal.screen()).toContain('[▶]');
  for (const { pane } of seats) expect(await readOption(opened, '@meta.claude.status', pane)).toBe('running');

  await opened.daemon();
  await stops.is('status', 'stopped');
  await stops.is('session_id_set_on', 'Stop');
  await ends.is('status', '');
  await ends.is('latest_hook_event', 'SessionEnd');
  expect(await readOption(opened, '@meta.claude.session_id', ends.pane)).toBe(sessionId(2));
  await terminal.sees('[⏸]');
  expect(await terminal.screen()).not.toContain('drover down');
});
