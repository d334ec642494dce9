/**
 * In whatever order requests, hooks, timeouts, terminal answers and restarts come: an answer reaches the one hook of the request
 * whose id and input were shown, or nothing. The test alone knows which hook belongs to which request; equal ones look alike.
 */
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../../limits.ts';
import type { Folded } from '../../session/memory.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { waitingHook } from '../../testing/waiting-hook.ts';
import { Holds } from './holds.ts';
import { inputHash } from '../../sha256.ts';

const session = 'aaaaaaaa-0000-4000-8000-000000000001';
const other = 'bbbbbbbb-0000-4000-8000-000000000002';

interface Asked {
  sessionId: string;
  input: { command: string; why: string };
  agent: string | undefined;
}

/** One hook of one registration, as Claude Code runs it. */
interface Firing {
  asked: Asked;
  via: string | undefined;
  delivery: string;
  isSpooled: boolean;
  /** What the hook printed: undefined until it has connected, and while it waits. */
  printed: string | null | undefined;
  leave: (() => void) | null;
}

type Step =
  | {
      does: 'ask';
      command: string;
      why: string;
      agent: string | undefined;
      elsewhere: boolean;
      both: boolean;
      /** Its hooks wait at once, the last one first; otherwise later steps bring them. */
      now: boolean;
    }
  | { does: 'spool' | 'come' | 'leave' | 'result' | 'stale'; pick: number; behavior: 'allow' | 'deny' }
  | { does: 'answer'; pick: number; names: 'open' | 'none' | 'foreign' | 'past'; behavior: 'allow' | 'deny' }
  | { does: 'file'; status: string }
  | { does: 'lapse' | 'restart' | 'off' | 'on' };

const behavior = fc.constantFrom<'allow' | 'deny'>('allow', 'deny');
const pick = fc.nat(20);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        does: fc.constant('ask' as const),
        command: fc.constantFrom('npm test', 'git push'),
        why: fc.constantFrom('one', 'two'),
        agent: fc.constantFrom(undefined, undefined, 'a1', 'a2'),
        elsewhere: fc.constantFrom(false, false, false, false, false, true),
        both: fc.boolean(),
        now: fc.constantFrom(true, true, false),
      }),
    },
    {
      weight: 10,
      arbitrary: fc.record({
        does: fc.constantFrom(
          'spool' as const,
          'spool' as const,
          'come' as const,
          'come' as const,
          'leave' as const,
          'result' as const,
        ),
        pick,
        behavior,
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        does: fc.constant('answer' as const),
        pick,
        names: fc.constantFrom(
          'open' as const,
          'open' as const,
          'none' as const,
          'foreign' as const,
          'past' as const,
        ),
        behavior,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('file' as const),
        status: fc.constantFrom('waiting', 'busy', 'idle'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constantFrom('lapse' as const, 'restart' as const, 'off' as const, 'on' as const),
      }),
    },
  ),
  { minLength: 5, maxLength: 50 },
);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const world = async () => {
  const clock = { now: Date.now };
  let pipeline = await openPipeline(undefined, clock);
  const start = () => {
    const { loop, errors } = pipeline;
    const onError = (message: string, error: unknown) => void errors.push(`${message}: ${String(error)}`);
    const holds = new Holds(
      loop,
      clock,
      () => limits.approvals.hold,
      async () => loop.flush(),
      () => Promise.resolve(null),
      onError,
    );
    loop.addViews([holds]);
    holds.start();
    return holds;
  };
  let holds = start();
  const firings: Firing[] = [];
  /** Requests that were answered, by the result that the caller got. */
  const answers = new Map<number, Asked>();
  const settle = async () => {
    for (let n = 0; n < 4; n++) await new Promise(setImmediate);
  };
  const folded = (id: string) => pipeline.loop.sessionIndex.get(id) as Folded;
  const shown = (id: string) => holds.requestsOf(folded(id));
  const take = async (name: string, sessionId: string, fields: object = {}, context = {}) => {
    vi.advanceTimersByTime(1);
    const draft = hookDraft(name, { ...fields, session_id: sessionId }, context, Date.now());
    await pipeline.loop.append([{ draft }]);
  };
  const request = ({ input, agent }: Asked) => ({ tool_name: 'Bash', tool_input: input, agent_id: agent });
  let count = 0;

  const answer = async (step: Extract<Step, { does: 'answer' }>) => {
    const open = shown(session);
    const ids = {
      open: open.at(step.pick % Math.max(1, open.length))?.id,
      none: undefined,
      foreign: shown(other)[0]?.id ?? 999_999,
      past: [...answers.keys()].at(-1) ?? 1,
    };
    const id = ids[step.names];
    const before = new Map(firings.map(firing => [firing, firing.printed]));
    const outcome = await holds
      .answer(session, { behavior: step.behavior, ...(id !== undefined && { id }) })
      .catch((error: unknown) => error as Error);
    await settle();
    const printed = firings.filter(one => typeof one.printed === 'string' && before.get(one) !== one.printed);
    if (outcome instanceof Error) return expect(printed).toEqual([]);
    const target = open.find(one => one.id === outcome.id);
    expect(printed).toHaveLength(1);
    const [reached] = printed as [Firing];
    expect(reached.printed).toContain(step.behavior);
    // What was shown under this id is what the hook asked for.
    expect(reached.asked.sessionId).toBe(session);
    expect(reached.asked.input).toEqual(target?.input);
    expect(outcome.inputHash).toBe(inputHash(reached.asked.input));
    if (id === undefined) expect(open.map(one => one.id)).toEqual([outcome.id]);
    else expect(outcome.id).toBe(id);
    // No id is answered twice, and no two ids reach one request.
    expect([...answers.values()]).not.toContain(reached.asked);
    expect(answers.has(outcome.id)).toBe(false);
    answers.set(outcome.id, reached.asked);
  };

  const come = (at: Firing) => {
    const { asked, delivery } = at;
    const mine = holds;
    const hook = waitingHook();
    const { respond } = hook;
    hook.respond = async output => {
      // A killed daemon sends nothing more to its hooks.
      if (mine === holds) at.printed = output;
      return respond(output);
    };
    at.leave = () => {
      at.leave = null;
      hook.leave();
    };
    holds.onHook(asked.sessionId, delivery, hook);
  };

  const spool = (firing: Firing) => {
    firing.isSpooled = true;
    const { asked, via, delivery } = firing;
    // Copies of one firing, and equal ones, have the same bytes.
    return take('PermissionRequest', asked.sessionId, request(asked), { delivery, ...(via && { via }) });
  };

  const run = async (step: Step): Promise<void> => {
    switch (step.does) {
      case 'ask': {
        const asked = {
          sessionId: step.elsewhere ? other : session,
          input: { command: step.command, why: step.why },
          agent: step.agent,
        };
        const vias = step.both ? [undefined, 'plugin'] : [undefined];
        const fired = vias.map(
          (via): Firing => ({
            asked,
            via,
            delivery: `d${++count}`,
            isSpooled: false,
            printed: undefined,
            leave: null,
          }),
        );
        firings.push(...fired);
        if (!step.now) return;
        for (const firing of fired) await spool(firing);
        for (const firing of fired.toReversed()) come(firing);
        return settle();
      }
      case 'spool': {
        const waiting = firings.filter(({ isSpooled }) => !isSpooled);
        const firing = waiting[step.pick % Math.max(1, waiting.length)];
        if (!firing) return;
        return spool(firing);
      }
      case 'come': {
        const ready = firings.filter(one => one.isSpooled && !one.leave && one.printed === undefined);
        const firing = ready[step.pick % Math.max(1, ready.length)];
        if (firing) come(firing);
        return settle();
      }
      case 'leave': {
        const here = firings.filter(({ leave, printed }) => leave && printed === undefined);
        here[step.pick % Math.max(1, here.length)]?.leave?.();
        return settle();
      }
      case 'result': {
        const firing = firings[step.pick % Math.max(1, firings.length)];
        if (!firing) return;
        return take('PostToolUse', firing.asked.sessionId, request(firing.asked));
      }
      case 'file': {
        vi.advanceTimersByTime(1);
        const draft = hookDraft('FileStatus', {}, {}, Date.now());
        const raw = Buffer.from(JSON.stringify({ pid: 7, status: step.status }));
        return pipeline.loop.append([{ draft: { ...draft, source: 'file', raw } }]);
      }
      case 'lapse':
        vi.advanceTimersByTime(limits.approvals.subagentHold + 1);
        return settle();
      case 'restart': {
        const { paths } = pipeline;
        for (const firing of firings) if (firing.leave && firing.printed === undefined) firing.printed = null;
        await pipeline.close();
        pipeline = await openPipeline(paths, clock);
        holds = start();
        return settle();
      }
      case 'on':
      case 'off':
        return holds.setHeld(session, step.does === 'on');
      case 'answer':
        return answer(step);
      default:
    }
  };

  /** Every front end shows the same object: the first request, which an answer without an id reaches. */
  const check = () => {
    const { requests, detail, state, pending } = folded(session);
    const full = shown(session);
    expect(full.map(({ id }) => id)).toEqual(requests.map(({ id }) => id));
    if (state === 'waiting' && requests[0]) expect(detail?.request ?? requests[0].id).toBe(requests[0].id);
    expect(pending?.id ?? null).toBe(requests[0]?.until == null ? null : requests[0].id);
    // A held one comes before one that only its terminal can answer.
    const held = requests.map(({ until }) => until !== null);
    expect(held).toEqual(held.toSorted((a, b) => Number(b) - Number(a)));
  };

  for (const id of [session, other]) {
    await take('SessionStart', id, { source: 'startup' });
    await take('UserPromptSubmit', id, { prompt: 'go' });
    await holds.setHeld(id, true);
  }
  return { run, check, settle, close: () => pipeline.close(), errors: () => pipeline.errors, firings, shown };
};

test('an answer reaches the hook of the request that was shown under its id, or nothing', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async list => {
      const all = await world();
      try {
        for (const step of list) {
          await all.run(step);
          await all.settle();
          all.check();
        }
        expect(all.errors()).toEqual([]);
      } finally {
        await all.close();
      }
    }),
    { numRuns: 100 },
  );
});

test('no request is dropped: as many are listed as were fired, equal or not, whatever order their copies come in', {
  timeout: 120_000,
}, async () => {
  const asks = fc.array(fc.record({ why: fc.constantFrom('one', 'two'), both: fc.boolean() }), {
    minLength: 1,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(asks, fc.array(pick, { minLength: 60, maxLength: 60 }), async (list, order) => {
      const all = await world();
      try {
        // A registration exists for every request or for none.
        const both = list[0]?.both === true;
        for (const { why } of list)
          await all.run({
            does: 'ask',
            command: 'npm test',
            why,
            agent: undefined,
            elsewhere: false,
            both,
            now: false,
          });
        for (const at of order) await all.run({ does: 'spool', pick: at, behavior: 'allow' });
        expect(all.shown(session)).toHaveLength(list.length);
        for (const at of order) await all.run({ does: 'come', pick: at, behavior: 'allow' });
        expect(all.shown(session).every(({ until }) => until !== null)).toBe(true);
      } finally {
        await all.close();
      }
    }),
    { numRuns: 15 },
  );
});
