import { expect, test } from 'vitest';
import type { TmuxPane } from './panes.ts';
import { type SavedPane, updateSaved, restorable } from './saved-pane.ts';

const paneOf = (serverPid: number, sessionId: string, more: Partial<TmuxPane> = {}): TmuxPane => ({
  socket: '/s',
  serverPid,
  id: '%0',
  pid: 1,
  command: 'sh',
  dead: false,
  session: 'main',
  window: 'w',
  at: { window: 1, pane: 0, cwd: '/w/shop' },
  sessionId,
  isShown: false,
  ...more,
});

const after = (kept: SavedPane[], panes: TmuxPane[], now: number): SavedPane[] =>
  updateSaved(kept, '/s', panes, () => '/w/shop', now);

test('a pane of a new server in the same place and folder gets its session back, once', () => {
  const kept = after([], [paneOf(100, 'id-a')], 1_000);
  const [found] = restorable(kept, [paneOf(200, '')], 2_000);
  expect(found?.row).toMatchObject({ sessionId: 'id-a', dir: '/w/shop' });
  // It stays saved while the server starts pane by pane, until it is restored.
  const meanwhile = after(kept, [paneOf(200, '')], 2_000);
  expect(restorable(meanwhile, [paneOf(200, '')], 3_000)).toHaveLength(1);
  const given = after(meanwhile, [paneOf(200, 'id-a')], 4_000);
  expect(given).toHaveLength(1);
  expect(restorable(given, [paneOf(200, '')], 5_000)).toEqual([]);
});

test.each<[string, TmuxPane]>([
  ['another folder', paneOf(200, '', { at: { window: 1, pane: 0, cwd: '/w/blog' } })],
  ['another place', paneOf(200, '', { at: { window: 1, pane: 1, cwd: '/w/shop' } })],
  ['another session', paneOf(200, '', { session: 'other' })],
  ['a value of its own', paneOf(200, 'id-b')],
  ['the same server: the pane was closed and another opened', paneOf(100, '')],
])('restores nothing on a pane with %s', (_, pane) => {
  expect(restorable(after([], [paneOf(100, 'id-a')], 1_000), [pane], 2_000)).toEqual([]);
});

test('forgets saved panes after a month', () => {
  const kept = after([], [paneOf(100, 'id-a')], 1_000);
  expect(after(kept, [paneOf(200, '')], 1_000 + 31 * 86_400_000)).toEqual([]);
});
