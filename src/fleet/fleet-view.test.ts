import { expect, onTestFinished, test, vi } from 'vitest';
import type { FleetRow } from '../contract/fleet.ts';
import type { Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { aFleet } from '../testing/fleet.ts';
import { aSession } from '../testing/session.ts';
import { seal } from './envelope.ts';
import { FleetView } from './fleet-view.ts';
import { rowOf } from './row.ts';

const id = '6c57b6f4-0000-4000-8000-000000000001';

const aLimit = { resetsAt: null, window: null, continues: false, isOver: false };

const viewing = async (skew = 0) => {
  let now = 10_000_000;
  const all = aFleet(() => now);
  const [laptop, box] = [all.stranger('laptop', 'seat'), all.stranger('devbox')];
  const opened = await all.open(laptop.host, [laptop.entry, box.entry]);
  const published: Session[][] = [];
  const details = vi.fn<(host: string) => Promise<Session[] | null>>(() => Promise.resolve(null));
  const view = new FleetView({
    ...opened,
    subjects: all.subjects,
    fleet: all.fleet,
    host: laptop.host,
    now: () => now,
    details,
    onSessions: sessions => void published.push(sessions),
  });
  opened.roster.onChange(({ host }) => view.onHost(host));
  let card = 0;
  const sign = async (instance = 'one') => {
    const body = {
      host: box.host,
      name: 'devbox',
      epoch: 'e',
      version: '1',
      instance,
      startedAt: 1,
      clock: now + skew,
    };
    const counts = { seq: ++card, waiting: 0, working: 0, sessions: 1 };
    await all.broker.put(
      all.subjects.host(box.host),
      seal(all.fleet, 'host', box.host, box.key.secret, { ...body, ...counts }),
    );
  };
  const publish = (fields: Partial<Session>, from = box, more: Partial<FleetRow> = {}) => {
    const row = { ...rowOf(aSession({ id, ...fields }), 'e', 'all'), ...more };
    return all.broker.put(
      all.subjects.row(box.host, row.session),
      seal(all.fleet, 'row', from.host, from.key.secret, row),
    );
  };
  const only = () => view.sessions()[0];
  return {
    ...all,
    ...opened,
    laptop,
    box,
    view,
    told: published,
    details,
    sign,
    publish,
    only,
    pass: (ms: number) => void (now += ms),
  };
};

test('rows are read on demand, get an id with the name of their host, and contain nothing local', async () => {
  const { view, publish, sign, only, box } = await viewing();
  await sign();
  await publish({ state: 'working', pid: 77, cwd: '/x', seq: 5 });
  expect(view.sessions()).toEqual([]);
  await view.startReading();
  expect(only()).toMatchObject({
    id: `${id}@devbox`,
    state: 'working',
    pid: null,
    pane: null,
    cwd: null,
    host: 'devbox',
  });
  expect(view.named('6c57b6', null)).toHaveLength(1);
  expect(view.named('6c57b6', box.host)).toHaveLength(1);
  expect(view.named('6c57b6', 'devbox')).toEqual([]);
});

test('the newer of two rows of a session counts, in whatever order they arrive', async () => {
  const { view, publish } = await viewing();
  await view.startReading();
  await publish({ title: 'New', seq: 9 });
  await publish({ title: 'Old', seq: 8 });
  // Rows arrive in order: with this one the old row has come too.
  await publish({ id: id.replace(/1$/, '2'), title: 'Other' });
  await vi.waitFor(() => expect(view.sessions().map(({ title }) => title)).toEqual(['New', 'Other']));
});

test('a row signed by another host, by nobody or by a revoked host is dropped and counted', async () => {
  const { view, publish, broker, subjects, box, laptop, stranger, roster, sealed, rejected } =
    await viewing();
  await view.startReading();
  await publish({}, stranger('thief'));
  await broker.put(subjects.row(box.host, id), Buffer.from('{"session":"x"}'));
  await vi.waitFor(() => expect(rejected()).toBe(2));
  expect(view.sessions()).toEqual([]);
  await publish({});
  await vi.waitFor(() => expect(view.sessions()).toHaveLength(1));
  await roster.take(sealed({ ...box.entry, revision: 2, isRevoked: true }));
  expect(view.sessions()).toEqual([]);
  await publish({ seq: 50 });
  await vi.waitFor(() => expect(rejected()).toBe(3));
  expect(laptop.host).not.toBe(box.host);
});

test('a row that is verified while its host is revoked does not bring the session back', async () => {
  const { view, publish, roster, box, rejected } = await viewing();
  await view.startReading();
  const member = roster.get(box.host);
  vi.spyOn(roster, 'get').mockReturnValue(null).mockReturnValueOnce(member);
  await publish({});
  await vi.waitFor(() => expect(rejected()).toBe(1));
  expect(view.sessions()).toEqual([]);
});

test('a row that arrives before the entry of its host is shown when that has been read', async () => {
  const { view, publish, stranger, roster, sealed, rejected } = await viewing();
  const late = stranger('late');
  let read = () => {};
  const settled = new Promise<void>(resolve => {
    read = resolve;
  });
  roster.readFrom({ settled: () => settled });
  await publish({}, late);
  const looked = view.startReading();
  await new Promise(resolve => setTimeout(resolve, 50));
  expect([view.sessions(), rejected()]).toEqual([[], 0]);
  await roster.take(sealed(late.entry));
  read();
  await looked;
  expect(view.sessions().map(session => session.host)).toEqual(['late']);
  await publish({ seq: 2 }, stranger('thief'));
  await vi.waitFor(() => expect(rejected()).toBe(1));
});

test('a session that was forgotten on its host is reported as ended and removed', async () => {
  const { view, publish, told } = await viewing();
  await view.startReading();
  await publish({ seq: 1 });
  await vi.waitFor(() => expect(view.sessions()).toHaveLength(1));
  await publish({ seq: 2 }, undefined, { isGone: true });
  await vi.waitFor(() => expect(view.sessions()).toEqual([]));
  expect(told.at(-1)).toMatchObject([{ state: 'ended', reason: 'lost' }]);
});

test('a host without a heartbeat is away, and its rows are published again', async () => {
  const { view, hosts, box, sign, publish, only, pass } = await viewing();
  await view.startReading();
  await sign();
  await publish({});
  await vi.waitFor(() => expect(only()?.fleet?.isAway).toBe(false));
  pass(limits.fleet.away + 1);
  expect(hosts.isAway(box.host)).toBe(true);
  view.onHost(box.host);
  expect(only()?.fleet).toMatchObject({ isAway: true });
  await sign();
  view.onHost(box.host);
  expect(only()?.fleet).toMatchObject({ isAway: false });
});

test('without the broker every row is stale at once, and right again with the next connection', async () => {
  const { view, hosts, bus, box, sign, publish, only, changed } = await viewing();
  await view.startReading();
  await sign();
  await publish({});
  await vi.waitFor(() => expect(only()?.fleet?.isAway).toBe(false));
  changed.length = 0;
  bus.setConnected(false);
  expect([hosts.isAway(box.host), hosts.isSilent(box.host)]).toEqual([true, false]);
  expect(changed).toEqual([box.host]);
  view.onHost(box.host);
  expect(only()?.fleet?.isAway).toBe(true);
  bus.setConnected(true);
  expect(changed).toEqual([box.host, box.host]);
  expect(hosts.isAway(box.host)).toBe(false);
});

test('times of a host whose clock is an hour ahead are converted to ours', async () => {
  const hour = 3_600_000;
  const { view, publish, sign, hosts, box, only, pass } = await viewing(hour);
  await sign();
  pass(1_000);
  await sign();
  await vi.waitFor(() => expect(hosts.skewOf(box.host)).toBe(hour));
  await view.startReading();
  await publish({ state: 'waiting', reason: 'stopped', since: 10_000_000 + hour });
  await vi.waitFor(() => expect(only()?.since).toBe(10_000_000));
});

test('whatever times a host claims, they are times that a date can show', async () => {
  const { view, publish } = await viewing();
  const [early, late] = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  await view.startReading();
  await publish({ id, since: late, touched: late, limit: { ...aLimit, resetsAt: late } });
  await publish({ id: id.replace(/1$/, '2'), since: early, touched: early });
  await vi.waitFor(() => expect(view.sessions()).toHaveLength(2));
  for (const { since, touched, started, evidence, limit } of view.sessions())
    for (const time of [since, touched, started, evidence.at, limit?.resetsAt ?? 0])
      expect(Number.isNaN(new Date(time).getTime())).toBe(false);
});

test('a session whose reason only a newer drover knows is shown without it', async () => {
  const { view, publish, only } = await viewing();
  await view.startReading();
  const newer = { reason: 'dreaming', titleFrom: 'dream' } as unknown as Partial<FleetRow>;
  await publish({ state: 'waiting', title: 'Work' }, undefined, newer);
  await vi.waitFor(() => expect(only()).toMatchObject({ state: 'waiting', reason: null, title: 'Work' }));
});

test('open requests are fetched from the host, and shown for the row they belong to', async () => {
  const { view, publish, sign, details, only } = await viewing();
  await sign();
  await view.startReading();
  const request = {
    id: 7,
    kind: 'permission',
    tool: 'Bash',
    agent: null,
    line: 'touch x',
    at: 1,
    until: null,
  } as const;
  const asking = { state: 'waiting', reason: 'permission', since: 5_000, requests: [request] } as const;
  details.mockResolvedValue([aSession({ id, ...asking, requests: [request], pid: 9 })]);
  await publish({ ...asking, requests: [request], seq: 4 });
  await vi.waitFor(() => expect(only()?.requests).toMatchObject([{ id: 7, line: 'touch x' }]));
  expect(only()).toMatchObject({ id: `${id}@devbox`, pid: null });
  expect(details).toHaveBeenCalledTimes(1);
  await publish({ state: 'working', since: 6_000, seq: 5 });
  await vi.waitFor(() => expect(only()?.requests).toEqual([]));
});

test('a request that is opened while the details of its host are being read is shown too', async () => {
  const { view, publish, sign, details } = await viewing();
  await sign();
  await view.startReading();
  const request = (number: number) =>
    ({ id: number, kind: 'permission', tool: 'Bash', agent: null, line: 'x', at: 1, until: null }) as const;
  const asking = (number: number) => ({
    id: id.replace(/1$/, String(number)),
    state: 'waiting' as const,
    reason: 'permission' as const,
    since: 5_000,
    requests: [request(number)],
  });
  let answer: (sessions: Session[]) => void = () => {};
  details.mockImplementationOnce(() => new Promise(resolve => (answer = resolve)));
  details.mockResolvedValue([aSession(asking(1)), aSession(asking(2))]);
  await publish(asking(1));
  await vi.waitFor(() => expect(details).toHaveBeenCalledTimes(1));
  await publish(asking(2));
  await vi.waitFor(() => expect(view.sessions()).toHaveLength(2));
  answer([aSession(asking(1))]);
  await vi.waitFor(() => expect(view.sessions().map(one => one.requests.length)).toEqual([1, 1]));
});

test('a host that publishes huge rows, or more of them than anybody has sessions, does not fill the memory', async () => {
  const { view, fleet, subjects, broker, box, rejected } = await viewing();
  const most = limits.fleet.rowsOfHost;
  onTestFinished(() => void Object.assign(limits.fleet, { rowsOfHost: most }));
  Object.assign(limits.fleet, { rowsOfHost: 3 });
  await view.startReading();
  const put = (session: string, more: object = {}) => {
    const row = { ...rowOf(aSession({ id: session }), 'e', 'all'), ...more };
    return broker.put(subjects.row(box.host, session), seal(fleet, 'row', box.host, box.key.secret, row));
  };
  await put('huge-row', { more: 'x'.repeat(limits.fleet.messageBytes) });
  for (let n = 0; n < 5; n++) await put(`session-${n}`);
  await vi.waitFor(() => expect(rejected()).toBe(3));
  expect(view.sessions()).toHaveLength(3);
  // Rows are verified at the same time, so any three of them may be the first.
  const [shown] = view.sessions().map(session => session.id.replace('@devbox', ''));
  await put(shown ?? '', { isGone: true, seq: 9_000 });
  await vi.waitFor(() => expect(view.sessions()).toHaveLength(2));
  await put('session-9');
  await vi.waitFor(() => expect(view.named('session-9', box.host)).toHaveLength(1));
});

test('the live sessions of a host that had very many short ones are shown', async () => {
  const { view, publish, rejected } = await viewing();
  const most = limits.fleet.rowsOfHost;
  onTestFinished(() => void Object.assign(limits.fleet, { rowsOfHost: most }));
  Object.assign(limits.fleet, { rowsOfHost: 3 });
  await publish({ id: 'parked-one', state: 'ended', reason: 'exit', parked: true });
  for (let n = 0; n < 4; n++) await publish({ id: `ended-${n}`, state: 'ended', reason: 'exit' });
  await publish({ id: 'live-one', state: 'working', reason: null });
  await view.startReading();
  // Rows are verified side by side, so which of the ended ones stays is open.
  const shown = view.sessions().map(({ id }) => id);
  expect(shown).toHaveLength(3);
  expect(shown).toEqual(expect.arrayContaining(['parked-one@devbox', 'live-one@devbox']));
  expect(rejected()).toBe(0);
});

test('rows that nobody views are forgotten, but not while the broker is out of reach', async () => {
  const { view, publish, bus } = await viewing();
  await publish({});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await view.startReading();
  bus.setConnected(false);
  vi.advanceTimersByTime(3 * limits.fleet.followPeriod);
  expect(view.sessions()).toHaveLength(1);
  bus.setConnected(true);
  vi.advanceTimersByTime(limits.fleet.followPeriod);
  expect(view.sessions()).toEqual([]);
});
