import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Draft } from '../contract/event.ts';
import type { Notice } from '../contract/notice.ts';
import type { Pane, Session } from '../contract/session.ts';
import { emptyMemory, type Folded } from '../session/memory.ts';
import { aSession } from '../testing/session.ts';
import { Notify } from './notify.ts';

const minute = 60_000;
const pane: Pane = {
  socket: '/s',
  serverPid: 1,
  id: '%1',
  pid: 2,
  session: 'main',
  window: 'w',
  windowIndex: 0,
};
const deferral = { since: 0, skipped: null, snoozed: null, dismissed: null, claim: null, notified: null };

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Sessions, a clock under control of the test, and every notice sent. */
const opened = (cooldown = 300) => {
  const sessions = new Map<string, Folded>();
  const sent: Notice[] = [];
  let seen = new Set<Pane>();
  let problems: string[] = [];
  const make = () =>
    new Notify(
      { after: 60, cooldown, bell: false, desktop: false },
      { now: Date.now },
      {
        sessions: () => Array.from(sessions.values()),
        inSight: async () => seen,
        deliver: async notice => {
          sent.push(notice);
          return problems;
        },
        // As the loop does: a notice comes back as a change of the session.
        take: drafts => drafts.forEach(onNotice),
        mask: text => text.replaceAll('secret', '[redacted]'),
        onError: (_, error) => {
          throw error;
        },
      },
    );
  let notify = make();
  const put = (session: Session) => {
    const before = sessions.get(session.id);
    const after = { ...session, memory: emptyMemory(0) };
    sessions.set(session.id, after);
    notify.onChange(before, after);
  };
  const onNotice = ({ sessionId, at }: Draft) => {
    const session = sessions.get(sessionId as string) as Folded;
    put({ ...session, deferral: { ...deferral, ...session.deferral, since: session.since, notified: at } });
  };
  notify.start();
  return {
    sent,
    put,
    waits: (id: string, more: Partial<Session> = {}) =>
      put(aSession({ id, state: 'waiting', reason: 'stopped', since: Date.now(), project: id, ...more })),
    pass: (time: number) => vi.advanceTimersByTimeAsync(time),
    showPanes: (...panes: Pane[]) => {
      seen = new Set(panes);
    },
    fail: (text: string) => {
      problems = [text];
    },
    status: () => notify.status,
    restart: () => {
      notify.close();
      notify = make();
      notify.start();
    },
    titles: () => sent.map(({ title }) => title),
  };
};

test('notifies once when a session has waited long enough', async () => {
  const { waits, pass, titles, sent } = opened();
  waits('shop', {
    detail: { line: 'the secret', text: null, tool: null, questions: [], agent: null, cut: 0, request: null },
  });
  await pass(minute - 1);
  expect(titles()).toEqual([]);
  await pass(1);
  expect(titles()).toEqual(['shop waits for you, 1 min']);
  expect(sent[0]).toMatchObject({
    text: 'shop: stopped, the [redacted]',
    sessions: [{ asks: 'the [redacted]' }],
  });
  await pass(60 * minute);
  expect(titles().length).toBe(1);
});

test('does not notify about a session that is answered in time', async () => {
  const { waits, put, pass, titles } = opened();
  waits('shop');
  await pass(minute / 2);
  put(aSession({ id: 'shop', state: 'working', since: Date.now() }));
  await pass(10 * minute);
  expect(titles()).toEqual([]);
});

test('collects sessions during the cooldown into one digest after it', async () => {
  const { waits, pass, titles } = opened();
  waits('first');
  await pass(minute);
  for (let n = 0; n < 12; n++) waits(`s${n}`);
  await pass(4 * minute);
  expect(titles().length).toBe(1);
  await pass(1 * minute);
  expect(titles()).toEqual(['first waits for you, 1 min', '12 sessions wait for you, 5 min']);
});

test('leaves out a pane while it is in sight', async () => {
  const { waits, pass, titles, showPanes } = opened(0);
  showPanes(pane);
  waits('seen', { pane });
  await pass(1_000);
  waits('other', { pane: { ...pane, id: '%2' } });
  // A pane in sight does not delay the others.
  await pass(minute);
  expect(titles()).toEqual(['other waits for you, 1 min']);
  await pass(4 * minute);
  expect(titles().length).toBe(1);
  showPanes();
  await pass(minute / 2);
  expect(titles()[1]).toBe('seen waits for you, 5 min');
});

test('does not notify about a deferred session, but again when its snooze ends', async () => {
  const { waits, pass, titles } = opened(0);
  waits('away', { deferral: { ...deferral, dismissed: 'stopped' } });
  waits('later', { deferral: { ...deferral, snoozed: 10 * minute, notified: 1 } });
  await pass(10 * minute - 1);
  expect(titles()).toEqual([]);
  await pass(1);
  expect(titles()).toEqual(['later waits for you, 10 min']);
});

test('a restart repeats no notice and keeps the cooldown', async () => {
  const { waits, pass, titles, restart } = opened();
  waits('shop');
  await pass(minute);
  restart();
  waits('blog');
  await pass(4 * minute);
  expect(titles().length).toBe(1);
  await pass(minute);
  expect(titles()[1]).toBe('blog waits for you, 5 min');
});

test('counts failures and keeps the last one', async () => {
  const { waits, pass, status, fail } = opened();
  fail('webhook: HTTP status 500');
  waits('shop');
  await pass(minute);
  expect(status()).toMatchObject({
    sent: 1,
    failed: 1,
    lastAt: minute,
    lastFailure: 'webhook: HTTP status 500',
  });
});
