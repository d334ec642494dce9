import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { hookDraft, openPipeline, type Pipeline } from '../testing/pipeline.ts';
import { holdProjects } from './held-projects.ts';
import { Holds } from './holds.ts';
import { keepMarkers } from './markers.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

interface Waiter {
  /** What the hook was told; undefined while it waits. */
  told: () => string | null | undefined;
  leave: () => void;
}

const opened = async (holdFor: number = limits.holdFor, pipeline?: Pipeline) => {
  const inner = pipeline ?? (await openPipeline());
  const { loop, paths, errors } = inner;
  const onError = (message: string, error: unknown) => void errors.push(`${message}: ${String(error)}`);
  const holds = new Holds(loop, { now: Date.now }, holdFor, async () => loop.turn(), onError);
  keepMarkers(paths.held, loop);
  const says = (name: string, fields: object = {}, at = Date.now()) =>
    loop.take([{ draft: hookDraft(name, { ...fields }, {}, at) }]);
  const file = (status: string, at = Date.now()) =>
    loop.take([
      {
        draft: {
          ...hookDraft('FileStatus', {}, {}, at),
          source: 'file',
          raw: Buffer.from(JSON.stringify({ pid: 7, status })),
        },
      },
    ]);
  /** The hook of an ask: its event is in the log, and it waits. */
  const hook = async (command: string, fields: object = {}, at = Date.now()): Promise<Waiter> => {
    const payload = { tool_name: 'Bash', tool_input: { command }, ...fields };
    await says('PermissionRequest', payload, at);
    return wait(payload);
  };
  const wait = async (payload: object): Promise<Waiter> => {
    let told: string | null | undefined;
    const listeners: (() => void)[] = [];
    const hear = (listener: () => void) => void listeners.push(listener);
    void (async () => {
      told = await holds.wait({ session_id: id, ...payload }, hear);
    })();
    await settled();
    return {
      told: () => told,
      leave: () => {
        for (const listener of listeners) listener();
      },
    };
  };
  const settled = async () => {
    for (let n = 0; n < 5; n++) await new Promise(setImmediate);
  };
  const pending = () => loop.roll.get(id)?.pending ?? null;
  const released = () => loop.roll.get(id)?.memory.released?.by;
  await says('SessionStart', { source: 'startup' });
  await says('UserPromptSubmit', { prompt: 'go' });
  return { ...inner, holds, says, file, hook, wait, settled, pending, released };
};

const held = async (...args: Parameters<typeof opened>) => {
  const all = await opened(...args);
  await all.holds.setHeld(id, true);
  return all;
};

test('a hook waits until it is answered, and everyone sees that it does', async () => {
  const { holds, hook, pending, released, settled } = await held();
  const waiter = await hook('touch a');
  expect(pending()).toMatchObject({ tool: 'Bash', until: expect.any(Number) as number });
  expect(holds.requestOf(id)).toMatchObject({
    kind: 'permission',
    input: { command: 'touch a' },
    agent: null,
  });
  expect(waiter.told()).toBeUndefined();
  expect(await holds.answer(id, { behavior: 'allow' })).toEqual({
    id: expect.any(Number) as number,
    tool: 'Bash',
    behavior: 'allow',
  });
  await settled();
  expect(JSON.parse(waiter.told() ?? '')).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'allow' } },
  });
  expect([pending(), holds.requestOf(id), released()]).toEqual([null, null, 'answer']);
  await expect(holds.answer(id, { behavior: 'deny' })).rejects.toThrow('was answered already');
});

test('an answer that does not fit leaves the request as it is', async () => {
  const { holds, hook, pending } = await held();
  const waiter = await hook('touch a');
  await expect(holds.answer(id, { answers: { Size: 'L' } })).rejects.toThrow('It asks no question');
  await expect(holds.answer(id, { behavior: 'allow', id: 1 })).rejects.toThrow('asks something else by now');
  expect(pending()).not.toBeNull();
  expect(waiter.told()).toBeUndefined();
});

test('a session that is not held is let go at once', async () => {
  const { holds, hook, pending } = await opened();
  expect((await hook('touch a')).told()).toBeNull();
  expect(pending()).toBeNull();
  await expect(holds.answer(id, { behavior: 'allow' })).rejects.toThrow('is not held');
});

test('an answer in the terminal lets the hook go, whatever source tells of it', async () => {
  const { holds, hook, file, says, settled, released } = await held();
  const first = await hook('touch a');
  await file('waiting');
  await file('busy', Date.now() + 1);
  await settled();
  expect([first.told(), released()]).toEqual([null, 'terminal']);
  await expect(holds.answer(id, { behavior: 'allow' })).rejects.toThrow('was answered in its terminal');
  const second = await hook('touch b', {}, Date.now() + 10);
  expect(second.told()).toBeUndefined();
  await says('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'touch b' } }, Date.now() + 20);
  await settled();
  expect(second.told()).toBeNull();
});

test.each<[string, (all: Awaited<ReturnType<typeof held>>, waiter: Waiter) => unknown]>([
  ['its session ends', ({ says }) => says('SessionEnd', { reason: 'other' })],
  ['the hook leaves', (_, waiter) => waiter.leave()],
  ['the daemon stops', ({ holds }) => holds.close()],
])('a hold is over when %s', async (_, happens) => {
  const all = await held();
  const waiter = await all.hook('touch a');
  await happens(all, waiter);
  await all.settled();
  expect([waiter.told(), all.pending(), all.released()]).toEqual([null, null, 'gone']);
});

test('switching it off lets go what is held', async () => {
  const { holds, hook, settled, pending } = await held();
  const waiter = await hook('touch a');
  await holds.setHeld(id, false);
  await settled();
  expect([waiter.told(), pending()]).toEqual([null, null]);
});

test('after its time only the terminal decides: nothing is allowed or denied by itself', async () => {
  const { holds, hook, released } = await held(30);
  const waiter = await hook('touch a');
  await expect.poll(() => waiter.told()).toBeNull();
  await expect.poll(() => released()).toBe('deadline');
  await expect(holds.answer(id, { behavior: 'allow' })).rejects.toThrow('as long as it may be');
});

test('a subagent is held for 5 s, and on when the session file says that its dialog is up', async () => {
  const { hook, file, holds, settled } = await held();
  const fields = { agent_id: 'a1', agent_type: 'general-purpose' };
  await hook('touch a', fields);
  const spell = () => {
    const { since = 0, until = 0, agent } = holds.requestOf(id) ?? {};
    return [agent, until - since];
  };
  expect(spell()).toEqual(['general-purpose', limits.holdAgent]);
  await file('waiting', Date.now() + 1);
  await settled();
  expect(spell()).toEqual(['general-purpose', limits.holdFor]);
});

test('the copies of one firing are one hold: one answer goes to both, and one that leaves ends nothing', async () => {
  const { holds, hook, wait, settled, pending } = await held();
  const first = await hook('touch a');
  const payload = { tool_name: 'Bash', tool_input: { command: 'touch a' } };
  const [twin, third] = [await wait(payload), await wait(payload)];
  third.leave();
  await settled();
  expect([third.told(), twin.told(), pending()?.tool]).toEqual([null, undefined, 'Bash']);
  await holds.answer(id, { behavior: 'deny' });
  await settled();
  expect(twin.told()).toContain('deny');
  expect(first.told()).toBe(twin.told());
});

test('a hook that comes late, when its request was answered, waits for nothing', async () => {
  const { holds, hook, wait, settled, pending } = await held();
  await hook('touch a');
  await holds.answer(id, { behavior: 'allow' });
  const late = await wait({ tool_name: 'Bash', tool_input: { command: 'touch a' } });
  expect([late.told(), pending()]).toEqual([null, null]);
  const again = await hook('touch a', {}, Date.now() + 10);
  await settled();
  expect([again.told(), pending()?.tool]).toEqual([undefined, 'Bash']);
});

test('of two requests the older is answered first, or the one that is named', async () => {
  const { holds, hook, settled, loop } = await held();
  const one = await hook('touch a', {}, Date.now());
  const two = await hook('touch b', {}, Date.now() + 1);
  const three = await hook('touch c', {}, Date.now() + 2);
  await holds.answer(id, { behavior: 'deny', id: loop.roll.get(id)?.memory.holds.at(-1)?.id });
  await settled();
  expect([one.told(), two.told()]).toEqual([undefined, undefined]);
  expect(three.told()).toContain('deny');
  await holds.answer(id, { behavior: 'allow' });
  await settled();
  expect(one.told()).toContain('allow');
  expect(two.told()).toBeUndefined();
});

test('what a daemon held that was killed is let go by the next one', async () => {
  const first = await held();
  await first.hook('touch a');
  await first.settled();
  expect(first.pending()).not.toBeNull();
  const next = new Holds(
    first.loop,
    { now: Date.now },
    limits.holdFor,
    async () => {},
    () => {},
  );
  next.start();
  await first.settled();
  expect([first.pending(), first.released()]).toEqual([null, 'gone']);
});

test('a marker is there while a session is held and lives, and its successor has one after /clear', async () => {
  const { paths, loop, holds } = await held();
  const next = 'bbbbbbbb-0000-4000-8000-000000000002';
  expect(readdirSync(paths.held)).toEqual([id]);
  await loop.take([{ draft: hookDraft('UserPromptSubmit', {}, { pid: 4242 }) }]);
  await loop.take([{ draft: hookDraft('SessionEnd', { reason: 'clear' }, { pid: 4242 }) }]);
  expect(readdirSync(paths.held)).toEqual([]);
  const start = { session_id: next, source: 'clear' };
  await loop.take([{ draft: hookDraft('SessionStart', start, { pid: 4242 }, Date.now() + 5) }]);
  expect(readdirSync(paths.held)).toEqual([next]);
  expect(loop.roll.get(next)?.approvals).toBe('held');
  await holds.setHeld(next, false);
  expect(readdirSync(paths.held)).toEqual([]);
});

test('at the start the markers are made equal to what is held', async () => {
  const { paths, loop } = await held();
  rmSync(join(paths.held, id));
  writeFileSync(join(paths.held, 'dddddddd-0000-4000-8000-000000000004'), '');
  keepMarkers(paths.held, loop);
  expect(readdirSync(paths.held)).toEqual([id]);
});

test('a session that starts in a folder of the config is held, one beside it is not', async () => {
  const { loop, holds, settled } = await opened();
  holdProjects(['/srv/shop'], loop, holds, () => {});
  const start = async (n: number, projectDir: string, source = 'startup') => {
    const session_id = `cccccccc-0000-4000-8000-00000000000${n}`;
    await loop.take([{ draft: hookDraft('SessionStart', { session_id, source }, { projectDir }) }]);
    await settled();
    return loop.roll.get(session_id)?.approvals;
  };
  expect(await start(1, '/srv/shop')).toBe('held');
  expect(await start(2, '/srv/shop/api')).toBe('held');
  expect(await start(3, '/srv/shopping')).toBe('terminal');
  expect(await start(4, '/srv/shop', 'compact')).toBe('terminal');
});
