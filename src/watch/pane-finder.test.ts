import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { emptyMemory, type Folded } from '../session/memory.ts';
import type { TmuxPane } from '../tmux/server/panes.ts';
import { Lineages } from './lineages.ts';
import { PaneFinder } from './pane-finder.ts';

const pane = (id: string, pid: number, dead = false) =>
  ({ socket: '/s', serverPid: 1, id, pid, dead }) as TmuxPane;

/** A session of a process below this one, which plays the pane's process. */
const setUp = async () => {
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const memory = { ...emptyMemory(0), file: { status: 'idle' } };
  const session = (more: object = {}) =>
    ({ id: 'a', pid, pane: null, host: null, origin: null, memory, ...more }) as unknown as Folded;
  return { pid, session, panes: [pane('%1', pid + 100_000), pane('%2', process.pid)] };
};

test('a session without a pane gets the one that its process runs below', async () => {
  const { pid, session, panes } = await setUp();
  const found = new PaneFinder(false).find([session()], panes);
  expect(found.map(one => [one.session.id, one.pane.id, one.pid])).toEqual([['a', '%2', pid]]);
  expect(new PaneFinder(false).find([session()], [pane('%2', process.pid, true)])).toEqual([]);
  // Its process is not known from a file, is elsewhere, or has a pane by its environment.
  const memory = emptyMemory(0);
  expect(new PaneFinder(false).find([session({ memory }), session({ host: 'devbox' })], panes)).toEqual([]);
  expect(new PaneFinder(true).find([session()], panes)).toEqual([]);
});

test('a session that was resumed in another pane moves there; one in the right pane stays', async () => {
  const { session, panes } = await setUp();
  const at = (id: string, panePid: number | null) =>
    session({ pane: { socket: '/s', id, serverPid: 1, pid: panePid } });
  const find = (one: Folded) => new PaneFinder(false).find([one], panes).map(found => found.pane.id);
  expect(find(at('%1', panes[0]?.pid ?? 0))).toEqual(['%2']);
  expect(find(at('%2', process.pid))).toEqual([]);
  expect(find(at('%2', null))).toEqual([]);
  // The pane of the same name on a server that was restarted.
  expect(find(session({ pane: { socket: '/s', id: '%2', serverPid: 7, pid: null } }))).toEqual(['%2']);
});

test('ancestors are read again before a pane is found: one of their pids may be that of a new pane', async () => {
  const { pid, session, panes } = await setUp();
  let pids = [pid, pid + 200_000];
  let reads = 0;
  const lineages = new Lineages(() => {
    reads++;
    return pids;
  });
  const finder = new PaneFinder(false, lineages);
  const find = (now: TmuxPane[]) => finder.find([session()], now).map(found => found.pane.id);
  expect([find(panes), find(panes), reads]).toEqual([[], [], 1]);
  // The parent has ended, and another pane has reused its pid.
  pids = [pid];
  const reused = pane('%3', pid + 200_000);
  expect(find([reused])).toEqual([]);
  pids = [pid, pid + 300_000];
  lineages.keepOnly([]);
  expect(find([reused, pane('%4', pid + 300_000)])).toEqual(['%4']);
});
