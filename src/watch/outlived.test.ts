import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import type { Folded } from '../session/memory.ts';
import { Outlived } from './outlived.ts';

const setUp = async () => {
  const server = spawn('sleep', ['60']);
  await once(server, 'spawn');
  onTestFinished(() => void server.kill());
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const drafts: Draft[] = [];
  const sessions = new Map<string, Folded>();
  const outlived = new Outlived(
    id => sessions.get(id),
    more => drafts.push(...more),
    { now: () => 1 },
  );
  const session = (state: string, fields: object = {}) =>
    ({ id: 'a', state, host: null, headless: false, pane: { serverPid: server.pid }, ...fields }) as Folded;
  const ends = (fields: object = {}) => {
    const after = session('ended', fields);
    sessions.set('a', after);
    outlived.onChange(session('waiting', fields), after);
  };
  return { server, drafts, sessions, outlived, session, ends };
};

test('records an end when the server is still running shortly after', async () => {
  const { drafts, ends } = await setUp();
  ends();
  expect(drafts).toEqual([]);
  vi.advanceTimersByTime(limits.watch.serverOutlivesAfter);
  expect(drafts).toMatchObject([{ source: 'sweep', name: 'Outlived', sessionId: 'a' }]);
});

test('records nothing when the server exited too, the session came back, or there is no server', async () => {
  const { server, drafts, sessions, session, ends } = await setUp();
  ends();
  sessions.set('a', session('ready'));
  vi.advanceTimersByTime(limits.watch.serverOutlivesAfter);
  for (const fields of [{ pane: null }, { host: 'box' }, { headless: true }]) ends(fields);
  vi.advanceTimersByTime(limits.watch.serverOutlivesAfter);
  ends();
  server.kill('SIGKILL');
  await once(server, 'exit');
  vi.advanceTimersByTime(limits.watch.serverOutlivesAfter);
  expect(drafts).toEqual([]);
});
