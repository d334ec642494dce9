import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Draft } from '../contract/event.ts';
import type { Notice } from '../contract/notice.ts';
import type { Session } from '../contract/session.ts';
import { emptyMemory, type Folded, noNames } from '../session/memory.ts';
import { aSession } from '../testing/session.ts';
import type { Announcement } from './announcement.ts';
import { NoticeLog } from './notice-log.ts';
import { Notifier } from './notifier.ts';
import { policyOf } from './policy.ts';

const minute = 60_000;
const deferral = {
  since: 0,
  skipped: null,
  snoozed: null,
  dismissed: null,
  claim: null,
  notified: null,
  seen: null,
};

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Sessions, a clock under control of the test, and every notice sent. The settings are those of config.json. */
const opened = (settings: Parameters<typeof policyOf>[0] = { after: 60 }) => {
  const dir = mkdtempSync(join(tmpdir(), 'dn-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const sessions = new Map<string, Folded>();
  const sent: Notice[] = [];
  let seen = new Set<string>();
  let failure: string | null = null;
  let isOn = true;
  const makeLog = () =>
    new NoticeLog(join(dir, 'notices.jsonl'), (_, error) => {
      throw error;
    });
  let log = makeLog();
  const policy = policyOf(settings);
  const make = () =>
    new Notifier(
      policy,
      { now: Date.now },
      {
        isOn: () => isOn,
        sessions: () => Array.from(sessions.values()),
        inSight: async () => seen,
        deliver: async notice => {
          sent.push(notice);
          return [{ channel: 'webhook', failure }];
        },
        log,
        // As the loop does: a notice comes back as a change of the session.
        record: drafts => drafts.forEach(onNotice),
        mask: text => text.replaceAll('secret', '[redacted]'),
        onError: (_, error) => {
          throw error;
        },
      },
    );
  let notify = make();
  const put = (session: Session) => {
    const before = sessions.get(session.id);
    const after = { ...session, names: noNames, memory: emptyMemory(0) };
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
    asks: (id: string, more: Partial<Session> = {}) =>
      put(aSession({ id, state: 'waiting', reason: 'permission', since: Date.now(), project: id, ...more })),
    works: (id: string) => put(aSession({ id, state: 'working', since: Date.now(), project: id })),
    pass: (time: number) => vi.advanceTimersByTimeAsync(time),
    show: (...ids: string[]) => {
      seen = new Set(ids);
    },
    fail: (text: string) => {
      failure = text;
    },
    turn: (on: boolean) => {
      isOn = on;
      notify.schedule();
    },
    change: (changed: Parameters<typeof policyOf>[0]) => {
      Object.assign(policy, policyOf(changed));
      notify.onPolicy();
    },
    announce: (title: string, more: Partial<Announcement> = {}) =>
      notify.announce({ title, text: 'text', ...more }),
    test: () => notify.test(),
    status: () => notify.status,
    restart: () => {
      notify.close();
      log = makeLog();
      notify = make();
      notify.start();
    },
    titles: () => sent.map(({ title }) => title),
    /** What was suppressed: the session and the reason. */
    suppressed: () =>
      log
        .newest(100)
        .filter(({ outcome }) => outcome === 'suppressed')
        .map(({ sessions: [id], reason }) => `${id}: ${reason}`),
    logged: () => log.newest(100).map(({ outcome, channel, reason }) => ({ outcome, channel, reason })),
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
    text: 'shop: done, the [redacted]',
    sessions: [{ request: 'the [redacted]' }],
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

test('leaves out a session while it is in sight', async () => {
  const { waits, pass, titles, show, suppressed } = opened({ after: 60, cooldown: 0 });
  show('seen');
  waits('seen');
  await pass(1_000);
  waits('other');
  // A session in sight does not delay the others.
  await pass(minute);
  expect(titles()).toEqual(['other waits for you, 1 min']);
  await pass(4 * minute);
  expect(titles().length).toBe(1);
  expect(suppressed()).toEqual(['seen: in sight']);
  show();
  await pass(minute / 2);
  expect(titles()[1]).toBe('seen waits for you, 5 min');
});

test('does not notify about a deferred session, but again when its snooze ends', async () => {
  const { waits, pass, titles } = opened({ after: 60, cooldown: 0 });
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
  const { waits, pass, status, fail, logged } = opened();
  fail('HTTP status 500 for secret');
  waits('shop');
  await pass(minute);
  expect(status()).toMatchObject({
    sent: 1,
    failed: 1,
    lastAt: minute,
    lastFailure: 'webhook: HTTP status 500 for [redacted]',
  });
  expect(logged()).toEqual([
    { outcome: 'failed', channel: 'webhook', reason: 'HTTP status 500 for [redacted]' },
  ]);
});

test('by default a blocked session is due after 30 s, finished ones in one digest after 10 min', async () => {
  const { waits, asks, pass, titles } = opened({});
  waits('first');
  await pass(9 * minute);
  waits('second');
  asks('shop');
  await pass(30_000 - 1);
  expect(titles()).toEqual([]);
  await pass(1);
  expect(titles()).toEqual(['shop waits for you']);
  await pass(30_000);
  expect(titles()[1]).toBe('2 sessions wait for you, 10 min');
  await pass(60 * minute);
  expect(titles()).toHaveLength(2);
});

test('sessions that ask within a second are one notice', async () => {
  const { asks, pass, titles } = opened({});
  asks('first');
  await pass(900);
  asks('second');
  await pass(200);
  asks('third');
  await pass(30_000 - 1_100);
  expect(titles()).toEqual(['2 sessions wait for you']);
  await pass(1_100);
  expect(titles()).toEqual(['2 sessions wait for you', 'third waits for you']);
  await pass(10 * minute);
  expect(titles()).toHaveLength(2);
});

test('a digest of finished sessions can be turned off, and every delay can be set', async () => {
  const { waits, asks, pass, titles } = opened({ blockedAfter: 5, finishedAfter: null });
  waits('done');
  asks('shop');
  await pass(5_000);
  expect(titles()).toEqual(['shop waits for you']);
  await pass(60 * minute);
  expect(titles()).toHaveLength(1);
});

test('a session in its cooldown is suppressed once, and notified after it if it still waits', async () => {
  const { asks, works, pass, titles, suppressed, status } = opened({});
  asks('shop');
  await pass(30_000);
  works('shop');
  await pass(1_000);
  asks('shop');
  asks('blog');
  await pass(30_000);
  // The cooldown is that of one session.
  expect(titles()).toEqual(['shop waits for you', 'blog waits for you']);
  expect(suppressed()).toEqual(['shop: cooldown']);
  await pass(5 * minute - 31_000 - 1);
  expect(titles()).toHaveLength(2);
  await pass(1);
  expect(titles()[2]).toBe('shop waits for you, 4 min');
  expect(suppressed()).toHaveLength(1);
  expect(status()).toMatchObject({ sent: 3, suppressed: 1 });
});

test('a request that opens after the notice about its session gets its own, after the cooldown', async () => {
  const { asks, pass, titles, sent } = opened({});
  const request = { kind: 'permission', tool: 'Bash', agent: null, line: 'ls', until: null } as const;
  const first = { ...request, id: 1, at: 0 };
  asks('shop', { requests: [first] });
  await pass(30_000);
  asks('shop', {
    since: 0,
    requests: [first, { ...request, id: 2, at: Date.now() - 10 }],
    deferral: { ...deferral, notified: 30_000 },
  });
  await pass(20 * minute);
  expect(titles()).toHaveLength(1);
  asks('shop', {
    since: 0,
    requests: [{ ...request, id: 3, at: Date.now() }],
    deferral: { ...deferral, notified: 30_000 },
  });
  await pass(30_000);
  expect(titles()).toHaveLength(2);
  expect(sent[1]?.sessions[0]).toMatchObject({ says: 'needs approval', requestId: null });
  await pass(60 * minute);
  expect(titles()).toHaveLength(2);
});

test('a finished session that somebody has looked at is not notified about', async () => {
  const { waits, asks, pass, titles, suppressed } = opened({});
  waits('shop', { deferral: { ...deferral, seen: 1 } });
  asks('blog', { deferral: { ...deferral, seen: 1 } });
  await pass(60 * minute);
  expect(titles()).toEqual(['blog waits for you']);
  expect(suppressed()).toEqual(['shop: seen']);
});

test('nothing is sent in quiet hours; what still waits goes into one digest after them', async () => {
  vi.setSystemTime(new Date(2026, 10, 16, 21, 59, 0));
  const { asks, waits, works, announce, pass, titles, sent, suppressed } = opened({
    quietHours: { from: '22:00', to: '07:00' },
  });
  asks('early');
  await pass(30_000);
  expect(titles()).toEqual(['early waits for you']);
  await pass(minute);
  asks('shop');
  asks('answered');
  waits('done');
  await announce('Budget reached');
  await pass(60 * minute);
  works('answered');
  await pass(7 * 60 * minute);
  expect(titles()).toHaveLength(1);
  expect(suppressed()).toEqual([
    'undefined: quiet hours',
    'answered: quiet hours',
    'shop: quiet hours',
    'done: quiet hours',
  ]);
  await pass(60 * minute);
  expect(titles()[1]).toMatch(/^2 sessions wait for you, /);
  expect(new Date(sent[1]?.at ?? 0).getHours()).toBe(7);
  expect(sent[1]?.text).not.toContain('Budget');
  expect(sent[2]).toEqual({ at: sent[1]?.at, title: 'Budget reached', text: 'text', sessions: [] });
  expect(titles()).toHaveLength(3);
});

test('announcements are masked; those of quiet hours become one notice with a line for each', async () => {
  vi.setSystemTime(new Date(2026, 10, 16, 21, 0, 0));
  const { announce, pass, sent } = opened({ quietHours: { from: '22:00', to: '07:00' } });
  const brief = { title: 'Same file', text: 'secret' };
  await announce('the secret', { text: 'a secret', brief });
  expect(sent[0]).toMatchObject({
    title: 'the [redacted]',
    text: 'a [redacted]',
    brief: { title: 'Same file', text: '[redacted]' },
  });
  await pass(120 * minute);
  await announce('Budget reached');
  await announce('Two change a.ts', { brief });
  await announce('Two change b.ts', { brief });
  await pass(10 * 60 * minute);
  const title = '3 notifications from quiet hours';
  expect(sent.slice(1)).toMatchObject([
    {
      title,
      text: 'Budget reached\ntext\nTwo change a.ts\ntext\nTwo change b.ts\ntext',
      brief: { title, text: 'Budget reached\nSame file' },
      sessions: [],
    },
  ]);
});

test('a restart keeps the cooldown of each session and logs nothing twice', async () => {
  const { asks, works, pass, titles, restart, suppressed } = opened({});
  asks('shop');
  await pass(30_000);
  works('shop');
  asks('shop', { since: Date.now() + 1 });
  await pass(31_000);
  expect(suppressed()).toEqual(['shop: cooldown']);
  restart();
  await pass(60_000);
  expect(titles()).toHaveLength(1);
  expect(suppressed()).toEqual(['shop: cooldown']);
  await pass(5 * minute);
  expect(titles()).toHaveLength(2);
  restart();
  await pass(60 * minute);
  expect(titles()).toHaveLength(2);
});

test('what waited while the daemon was down is one notice', async () => {
  const { asks, waits, pass, titles, restart, turn } = opened({});
  turn(false);
  for (let n = 0; n < 8; n++) asks(`s${n}`);
  waits('done');
  await pass(60 * minute);
  expect(titles()).toEqual([]);
  turn(true);
  restart();
  await pass(10);
  expect(titles()).toEqual(['9 sessions wait for you, 60 min']);
});

test('a clock that is set back does not prolong a cooldown', async () => {
  const { asks, works, pass, titles } = opened({});
  await pass(24 * 60 * minute);
  asks('shop');
  await pass(30_000);
  works('shop');
  vi.setSystemTime(60 * minute);
  asks('shop');
  await pass(30_000);
  expect(titles()).toHaveLength(2);
});

test('a snooze that ends is notified in spite of the cooldown', async () => {
  const { asks, put, pass, titles } = opened({});
  asks('shop');
  await pass(30_000);
  put(
    aSession({
      id: 'shop',
      state: 'waiting',
      reason: 'permission',
      since: 0,
      project: 'shop',
      deferral: { ...deferral, notified: 30_000, snoozed: 90_000 },
    }),
  );
  await pass(60_000);
  expect(titles()).toEqual(['shop waits for you', 'shop waits for you, 1 min']);
});

test('a test is sent at once, also in quiet hours', async () => {
  const { test: send, titles } = opened({ quietHours: { from: '00:00', to: '23:59' } });
  expect(await send()).toEqual([{ channel: 'webhook', failure: null }]);
  expect(titles()).toEqual(['Drover can notify you']);
});

test('a change of the settings applies to what they suppressed', async () => {
  const { asks, pass, titles, suppressed, change } = opened({ quietHours: { from: '00:00', to: '23:59' } });
  asks('shop');
  await pass(60_000);
  expect([titles(), suppressed()]).toEqual([[], ['shop: quiet hours']]);
  change({});
  await pass(10);
  expect(titles()).toEqual(['shop waits for you, 1 min']);
});
