import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Draft } from '../../contract/event.ts';
import type { Wake } from '../../contract/wake.ts';
import type { Paths } from '../../paths.ts';
import { parseObject } from '../../hook/payload.ts';
import { tempHome } from '../../testing/home.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { runDetached } from '../deliver/detached-process.ts';
import { Registry } from '../registry/registry.ts';
import { Wakes } from './wakes.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const id = (n: number) => `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`;
const place = { socket: '/nowhere/s', serverPid: 1, pane: '%1' };
const agent = { agent_id: 'warden', project: '/', deliver: { session: 'dddddddd' } };

/** A pipeline with agents, whose messages go into a list instead of a session. */
const opened = async (paths: Paths = tempHome(), config: object = { agents: [agent] }) => {
  writeFileSync(paths.config, JSON.stringify(config));
  const pipeline = await openPipeline(paths, { now: Date.now });
  const { loop, store, errors } = pipeline;
  const sent: string[] = [];
  let refuses = false;
  let types: ((session: string, text: string) => Promise<void>) | null = null;
  const make = () => {
    const wakes = new Wakes(
      loop,
      store,
      new Registry(paths.config),
      { now: Date.now },
      {
        dir: paths.wakes,
        env: {},
        now: Date.now,
        send: async (session, text) => {
          if (refuses) throw new Error('no secret way');
          sent.push(text);
          void types?.(session, text);
        },
        wasSent: () => false,
        isFinal: () => true,
        isDeciding: () => false,
        mayDrive: () => true,
        mask: text => text.replaceAll('secret', '[redacted]'),
        onError: (message, error) => void errors.push(`${message}: ${String(error)}`),
      },
    );
    loop.addProjections([wakes.projection]);
    loop.addViews([wakes]);
    return wakes;
  };
  const start = () => {
    const wakes = make();
    wakes.start();
    return wakes;
  };
  const take = async (...drafts: Draft[]) => {
    await loop.append(drafts.map(draft => ({ draft })));
    await vi.advanceTimersByTimeAsync(0);
  };
  const begin = async (n: number) =>
    take(hookDraft('SessionStart', { session_id: id(n), source: 'startup', cwd: '/' }, place), {
      ...hookDraft('PaneSeen', { session_id: id(n), session: 'main' }),
      source: 'sweep',
    });
  const hooks = (n: number, ...names: string[]) =>
    take(
      ...names.map(name =>
        hookDraft(name, { session_id: id(n), last_assistant_message: `done ${n}` }, place),
      ),
    );
  onTestFinished(() => expect(errors).toEqual([]));
  return {
    ...pipeline,
    sent,
    begin,
    hooks,
    take,
    make,
    start,
    close: pipeline.close,
    refuse: (value: boolean) => {
      refuses = value;
    },
    /** What happens in a session that a message is typed into. */
    typing: (then: typeof types) => {
      types = then;
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    rows: () => store.wakes.newest(1_000, null, null),
    noted: () =>
      pipeline
        .events()
        .filter(({ name }) => name === 'Wake')
        .map(({ raw }) => parseObject(raw) as unknown as { outcome: string; tries: number; trigger: string }),
  };
};

/** Waits for everything that needs no time to pass. */
const soon = async (holds: () => void): Promise<void> => {
  for (let turns = 0; turns < 2_000; turns++) {
    try {
      return holds();
    } catch {
      await new Promise(done => setImmediate(done));
    }
  }
  holds();
};

/** Lets time pass, with its effects. */
const goesBy = async (ms: number): Promise<void> => {
  for (let step = 0; step < 50; step++) {
    await vi.advanceTimersByTimeAsync(ms / 50);
    for (let turns = 0; turns < 5; turns++) await new Promise(done => setImmediate(done));
  }
};

const outcomes = (rows: Wake[]) => {
  const counts: Record<string, number> = {};
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('the end of a turn wakes the agent at once and once, and is logged', async () => {
  const { start, begin, hooks, sent, noted, rows } = await opened();
  start();
  await begin(1);
  await hooks(1, 'UserPromptSubmit', 'Stop');
  await soon(() => expect(noted()).toHaveLength(1));
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain('done 1');
  await hooks(1, 'Stop');
  expect(sent).toHaveLength(1);
  expect(noted()).toMatchObject([{ outcome: 'delivered', tries: 1, trigger: 'response_complete' }]);
  expect(rows()).toMatchObject([{ source: 'last_assistant_message', tries: 1, together: 1 }]);
});

test('no wake for a disabled trigger, a paused agent or a session that nobody watches', async () => {
  const off = { ...agent, hook_settings: { triggers: { response_complete: false } } };
  const paused = { ...agent, agent_id: 'p', enabled: false };
  const other = { ...agent, agent_id: 'o', project: '/elsewhere' };
  const { start, begin, hooks, rows } = await opened(tempHome(), { agents: [off, paused, other] });
  start();
  await begin(1);
  await hooks(1, 'UserPromptSubmit', 'Stop');
  expect(rows()).toEqual([]);
});

test('a failed delivery is tried three times, from two seconds on, and is then a dead letter', async () => {
  const { start, begin, hooks, refuse, pass, noted, rows, sent } = await opened();
  start();
  refuse(true);
  await begin(1);
  await hooks(1, 'UserPromptSubmit', 'Stop');
  await soon(() => expect(rows()[0]).toMatchObject({ status: 'pending', tries: 1 }));
  await pass(1_999);
  expect(rows()[0]).toMatchObject({ tries: 1, reason: 'no [redacted] way' });
  await pass(1);
  await soon(() => expect(rows()[0]).toMatchObject({ tries: 2 }));
  await pass(3_999);
  expect(rows()[0]).toMatchObject({ tries: 2 });
  await pass(1);
  await soon(() => expect(noted()).toMatchObject([{ outcome: 'dead', tries: 3 }]));
  refuse(false);
  await pass(60_000);
  expect(sent).toEqual([]);
});

test('a wake that no longer applies when it could go out is dropped and counted', async () => {
  const { start, begin, hooks, refuse, pass, noted, sent, rows } = await opened();
  start();
  refuse(true);
  await begin(1);
  await hooks(1, 'SessionEnd');
  await soon(() => expect(rows()[0]).toMatchObject({ trigger: 'session_end', status: 'pending', tries: 1 }));
  refuse(false);
  await pass(500);
  await hooks(1, 'SessionStart');
  await pass(2_000);
  await soon(() => expect(noted()).toMatchObject([{ outcome: 'dropped' }]));
  expect(sent).toEqual([]);
});

test('a turn that the next prompt overtakes is delivered with its own message, and marked', async () => {
  const { start, begin, take, hooks, refuse, pass, noted, sent, rows } = await opened();
  start();
  refuse(true);
  await begin(1);
  await hooks(1, 'UserPromptSubmit');
  await take(hookDraft('Stop', { session_id: id(1), last_assistant_message: 'the first answer' }, place));
  await soon(() => expect(rows()[0]).toMatchObject({ status: 'pending', tries: 1 }));
  refuse(false);
  await pass(500);
  await hooks(1, 'UserPromptSubmit');
  await pass(2_000);
  await soon(() => expect(noted()).toMatchObject([{ outcome: 'delivered' }]));
  expect(sent).toMatchObject([
    expect.stringMatching(/overtaken: true\n[^]*the first answer\n[^]*state: working/),
  ]);
});

test('with wake_on_continuation off, a turn that a hook kept going wakes nobody', async () => {
  for (const wake_on_continuation of [true, false]) {
    const config = { agents: [{ ...agent, hook_settings: { wake_on_continuation } }] };
    const { start, begin, take, hooks, rows } = await opened(tempHome(), config);
    start();
    await begin(1);
    await hooks(1, 'UserPromptSubmit');
    await take(hookDraft('Stop', { session_id: id(1), stop_hook_active: true }, place));
    await soon(() =>
      expect(rows().map(({ continuation }) => continuation)).toEqual(wake_on_continuation ? [true] : []),
    );
  }
});

test('200 wakes in a second are one digest', async () => {
  const { start, begin, hooks, pass, sent, rows } = await opened();
  start();
  for (let n = 0; n < 200; n++) {
    await begin(n);
    await hooks(n, 'UserPromptSubmit', 'Stop');
    await pass(5);
  }
  await pass(5_000);
  await soon(() => expect(outcomes(rows())).toEqual({ delivered: 200 }));
  expect(sent.filter(text => text.startsWith('[WAKE DIGEST]'))).toHaveLength(1);
  expect(sent.length).toBeLessThanOrEqual(4);
});

test('a few wakes at the same time go in full, as one message', async () => {
  const { start, begin, hooks, refuse, pass, sent, rows } = await opened();
  start();
  refuse(true);
  for (const n of [1, 2, 3]) {
    await begin(n);
    await hooks(n, 'UserPromptSubmit', 'Stop');
  }
  refuse(false);
  await pass(2_000);
  await soon(() => expect(outcomes(rows())).toEqual({ delivered: 3 }));
  expect(sent).toHaveLength(1);
  for (const n of [1, 2, 3]) expect(sent[0]).toContain(`done ${n}`);
});

test('a restart with a full outbox delivers each wake once', async () => {
  const paths = tempHome();
  const before = await opened(paths);
  const { begin, hooks, refuse } = before;
  refuse(true);
  before.start().close();
  for (let n = 0; n < 20; n++) {
    await begin(n);
    await hooks(n, 'UserPromptSubmit', 'Stop');
  }
  expect(before.sent).toEqual([]);
  await before.close();
  const after = await opened(paths);
  after.start();
  await after.pass(5_000);
  await soon(() => expect(outcomes(after.rows())).toEqual({ delivered: 20 }));
  expect(after.sent).toHaveLength(1);
  for (let n = 0; n < 20; n++) expect(after.sent[0]).toContain(id(n));
});

test('a new daemon finishes the deliveries of the one before first, and delivers each wake once', async () => {
  const paths = tempHome();
  const before = await opened(paths);
  const first = before.start();
  before.refuse(true);
  await before.begin(1);
  await before.hooks(1, 'UserPromptSubmit', 'Stop');
  await soon(() => expect(before.rows()).toMatchObject([{ status: 'pending', tries: 1 }]));
  first.close();
  await before.close();

  const after = await opened(paths);
  const wakes = after.make();
  await after.begin(2);
  await after.hooks(2, 'UserPromptSubmit', 'Stop');
  expect(after.sent).toEqual([]);
  expect(outcomes(after.rows())).toEqual({ pending: 2 });
  wakes.start();
  await after.pass(5_000);
  await soon(() => expect(outcomes(after.rows())).toEqual({ delivered: 2 }));
  expect(after.sent).toHaveLength(1);
  for (const n of [1, 2]) expect(after.sent[0]?.split(`done ${n}`)).toHaveLength(2);
  await soon(() => expect(after.noted()).toHaveLength(2));
});

test('a program that a killed daemon started without recording it is shown as being delivered, and not started again', async () => {
  const paths = tempHome();
  const before = await opened(paths);
  await before.begin(1);
  before.make();
  await before.hooks(1, 'UserPromptSubmit', 'Stop');
  const [{ id: wake }] = before.rows() as [Wake];
  const ended = join(paths.home, 'ended');
  const program = ['sh', '-c', `until [ -e '${ended}' ]; do sleep 0.02; done`];
  const run = runDetached(paths.wakes, `${wake}-1`, program, '', process.env, 60_000, [wake]);
  await before.close();

  const after = await opened(paths);
  after.start();
  expect(after.rows()).toMatchObject([{ status: 'sending', tries: 1 }]);
  writeFileSync(ended, '');
  await run;
  await vi.waitFor(() => expect(after.rows()).toMatchObject([{ status: 'delivered', tries: 1 }]));
  expect(after.sent).toEqual([]);
});

test('an agent that is a session is not woken by itself, and is woken by others at its prompt', async () => {
  const own = { ...agent, deliver: { session: id(9) } };
  const { start, begin, hooks, sent, rows } = await opened(tempHome(), { agents: [own] });
  start();
  await begin(9);
  await begin(1);
  await hooks(9, 'UserPromptSubmit');
  await hooks(1, 'UserPromptSubmit', 'Stop');
  expect(sent).toEqual([]);
  expect(outcomes(rows())).toEqual({ pending: 1 });
  await hooks(9, 'SessionEnd', 'SessionStart');
  await soon(() => expect(outcomes(rows())).toEqual({ delivered: 1 }));
  expect(sent).toHaveLength(1);
});

test('the wakes of an agent that is removed are dropped', async () => {
  const paths = tempHome();
  const { start, begin, hooks, refuse, pass, rows } = await opened(paths);
  start();
  refuse(true);
  await begin(1);
  await hooks(1, 'UserPromptSubmit', 'Stop');
  writeFileSync(paths.config, '{}');
  await pass(2_000);
  await soon(() => expect(rows()).toMatchObject([{ status: 'dropped', reason: 'the agent was removed' }]));
});

/** Two sessions, each the agent of the other, which both answer everything that is typed into them. */
const mirrors = async (paths: Paths = tempHome()) => {
  const pair = [
    { agent_id: 'one', sessions: [id(2)], deliver: { session: id(1) } },
    { agent_id: 'two', sessions: [id(1)], deliver: { session: id(2) } },
  ];
  const all = await opened(paths, { agents: pair });
  all.loop.startConfirming(() => Promise.resolve());
  const turn = (session: string, prompt: string) =>
    all.take(
      hookDraft('UserPromptSubmit', { session_id: session, prompt }, place),
      hookDraft(
        'Stop',
        { session_id: session, last_assistant_message: `heard: ${prompt.slice(0, 9)}` },
        place,
      ),
    );
  all.typing(turn);
  return { ...all, turn };
};

test('two sessions that wake each other stop after a few hops; a withheld wake is visible, and goes after an hour', async () => {
  const { start, begin, turn, sent, rows, noted } = await mirrors();
  const wakes = start();
  await begin(1);
  await begin(2);
  await turn(id(1), 'begin');
  await goesBy(10_000);
  await soon(() => expect(outcomes(rows())).toEqual({ delivered: 4, withheld: 1 }));
  await goesBy(60_000);
  expect(sent).toHaveLength(4);
  expect(rows().map(({ hops }) => hops)).toEqual([0, 1, 2, 3, 4]);
  expect(noted().map(({ outcome }) => outcome)).toEqual([
    ...Array.from({ length: 4 }, () => 'delivered'),
    'withheld',
  ]);
  expect(wakes.waiting('two')).toEqual({ pending: 0, withheld: 1 });

  // An hour later it is sent, and its consequence is withheld again.
  await goesBy(3_600_000);
  await soon(() => expect(outcomes(rows())).toEqual({ delivered: 5, withheld: 1 }));
  await goesBy(60_000);
  expect(sent).toHaveLength(5);
  expect(sent[4]).toContain('hops: 4\n');
});

test('a withheld wake goes with the next one that is not an echo, also after a restart', async () => {
  const paths = tempHome();
  const before = await mirrors(paths);
  const first = before.start();
  await before.begin(1);
  await before.begin(2);
  await before.begin(3);
  await before.turn(id(1), 'begin');
  await goesBy(10_000);
  await soon(() => expect(outcomes(before.rows())).toEqual({ delivered: 4, withheld: 1 }));
  first.close();
  await before.close();

  const after = await mirrors(paths);
  writeFileSync(
    paths.config,
    JSON.stringify({ agents: [{ agent_id: 'two', sessions: [id(1), id(3)], deliver: { session: id(2) } }] }),
  );
  const wakes = after.start();
  expect(wakes.waiting('two')).toEqual({ pending: 0, withheld: 1 });
  after.typing(null);
  await after.turn(id(3), 'a person asks');
  await soon(() => expect(outcomes(after.rows())).toEqual({ delivered: 6 }));
  expect(after.sent).toHaveLength(1);
  expect(after.sent[0]).toContain(id(1));
  expect(after.sent[0]).toContain(id(3));
});
