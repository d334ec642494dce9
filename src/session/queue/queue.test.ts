import { describe, expect, test } from 'vitest';
import type { Order } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import { snapshotName } from '../fold.ts';
import type { Folded } from '../memory.ts';
import { headFor, queueChangesAt, queueOf } from './queue.ts';
import { SessionIndex } from '../../live/session-index.ts';
import { aSession } from '../../testing/session.ts';
import { hook, type ScriptEvent, foldEvent } from '../../testing/fold-script.ts';

const id = (n: number) => `aaaaaaaa-0000-4000-8000-00000000000${n}`;
const second = 1_000;

/** A session index that gets events one after another. */
const runStory = (...says: ScriptEvent[]) => {
  const sessionIndex = new SessionIndex([]);
  let seq = 0;
  const foldAll = (more: ScriptEvent[]) => {
    for (const event of more) {
      foldEvent(sessionIndex, ++seq, event, event.at);
      // As the daemon does: a moment later the tentative state is confirmed.
      foldEvent(
        sessionIndex,
        ++seq,
        { at: event.at + 900, source: 'drover', name: 'Settled', id: event.id as string },
        event.at,
      );
    }
  };
  foldAll(says);
  return {
    add: (...more: ScriptEvent[]) => foldAll(more),
    queue: (now: number, order?: Order) => queueOf(sessionIndex.live(), now, order),
    names: (now: number, order?: Order) =>
      queueOf(sessionIndex.live(), now, order).map(
        ({ session, deferred }) => `${session.id.slice(-1)}${deferred ? ` ${deferred}` : ''}`,
      ),
    get: (n: number) => sessionIndex.get(id(n)) as Folded,
  };
};

const of = (n: number, event: ScriptEvent): ScriptEvent => ({ ...event, id: id(n) });
const stops = (n: number, at: number): ScriptEvent[] => [
  of(n, hook(at - 500, 'UserPromptSubmit', { prompt: 'do' })),
  of(n, hook(at, 'Stop', { last_assistant_message: 'done' })),
];
const act = (n: number, at: number, name: string, fields = {}): ScriptEvent => ({
  at,
  source: 'drover',
  name,
  id: id(n),
  fields,
});

const three = [...stops(1, 1_000), ...stops(2, 2_000), ...stops(3, 3_000)];

test('a snapshot of an earlier version, which called the deferral `hold`, keeps it', () => {
  const story = runStory(...three, act(1, 4_000, 'Snoozed', { until: 60_000 }));
  const { deferral, ...rest } = story.get(1);
  expect(deferral).toMatchObject({ snoozed: 60_000 });
  const earlier = runStory(act(1, 4_000, snapshotName, { session: { ...rest, hold: deferral } }));
  expect(earlier.get(1)).toEqual({ ...story.get(1), seq: 2, memory: earlier.get(1).memory });
  expect(earlier.names(10_000)).toEqual(['1 snoozed']);
});

describe('the queue', () => {
  test('who waits longest comes first, and keeps its position while it waits without a break', () => {
    const story = runStory(
      ...three,
      of(1, hook(9_000, 'Notification', { notification_type: 'idle_prompt' })),
    );
    expect(story.names(10_000)).toEqual(['1', '2', '3']);
    expect(story.queue(10_000).map(({ position }) => position)).toEqual([1, 2, 3]);
  });

  test('what works, has ended or runs headless is not in it', () => {
    const story = runStory(
      ...three,
      of(1, hook(5_000, 'UserPromptSubmit', { prompt: 'go on' })),
      of(2, hook(5_000, 'SessionEnd', { reason: 'other' })),
    );
    expect(story.names(10_000)).toEqual(['3']);
    expect(queueOf([{ ...story.get(3), headless: true }], 10_000)).toEqual([]);
  });

  test('an answered session comes back at the end', () => {
    const story = runStory(...three, ...stops(1, 8_000));
    expect(story.names(10_000)).toEqual(['2', '3', '1']);
  });

  test('a skipped session goes to the back and is deferred for 30 s, then keeps its new position', () => {
    const story = runStory(...three, act(1, 10_000, 'Skipped'));
    expect(story.names(11_000)).toEqual(['2', '3', '1 skipped']);
    expect(story.names(10_000 + 30 * second)).toEqual(['2', '3', '1']);
    expect(queueChangesAt(story.queue(11_000))).toBe(40_000);
  });

  test('any session can be skipped, also while an older skip is active', () => {
    const story = runStory(...three, act(1, 10_000, 'Skipped'), act(2, 11_000, 'Skipped'));
    expect(story.names(12_000)).toEqual(['3', '1 skipped', '2 skipped']);
    story.add(act(3, 12_000, 'Skipped'));
    expect(headFor(story.queue(12_000), null)).toBeNull();
    expect(headFor(story.queue(40_500), null)?.session.id).toBe(id(1));
  });

  test('a snoozed session is deferred until its time and keeps its position', () => {
    const story = runStory(...three, act(1, 10_000, 'Snoozed', { until: 70_000 }));
    expect(story.names(69_999)).toEqual(['1 snoozed', '2', '3']);
    expect(story.names(70_000)).toEqual(['1', '2', '3']);
    story.add(act(1, 71_000, 'Snoozed', {}));
    expect(story.names(72_000)).toEqual(['1', '2', '3']);
  });

  test('a dismissed one is deferred until its state changes', () => {
    const story = runStory(...three, act(1, 10_000, 'Dismissed'));
    expect(story.names(10_000_000)).toEqual(['1 dismissed', '2', '3']);
    expect(queueChangesAt(story.queue(10_000_000))).toBeNull();
    story.add(...stops(1, 20_000));
    expect(story.names(21_000)).toEqual(['2', '3', '1']);
  });

  test('two clients do not get the same head within 30 s; a client gets its own again when nothing else is left', () => {
    const story = runStory(...stops(1, 1_000), ...stops(2, 2_000));
    story.add(act(1, 10_000, 'Claimed', { by: 'a', until: 40_000 }));
    expect(headFor(story.queue(11_000), 'b')?.session.id).toBe(id(2));
    story.add(act(2, 11_000, 'Claimed', { by: 'b', until: 41_000 }));
    expect(headFor(story.queue(12_000), 'c')).toBeNull();
    expect(headFor(story.queue(12_000), 'b')?.session.id).toBe(id(2));
    expect(headFor(story.queue(40_000), 'c')?.session.id).toBe(id(1));
  });

  test('a deferral ends when the session stops waiting, and not before', () => {
    const story = runStory(
      ...stops(1, 1_000),
      act(1, 5_000, 'Skipped'),
      of(1, hook(6_000, 'Notification', {})),
    );
    expect(story.names(7_000)).toEqual(['1 skipped']);
    story.add(of(1, hook(8_000, 'UserPromptSubmit', { prompt: 'go on' })), act(1, 8_500, 'Dismissed'));
    story.add(of(1, hook(9_000, 'Stop', {})));
    expect(story.names(10_000)).toEqual(['1']);
  });

  test('a dialog or an error comes before a finished turn, a skipped one last; in order `fifo` only the time counts', () => {
    const story = runStory(
      ...three,
      of(4, hook(5_000, 'UserPromptSubmit', { prompt: 'do' })),
      of(4, hook(6_000, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } })),
    );
    story.add(
      of(5, hook(7_000, 'UserPromptSubmit', { prompt: 'do' })),
      of(5, hook(7_500, 'StopFailure', { error: 'server_error' })),
    );
    expect(story.names(9_000, 'fifo')).toEqual(['1', '2', '3', '4', '5']);
    expect(story.names(9_000)).toEqual(['4', '5', '1', '2', '3']);
    story.add(act(4, 9_000, 'Skipped'));
    expect(story.names(10_000)).toEqual(['5', '1', '2', '3', '4 skipped']);
  });

  test('a blocked session keeps its position while one request follows another', () => {
    const asks = (n: number, at: number, command: string) =>
      of(n, hook(at, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command } }));
    const story = runStory(asks(1, 1_000, 'a'), asks(2, 2_000, 'b'), asks(1, 3_000, 'c'));
    expect(story.names(9_000)).toEqual(['1', '2']);
  });

  test('a deferral can be undone, and the session gets its old position back', () => {
    for (const [name, fields] of [
      ['Skipped', {}],
      ['Snoozed', { until: 90_000 }],
      ['Dismissed', {}],
    ] as const) {
      const story = runStory(...three, act(1, 10_000, name, fields));
      expect(story.names(11_000)).not.toEqual(['1', '2', '3']);
      story.add(act(1, 12_000, 'Undeferred'));
      expect(story.names(13_000)).toEqual(['1', '2', '3']);
    }
  });
});

test('a stalled session is in the queue only if the config says so, and can be deferred', () => {
  const stalled = (queued: boolean) => ({
    ...aSession({ state: 'working', since: 100 }),
    stalled: { since: 500, tool: 'Bash', queued },
  });
  expect(queueOf([stalled(false)], 1_000)).toEqual([]);
  expect(queueOf([stalled(true)], 1_000)).toMatchObject([{ position: 1, deferred: null }]);
  const waiting = aSession({ id: 'b', state: 'waiting', reason: 'permission', since: 400 });
  for (const order of ['fifo', 'blocked-first'] as const)
    expect(queueOf([stalled(true), waiting], 1_000, order).map(({ session }) => session.state)).toEqual([
      'waiting',
      'working',
    ]);
});

test('what came without a token is left out of the queue while the session itself is known here', () => {
  const waits = { state: 'waiting', reason: 'stopped' } as const;
  const here = aSession({ id: id(1), ...waits });
  const twin = aSession({ id: `${id(1)}@unverified`, origin: 'unverified', ...waits });
  const alone = aSession({ id: `${id(2)}@unverified`, origin: 'unverified', ...waits });
  const named = aSession({ id: `${id(1)}@devbox`, origin: 'devbox', ...waits });
  const ids = (...sessions: Parameters<typeof aSession>[0][]) =>
    queueOf(sessions.map(aSession), 0).map(({ session }) => session.id);
  expect(ids(here, twin, alone, named)).toEqual([here.id, named.id, alone.id]);
  expect(ids({ ...here, state: 'ended' }, twin)).toEqual([twin.id]);
});

test('an unverified session that waits is queued where the session known here has been at work since before', () => {
  const since = 10_000;
  const twin = aSession({
    id: `${id(1)}@unverified`,
    origin: 'unverified',
    state: 'waiting',
    reason: 'stopped',
    since,
  });
  const queued = (own: Partial<Session>, now: number) =>
    queueOf([aSession({ id: id(1), since: 9_000, ...own }), twin], now).map(({ session }) => session.id);
  for (const state of ['working', 'ready'] as const) {
    expect(queued({ state }, since + 1_000)).toEqual([]);
    expect(queued({ state }, since + 5_000)).toEqual([twin.id]);
    // It began to work after that, so the emitter did not report a prompt.
    expect(queued({ state, since: since + 1 }, since + 60_000)).toEqual([]);
  }
  expect(queued({ state: 'background' }, since + 60_000)).toEqual([]);
  const both = [aSession({ id: id(1), state: 'working', since: 9_000 }), twin];
  expect(queueChangesAt([], both, since)).toBe(since + 5_000);
  expect(queueChangesAt([], both, since + 5_000)).toBe(null);
});
