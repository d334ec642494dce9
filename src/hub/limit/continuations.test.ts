/** Messages for the reset of a usage limit: staggered, sent once, and not at all when the session has continued. */
import { expect, test } from 'vitest';
import type { DrivePolicy } from '../drive-policy.ts';
import type { Menus } from '../menu/menu.ts';
import type { Folded } from '../../session/memory.ts';
import { ownEvent } from '../../session/own-event.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { Continuations, type ContinuationDeps } from './continuations.ts';

const id = (n: number) => `aaaaaaaa-0000-4000-8000-00000000000${n}`;
const start = Date.parse('2026-11-16T21:00:00Z');
const minute = 60_000;

/** A clock that stands still until it is moved. */
const clockAt = (time: number) => {
  let now = time;
  let timers: { at: number; fire: () => void }[] = [];
  return {
    now: () => now,
    schedule: (ms: number, fire: () => void) => {
      const timer = { at: now + ms, fire };
      timers.push(timer);
      return () => void (timers = timers.filter(one => one !== timer));
    },
    move: (to: number) => {
      now = to;
      const due = timers.filter(({ at }) => at <= to);
      timers = timers.filter(({ at }) => at > to);
      for (const { fire } of due) fire();
    },
  };
};

const opened = async (more: Partial<ContinuationDeps> = {}) => {
  const clock = clockAt(start);
  const pipeline = await openPipeline(undefined, clock);
  const { loop, errors } = pipeline;
  const sent: { id: string; text: string; key: string | null }[] = [];
  const withdrawn: string[] = [];
  const deps: ContinuationDeps = {
    loop,
    clock,
    config: () => ({ message: 'continue', staggerSeconds: 20 }),
    messages: {
      send: async (session, { text }, key) => {
        sent.push({ id: session.id, text, key });
        return { id: `m${sent.length}`, sessionId: session.id };
      },
      withdraw: message => withdrawn.push(message) > 0,
    },
    receipts: { load: () => [] },
    menus: {} as Menus,
    drive: { assertMayDrive: () => {} } as unknown as DrivePolicy,
    catchUp: async () => loop.flush(),
    onError: (message, error) => void errors.push(`${message}: ${String(error)}`),
    announces: async () => false,
    closeMenu: async () => {},
    ...more,
  };
  const continuations = new Continuations(deps);
  loop.addViews([continuations]);
  const get = (n: number) => loop.sessionIndex.get(id(n)) as Folded;
  const report = (n: number, name: string, fields: object = {}, at = clock.now()) =>
    loop.append([
      {
        draft: hookDraft(
          name,
          { session_id: id(n), transcript_path: '/h/.claude/projects/-p/x.jsonl', ...fields },
          { pane: `%${n}`, socket: '/nowhere', serverPid: 1, pid: process.pid + n },
          at,
        ),
      },
    ]);
  /** A session that has reached its limit, which is reset at `resets`. */
  const limited = async (n: number, resets = '9:30pm') => {
    await report(n, 'SessionStart', {}, start - 3_000);
    await report(n, 'UserPromptSubmit', { prompt: 'do' }, start - 2_000);
    const last_assistant_message = `You've hit your session limit · resets ${resets} (UTC)`;
    await report(n, 'StopFailure', { error: 'rate_limit', last_assistant_message }, start - 1_000);
    return get(n);
  };
  /** Moves the clock, and waits for its effects. */
  const moveTo = async (time: number) => {
    clock.move(time);
    for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate);
  };
  return { ...pipeline, clock, deps, continuations, sent, withdrawn, report, limited, get, moveTo };
};

const reset = start + 30 * minute;

test('each session gets one message after the reset, one after the other', async () => {
  const { continuations, limited, moveTo, sent, get } = await opened();
  await continuations.schedule(await limited(1), {});
  await continuations.schedule(await limited(2), { text: 'go on' });
  // The message of Claude Code leaves out the seconds.
  expect(get(1).continuation?.sendAt).toBe(reset + minute + 20_000);
  expect(get(2).continuation?.sendAt).toBe(reset + minute + 40_000);
  await moveTo(reset + minute + 19_000);
  expect(sent).toEqual([]);
  await moveTo(reset + minute + 20_000);
  expect(sent.map(({ text }) => text)).toEqual(['continue']);
  await moveTo(reset + minute + 60_000);
  expect(sent.map(({ text }) => text)).toEqual(['continue', 'go on']);
  await moveTo(reset + 60 * minute);
  expect(sent).toHaveLength(2);
  expect([get(1).continuation, get(2).continuation]).toEqual([null, null]);
});

test('a machine that slept over the reset sends them one after another all the same', async () => {
  const { continuations, limited, moveTo, sent } = await opened();
  for (const n of [1, 2, 3]) await continuations.schedule(await limited(n), {});
  const awake = reset + 10 * minute;
  await moveTo(awake);
  expect(sent).toHaveLength(1);
  await moveTo(awake + 19_000);
  expect(sent).toHaveLength(1);
  await moveTo(awake + 20_000);
  expect(sent).toHaveLength(2);
  await moveTo(awake + 40_000);
  expect(new Set(sent.map(({ id: session }) => session)).size).toBe(3);
});

test('the daemon that follows sends under the same key, so a message that was accepted is not typed again', async () => {
  const first = await opened();
  const { loop, deps, clock, limited, moveTo, sent } = first;
  await first.continuations.schedule(await limited(1), {});
  first.continuations.close();
  const next = new Continuations(deps);
  next.start();
  loop.addViews([next]);
  expect(clock.now()).toBe(start);
  await moveTo(reset + 5 * minute);
  expect(sent).toEqual([{ id: id(1), text: 'continue', key: expect.stringMatching(/^continue \d+$/) }]);
});

test('nothing is sent when a turn began, when it was cancelled, or when Claude Code continues by itself', async () => {
  let isAnnounced = false;
  const { continuations, limited, report, moveTo, sent, get, events } = await opened({
    announces: async ({ id: session }) => isAnnounced && session === id(3),
  });
  for (const n of [1, 2, 3]) await continuations.schedule(await limited(n), {});
  await report(1, 'UserPromptSubmit', { prompt: 'by hand' });
  await continuations.cancel(get(2));
  isAnnounced = true;
  await moveTo(reset + 10 * minute);
  expect(sent).toEqual([]);
  expect([1, 2, 3].map(n => get(n).continuation)).toEqual([null, null, null]);
  expect(events().filter(({ name }) => name === 'ContinuationCancelled')).toHaveLength(2);
  await expect(continuations.schedule(get(3), {})).rejects.toThrow('continues');
  await expect(continuations.cancel(get(2))).rejects.toThrow('No message is scheduled');
});

test('a reset that is far away, or unknown, is refused unless asked for', async () => {
  const { continuations, limited, report, get } = await opened();
  const far = await limited(1, '6am');
  await expect(continuations.schedule(far, {})).rejects.toThrow('resets in 10 h');
  expect((await continuations.schedule(far, { within: 12 * 3_600 })).continuation).not.toBe(null);
  await limited(2, 'soon');
  await expect(continuations.schedule(get(2), {})).rejects.toThrow('is unknown');
  await report(3, 'SessionStart');
  await expect(continuations.schedule(get(3), {})).rejects.toThrow('is not waiting for a usage limit');
});

test('a message that cannot be sent is tried again and then given up', async () => {
  let tries = 0;
  const send = async () => {
    tries++;
    throw new Error('no pane');
  };
  const { continuations, limited, moveTo, get, errors } = await opened({
    messages: { send, withdraw: () => false },
  });
  await continuations.schedule(await limited(1), {});
  for (let minutes = 31; minutes < 60; minutes++) await moveTo(start + minutes * minute);
  expect(tries).toBe(5);
  expect(get(1).continuation).toBe(null);
  expect(errors).toHaveLength(5);
  errors.length = 0;
});

test('a message that would be sent more than an hour late is cancelled, and says why', async () => {
  const { continuations, limited, moveTo, sent, get, events } = await opened();
  await continuations.schedule(await limited(1), {});
  await moveTo(reset + 65 * minute);
  expect([sent, get(1).continuation]).toEqual([[], null]);
  const why = events().findLast(({ name }) => name === 'ContinuationCancelled')?.raw;
  expect(Buffer.from(why ?? '').toString()).toContain('Its time passed');
});

test('a reset that moves beyond what was allowed cancels the message at once', async () => {
  const { loop, continuations, limited, moveTo, sent, get } = await opened();
  const moves = (n: number, resetsAt: number) =>
    loop.append([{ draft: ownEvent('LimitSeen', id(n), start, { resetsAt }) }]);
  await continuations.schedule(await limited(1), {});
  await continuations.schedule(await limited(2), { within: 8 * 3_600 });
  for (const n of [1, 2]) await moves(n, start + 7 * 60 * minute);
  await moveTo(start);
  expect([get(1).continuation, get(2).continuation === null]).toEqual([null, false]);
  await moveTo(start + 7 * 60 * minute);
  expect(sent.map(one => one.id)).toEqual([id(2)]);
});

test('cancelling withdraws a message that was handed over, until it is typed', async () => {
  let isTyped = false;
  const withdrawn: string[] = [];
  const send = async ({ id: sessionId }: Folded) => ({ id: 'm1', sessionId });
  const withdraw = (message: string) => !isTyped && withdrawn.push(message) > 0;
  const { continuations, limited, moveTo, get } = await opened({ messages: { send, withdraw } });
  for (const n of [1, 2]) await continuations.schedule(await limited(n), {});
  await moveTo(reset + 5 * minute);
  await moveTo(reset + 6 * minute);
  await continuations.cancel(get(1));
  expect(withdrawn).toEqual(['m1']);
  await expect(continuations.cancel(get(1))).rejects.toThrow('No message is scheduled');
  isTyped = true;
  await expect(continuations.cancel(get(2))).rejects.toThrow('was already sent');
});

test('a message that is cancelled while it is handed over is withdrawn', async () => {
  const withdrawn: string[] = [];
  let whileSending = async () => {};
  const send = async ({ id: sessionId }: Folded) => {
    await whileSending();
    return { id: 'm1', sessionId };
  };
  const withdraw = (message: string) => withdrawn.push(message) > 0;
  const { continuations, limited, moveTo, get, events } = await opened({ messages: { send, withdraw } });
  whileSending = async () => void (await continuations.cancel(get(1)));
  await continuations.schedule(await limited(1), {});
  await moveTo(reset + 5 * minute);
  expect(withdrawn).toEqual(['m1']);
  expect(events().filter(({ name }) => name === 'ContinuationSent')).toEqual([]);
});

test('a message that was accepted and not typed yet is withdrawn when somebody else begins a turn', async () => {
  const { continuations, limited, moveTo, report, withdrawn } = await opened();
  await continuations.schedule(await limited(1), {});
  await moveTo(reset + 2 * minute);
  await report(1, 'UserPromptSubmit', { prompt: 'by hand' });
  expect(withdrawn).toEqual(['m1']);
});

test('a message that an earlier daemon accepted is withdrawn if a turn began while none ran', async () => {
  const queued = { id: 'm9', sessionId: id(1), key: 'continue 7', phase: 'queued' };
  const { continuations, limited, report, withdrawn } = await opened({
    receipts: { load: () => [queued] as never },
  });
  await limited(1);
  continuations.start();
  expect(withdrawn).toEqual([]);
  await report(1, 'UserPromptSubmit', { prompt: 'by hand' });
  continuations.start();
  expect(withdrawn).toContain('m9');
});
