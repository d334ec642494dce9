import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { limits } from '../../limits.ts';
import type { Folded } from '../../session/memory.ts';
import { hookDraft, openPipeline, type Pipeline } from '../../testing/pipeline.ts';
import { type FakeHook, waitingHook } from '../../testing/waiting-hook.ts';
import { HoldAll } from './hold-all.ts';
import { holdProjects } from './hold-projects.ts';
import { Holds } from './holds.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

interface Waiter extends FakeHook {
  delivery: string;
}

const isTaken = () => Promise.resolve(null);

const opened = async (holdFor: number = limits.approvals.hold, pipeline?: Pipeline) => {
  const inner = pipeline ?? (await openPipeline());
  inner.core.config.approvals = 'terminal';
  const { loop, errors } = inner;
  const onError = (message: string, error: unknown) => void errors.push(`${message}: ${String(error)}`);
  const holds = new Holds(
    loop,
    { now: Date.now },
    () => holdFor,
    async () => loop.flush(),
    isTaken,
    onError,
  );
  loop.addViews([holds]);
  const report = (name: string, fields: object = {}, at = Date.now()) =>
    loop.append([{ draft: hookDraft(name, { ...fields }, {}, at) }]);
  const file = (status: string, at = Date.now(), version = '2.1.197') =>
    loop.append([
      {
        draft: {
          ...hookDraft('FileStatus', {}, {}, at),
          source: 'file',
          raw: Buffer.from(JSON.stringify({ pid: 7, status, version })),
        },
      },
    ]);
  let deliveries = 0;
  /** The hook of a request: its event is in the log, and it waits. */
  const hook = async (
    command: string,
    fields: object = {},
    at = Date.now(),
    via?: string,
  ): Promise<Waiter> => {
    const payload = { tool_name: 'Bash', tool_input: { command }, ...fields };
    const delivery = `1.${++deliveries}`;
    const context = { delivery, ...(via && { via }) };
    await loop.append([{ draft: hookDraft('PermissionRequest', payload, context, at) }]);
    return wait(delivery);
  };
  const wait = async (delivery: string): Promise<Waiter> => {
    const one = waitingHook();
    holds.onHook(id, delivery, one);
    await settled();
    return { delivery, ...one };
  };
  const settled = async () => {
    for (let n = 0; n < 5; n++) await new Promise(setImmediate);
  };
  const pending = () => loop.sessionIndex.get(id)?.pending ?? null;
  const released = () => loop.sessionIndex.get(id)?.memory.past.at(-1)?.by;
  const request = () => holds.requestsOf(loop.sessionIndex.get(id) as Folded)[0];
  await report('SessionStart', { source: 'startup' });
  await report('UserPromptSubmit', { prompt: 'go' });
  return { ...inner, holds, report, file, hook, wait, settled, pending, released, request };
};

const held = async (...args: Parameters<typeof opened>) => {
  const all = await opened(...args);
  await all.holds.setHeld(id, true);
  return all;
};

test('a hook waits until it is answered, and everyone sees that it does', async () => {
  const { holds, hook, pending, released, settled, request } = await held();
  const waiter = await hook('touch a');
  expect(pending()).toMatchObject({ tool: 'Bash', until: expect.any(Number) as number });
  expect(request()).toMatchObject({
    kind: 'permission',
    input: { command: 'touch a' },
    agent: null,
  });
  expect(waiter.printed()).toBeUndefined();
  expect(await holds.answer(id, { behavior: 'allow' })).toEqual({
    id: expect.any(Number) as number,
    tool: 'Bash',
    line: 'Bash: touch a',
    behavior: 'allow',
    choice: 'allow',
    way: 'hook',
    inputHash: createHash('sha256').update('{"command":"touch a"}').digest('hex'),
  });
  await settled();
  expect(JSON.parse(waiter.printed() ?? '')).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'allow' } },
  });
  expect([pending(), request(), released()]).toEqual([null, undefined, 'answer']);
  await expect(holds.answer(id, { behavior: 'deny' })).rejects.toThrow(
    /^Already allowed through Drover \d\.\d s ago: Bash: touch a$/,
  );
});

test('an answer that does not fit leaves the request as it is', async () => {
  const { holds, hook, pending } = await held();
  const waiter = await hook('touch a');
  await expect(holds.answer(id, { answers: { Size: 'L' } })).rejects.toThrow('It is not a question');
  await expect(holds.answer(id, { behavior: 'allow', id: 1 })).rejects.toThrow(
    /There is no request 1\. One request is open:\n {2}\d+ {2}Bash: touch a/,
  );
  expect(pending()).not.toBeNull();
  expect(waiter.printed()).toBeUndefined();
});

test('the hook of a session that is not held is released at once', async () => {
  const { holds, hook, pending } = await opened();
  expect((await hook('touch a')).printed()).toBeNull();
  expect(pending()).toBeNull();
  await expect(holds.answer(id, { behavior: 'allow' })).rejects.toThrow(
    'waits for an answer any more: Bash: touch a',
  );
});

test('an answer in the terminal releases the hook, whichever source reports it', async () => {
  const { holds, hook, file, report, settled, released } = await held();
  const first = await hook('touch a');
  await file('waiting');
  await file('busy', Date.now() + 1);
  await settled();
  expect([first.printed(), released()]).toEqual([null, 'terminal']);
  await expect(holds.answer(id, { behavior: 'allow' })).rejects.toThrow(/^Already answered in the terminal/);
  const second = await hook('touch b', {}, Date.now() + 10);
  expect(second.printed()).toBeUndefined();
  await report('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'touch b' } }, Date.now() + 20);
  await settled();
  expect(second.printed()).toBeNull();
});

test.each<[string, (all: Awaited<ReturnType<typeof held>>, waiter: Waiter) => unknown]>([
  ['its session ends', ({ report }) => report('SessionEnd', { reason: 'other' })],
  ['the hook leaves', (_, waiter) => waiter.leave()],
  ['the daemon stops', ({ holds }) => holds.close()],
])('a hold is over when %s', async (_, happens) => {
  const all = await held();
  const waiter = await all.hook('touch a');
  await happens(all, waiter);
  await all.settled();
  expect([waiter.printed(), all.pending(), all.released()]).toEqual([null, null, 'gone']);
});

test('switching it off releases what is held', async () => {
  const { holds, hook, settled, pending } = await held();
  const waiter = await hook('touch a');
  await holds.setHeld(id, false);
  await settled();
  expect([waiter.printed(), pending()]).toEqual([null, null]);
});

test('after its time only the terminal decides: nothing is allowed or denied by itself', async () => {
  const { holds, hook, released } = await held(30);
  const waiter = await hook('touch a');
  await expect.poll(() => waiter.printed()).toBeNull();
  await expect.poll(() => released()).toBe('deadline');
  await expect(holds.answer(id, { behavior: 'allow' })).rejects.toThrow(
    /^Drover stopped holding this request/,
  );
});

test('a subagent whose dialog is beside its hook is held for 5 s, and longer if the session file reports it', async () => {
  const { hook, file, settled, request } = await held();
  await file('busy', Date.now() - 5);
  const fields = { agent_id: 'a1', agent_type: 'general-purpose' };
  await hook('touch a', fields);
  const spell = () => {
    const { since, until, agent } = request() ?? {};
    return [agent, (until ?? 0) - (since ?? 0)];
  };
  expect(spell()).toEqual(['general-purpose', limits.approvals.subagentHold]);
  await file('waiting', Date.now() + 1);
  await settled();
  expect(spell()).toEqual(['general-purpose', limits.approvals.hold]);
});

test('a subagent whose dialog appears only after its hook is let go at once, unless an agent decides', async () => {
  const { hook, file, settled, pending } = await held();
  const fields = { agent_id: 'a1', agent_type: 'general-purpose' };
  expect((await hook('touch a', fields)).printed()).toBeNull();
  await file('busy', Date.now(), '2.1.325');
  expect((await hook('touch b', fields)).printed()).toBeNull();
  await settled();
  expect(pending()).toBeNull();
});

test('the copies of one firing are one request, and the hook of one registration waits for its answer', async () => {
  const { holds, hook, settled, pending, loop } = await held();
  const at = Date.now();
  const first = await hook('touch a', {}, at);
  const [copy, third] = [await hook('touch a', {}, at, 'plugin'), await hook('touch a', {}, at, 'other')];
  expect(loop.sessionIndex.get(id)?.requests).toHaveLength(1);
  expect([first.printed(), copy.printed(), third.printed(), pending()?.tool]).toEqual([
    undefined,
    null,
    null,
    'Bash',
  ]);
  copy.leave();
  await settled();
  await holds.answer(id, { behavior: 'deny' });
  await settled();
  expect(first.printed()).toContain('deny');
});

test('copies of two equal requests come in any order: each request still has one hook of its own', async () => {
  const { holds, hook, settled, loop } = await held();
  const at = Date.now();
  // Both were fired by settings and plugin; the second one's copy came before the first one's.
  const hooks = [];
  for (const via of ['plugin', undefined, undefined, 'plugin'])
    hooks.push(await hook('touch a', {}, at, via));
  expect(hooks.map(({ printed }) => printed())).toEqual([undefined, null, null, undefined]);
  const [first, second] = loop.sessionIndex.get(id)?.requests ?? [];
  await holds.answer(id, { behavior: 'allow', id: second?.id });
  await settled();
  expect(hooks.map(({ printed }) => printed())).toEqual([
    undefined,
    null,
    null,
    expect.stringContaining('allow'),
  ]);
  await holds.answer(id, { behavior: 'deny', id: first?.id });
  await settled();
  expect(hooks[0]?.printed()).toContain('deny');
});

test('a hook that connects after its request was answered does not wait', async () => {
  const { holds, hook, wait, settled, pending } = await held();
  const { delivery } = await hook('touch a');
  await holds.answer(id, { behavior: 'allow' });
  const late = await wait(delivery);
  expect([late.printed(), pending()]).toEqual([null, null]);
  const again = await hook('touch a', {}, Date.now() + 10);
  await settled();
  expect([again.printed(), pending()?.tool]).toEqual([undefined, 'Bash']);
});

test('of several requests one is answered by its id, and none without', async () => {
  const { holds, hook, settled, loop } = await held();
  const one = await hook('touch a', {}, Date.now());
  const two = await hook('touch b', {}, Date.now() + 1);
  const requests = () => loop.sessionIndex.get(id)?.requests ?? [];
  await expect(holds.answer(id, { behavior: 'allow' })).rejects.toThrow(
    `2 requests are open:\n  ${requests()[0]?.id}  Bash: touch a\n  ${requests()[1]?.id}  Bash: touch b`,
  );
  expect([one.printed(), two.printed()]).toEqual([undefined, undefined]);
  await holds.answer(id, { behavior: 'deny', id: requests()[1]?.id });
  await settled();
  expect(one.printed()).toBeUndefined();
  expect(two.printed()).toContain('deny');
  await holds.answer(id, { behavior: 'allow' });
  await settled();
  expect(one.printed()).toContain('allow');
});

test('equal requests are two: an answer reaches one, and the other stays open', async () => {
  const { holds, hook, settled, loop, report, pending } = await held();
  const at = Date.now();
  const [one, two] = [await hook('touch a', {}, at), await hook('touch a', {}, at)];
  const [first, second] = loop.sessionIndex.get(id)?.requests ?? [];
  await holds.answer(id, { behavior: 'allow', id: second?.id });
  await settled();
  expect([one.printed(), two.printed()]).toEqual([undefined, expect.stringContaining('allow')]);
  // What the tool did belongs to the request that was answered.
  await report('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'touch a' } }, at + 10);
  await settled();
  expect([one.printed(), pending()?.id]).toEqual([undefined, first?.id]);
});

test('of equal requests nobody knows which one the terminal answered: all are left to it', async () => {
  const { hook, settled, loop, report } = await held();
  const at = Date.now();
  const [one, two] = [await hook('touch a', {}, at), await hook('touch a', {}, at)];
  const other = await hook('touch b', {}, at);
  await report('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'touch a' } }, at + 10);
  await settled();
  expect([one.printed(), two.printed(), other.printed()]).toEqual([null, null, undefined]);
  expect(loop.sessionIndex.get(id)?.requests.map(({ line, until }) => [line, until !== null])).toEqual([
    ['Bash: touch b', true],
    ['Bash: touch a', false],
  ]);
});

test('what is shown is what an answer reaches: a held request comes before one whose hold has lapsed', async () => {
  const { holds, hook, file, loop, settled } = await held(30);
  await file('busy', Date.now() - 5);
  const lapsed = await hook('npm test', { agent_id: 'a1' });
  await expect.poll(() => lapsed.printed()).toBeNull();
  const held30 = loop.sessionIndex.get(id);
  expect(held30?.requests.map(({ line }) => line)).toEqual(['Bash: npm test']);
  const push = await hook('git push --force', { agent_id: 'a2' });
  await settled();
  const session = loop.sessionIndex.get(id);
  expect(session?.requests.map(({ line, until }) => [line, until !== null])).toEqual([
    ['Bash: git push --force', true],
    ['Bash: npm test', false],
  ]);
  await expect(holds.answer(id, { behavior: 'allow' })).rejects.toMatchObject({ code: 'several_requests' });
  expect(push.printed()).toBeUndefined();
  await expect(holds.answer(id, { behavior: 'allow', id: session?.requests[1]?.id })).rejects.toThrow(
    'Drover stopped holding this request',
  );
});

test('the hook of an unknown delivery does not wait', async () => {
  const { hook, wait } = await held();
  await hook('touch a');
  expect((await wait('1.999')).printed()).toBeNull();
});

test('the next daemon releases what a killed one held', async () => {
  const first = await held();
  await first.hook('touch a');
  await first.settled();
  expect(first.pending()).not.toBeNull();
  const next = new Holds(
    first.loop,
    { now: Date.now },
    () => limits.approvals.hold,
    async () => {},
    isTaken,
    () => {},
  );
  first.loop.addViews([next]);
  next.start();
  await first.settled();
  expect([first.pending(), first.released()]).toEqual([null, 'gone']);
});

test('a choice goes on after /clear', async () => {
  const { loop, holds } = await held();
  for (const [n, isHeld] of [true, false].entries()) {
    const before = n === 0 ? id : `bbbbbbbb-0000-4000-8000-00000000000${n}`;
    const next = `bbbbbbbb-0000-4000-8000-00000000000${n + 1}`;
    await holds.setHeld(before, isHeld);
    const at = Date.now() + 10 * n;
    const say = (name: string, fields: object, more: number) =>
      loop.append([{ draft: hookDraft(name, { session_id: before, ...fields }, { pid: 4242 }, at + more) }]);
    await say('UserPromptSubmit', {}, 0);
    await say('SessionEnd', { reason: 'clear' }, 1);
    await say('SessionStart', { session_id: next, source: 'clear' }, 2);
    expect(loop.sessionIndex.get(next)?.approvals).toBe(isHeld ? 'held' : 'terminal');
  }
});

test('a session that starts in a folder of the config is held, one beside it only while all are', async () => {
  const { loop, paths, holds, settled } = await opened();
  loop.addViews([
    holdProjects(
      () => ['/srv/shop'],
      holds,
      session => all.isOn(session),
      () => {},
    ),
  ]);
  const all = new HoldAll(paths.holdAll, { approvals: 'terminal' }, loop.sessionIndex, holds);
  const start = async (n: number, projectDir: string, source = 'startup') => {
    const session_id = `cccccccc-0000-4000-8000-00000000000${n}`;
    await loop.append([{ draft: hookDraft('SessionStart', { session_id, source }, { projectDir }) }]);
    await settled();
    return loop.sessionIndex.get(session_id)?.approvals;
  };
  expect(await start(1, '/srv/shop')).toBe('held');
  expect(await start(2, '/srv/shop/api')).toBe('held');
  expect(await start(3, '/srv/shopping')).toBe('terminal');
  expect(await all.set(true)).toBe(2);
  expect([await start(5, '/srv/shopping'), loop.sessionIndex.get(id)?.approvals]).toEqual(['held', 'held']);
  expect(await all.set(false)).toBe(5);
  expect(await start(6, '/srv/shopping')).toBe('terminal');
  const config = { approvals: 'held' as const };
  expect(new HoldAll(paths.holdAll, config, loop.sessionIndex, holds).isOn({ managed: false })).toBe(true);
  expect(await start(4, '/srv/shop', 'compact')).toBe('terminal');
});
