import { expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../testing/home.ts';
import { aWake } from '../testing/wake.ts';
import { Store } from './store.ts';

const opened = async () => {
  const store = await Store.open(tempHome().db);
  onTestFinished(() => store.close());
  return { store, wakes: store.wakes };
};

test('the capture of a session replaces its last one, which is returned once', async () => {
  const { wakes } = await opened();
  expect(wakes.exchangeCapture('a', 'one')).toBe(null);
  expect(wakes.exchangeCapture('a', 'two')).toBe('one');
  expect(wakes.exchangeCapture('b', 'other')).toBe(null);
  expect(wakes.exchangeCapture('a', 'two')).toBe('two');
  wakes.dropCapture('a');
  expect(wakes.exchangeCapture('a', 'three')).toBe(null);
  expect(wakes.exchangeCapture('b', 'more')).toBe('other');
  wakes.removeOf('b');
  expect(wakes.exchangeCapture('b', 'again')).toBe(null);
});

test('a wake is identified by agent, session, trigger and key', async () => {
  const { wakes } = await opened();
  const wake = aWake({ agent: 'a', sessionId: 's', key: '7' });
  expect(wakes.add(wake)).toBe(true);
  expect(wakes.add({ ...wake, id: 'w2' })).toBe(false);
  expect(wakes.has('a', 's', 'response_complete', '7')).toBe(true);
  for (const [agent, session, trigger, key] of [
    ['b', 's', 'response_complete', '7'],
    ['a', 't', 'response_complete', '7'],
    ['a', 's', 'idle_prompt', '7'],
    ['a', 's', 'response_complete', '8'],
  ] as const)
    expect(wakes.has(agent, session, trigger, key)).toBe(false);
});

test('undelivered wakes are counted by agent', async () => {
  const { wakes } = await opened();
  const statuses = ['dead', 'dropped', 'dropped', 'delivered', 'pending'] as const;
  for (const [n, status] of statuses.entries()) wakes.add(aWake({ id: `w${n}`, key: String(n), status }));
  wakes.add(aWake({ id: 'other', agent: 'other', status: 'dead' }));
  expect(Object.fromEntries(wakes.undelivered())).toEqual({
    warden: { dead: 1, dropped: 2 },
    other: { dead: 1, dropped: 0 },
  });
});

test('a wake of an earlier version, which called its bundle a parcel, keeps it', async () => {
  const { wakes } = await opened();
  const { bundle: _, ...wake } = aWake({ status: 'sending' });
  wakes.add({ ...wake, parcel: 'p1' } as unknown as Parameters<typeof wakes.add>[0]);
  expect(wakes.open()).toMatchObject([{ id: wake.id, bundle: 'p1' }]);
});
