/** The fold keeps its invariants for any events, in any order, repeated or cut anywhere. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Hook } from '../contract/hook.ts';
import { type Reason, Session, type State } from '../contract/session.ts';
import { SessionIndex } from '../live/session-index.ts';
import { file, foldEvent, hook, label, type ScriptEvent } from '../testing/fold-script.ts';
import { snapshotName } from './fold.ts';
import { type Folded, shown } from './memory.ts';
import { trailLength } from './timing.ts';

const runs = { numRuns: 200 };
const ids = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002'];
const tool = fc.constantFrom('Bash', 'AskUserQuestion', 'ExitPlanMode', 'mcp__a__b');
const junk = fc.oneof(fc.jsonValue(), fc.constant(undefined));

const hookFields: fc.Arbitrary<Hook> = fc.record(
  {
    tool_name: tool,
    tool_input: fc.oneof(
      fc.record({ command: fc.string() }),
      fc.record({ questions: junk, plan: junk }),
      junk,
    ),
    agent_id: fc.constantFrom('a1', 'a2'),
    source: fc.constantFrom('startup', 'resume', 'clear', 'compact'),
    reason: fc.constantFrom('clear', 'other', 'prompt_input_exit'),
    notification_type: fc.constantFrom(
      'permission_prompt',
      'idle_prompt',
      'elicitation_dialog',
      'auth_success',
    ),
    message: fc.string(),
    last_assistant_message: fc.string(),
    background_tasks: fc.array(
      fc.oneof(fc.record({ type: fc.constant('shell'), status: fc.constant('running') }), junk),
    ),
  },
  { requiredKeys: [] },
);
const hookNames = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'Notification',
  'Elicitation',
  'ElicitationResult',
  'PreCompact',
  'Stop',
  'StopFailure',
  'SessionEnd',
  'SomethingNew',
];
const place = {
  at: fc.integer({ min: 0, max: 10_000 }),
  lag: fc.integer({ min: 0, max: 3_000 }),
  id: fc.constantFrom(...ids),
  pid: fc.constantFrom(100, 200),
};
const hooks = fc.record({
  ...place,
  source: fc.constant('hook' as const),
  name: fc.constantFrom(...hookNames),
  fields: hookFields,
});
const files = fc
  .record({
    ...place,
    source: fc.constant('file' as const),
    name: fc.constantFrom('FileStatus', 'FileStatus', 'FileStatus', 'FileGone'),
    fields: fc.record(
      {
        status: fc.constantFrom('idle', 'busy', 'waiting', 'shell', 'resting'),
        waitingFor: fc.constantFrom('permission prompt', 'input needed', 'dialog open', 'the end'),
        startedAt: fc.integer({ min: 0, max: 10_000 }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(item => ({ ...item, fields: { ...item.fields, pid: item.pid } }));
const others = fc.oneof(
  fc.record({
    ...place,
    source: fc.constant('transcript' as const),
    name: fc.constantFrom('Interrupted', 'Answered', 'Failed', 'Usage'),
    fields: fc.record({ message: fc.string(), tokens: fc.nat() }, { requiredKeys: [] }),
  }),
  fc.record({
    ...place,
    source: fc.constant('sweep' as const),
    name: fc.constantFrom('ProcessGone', 'PaneGone', 'PaneSeen', 'Lost', 'Dialog'),
    fields: fc.record({ pid: fc.constantFrom(100, 200), message: fc.string() }, { requiredKeys: [] }),
  }),
  fc.record({ ...place, source: fc.constant('drover' as const), name: fc.constantFrom('Settled', 'Other') }),
);
const anyEvent: fc.Arbitrary<ScriptEvent> = fc.oneof(
  { weight: 5, arbitrary: hooks },
  { weight: 4, arbitrary: files },
  { weight: 2, arbitrary: others },
);
/** Any order, with some repeated. */
const says = fc
  .array(anyEvent, { maxLength: 60 })
  .chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray(list)))
  .map(([list, again]) => [...list, ...again]);

const reasons: Record<State, (Reason | null)[]> = {
  ready: [null],
  working: [null],
  background: [null],
  waiting: ['stopped', 'permission', 'question', 'plan', 'elicitation', 'dialog', 'interrupted', 'failed'],
  ended: ['exit', 'clear', 'killed', 'lost'],
};

const isLegal = (session: Folded): boolean => {
  const { due, settled, requests, trail } = session.memory;
  return (
    Session.safeParse(shown(session)).success &&
    reasons[session.state].includes(session.reason) &&
    // A due time in the past would be requested again and again.
    (due === null || due > settled) &&
    requests.length <= 20 &&
    trail.length <= trailLength
  );
};

const seenAt = ({ at, lag = 0 }: ScriptEvent): number => at + lag;

const foldAll = (sessionIndex: SessionIndex, list: ScriptEvent[], seq = 0): SessionIndex => {
  for (const [index, item] of list.entries()) foldEvent(sessionIndex, seq + index + 1, item, seenAt(item));
  return sessionIndex;
};

test('any order, any duplication: never throws, always a legal state', () => {
  fc.assert(
    fc.property(says, list => {
      const sessionIndex = new SessionIndex([]);
      for (const [index, item] of list.entries())
        for (const session of foldEvent(sessionIndex, index + 1, item, seenAt(item)))
          expect([isLegal(session), session]).toEqual([true, session]);
    }),
    runs,
  );
});

test('the same list gives the same sessions, and changes nothing that was there before', () => {
  fc.assert(
    fc.property(says, list => {
      const first = foldAll(new SessionIndex([]), list);
      const frozen = structuredClone(first.all());
      expect(foldAll(new SessionIndex([]), list).all()).toEqual(frozen);
      expect(first.all()).toEqual(frozen);
    }),
    runs,
  );
});

test('a snapshot at any cut gives the same sessions as the events before it', () => {
  fc.assert(
    fc.property(says, fc.nat(), (list, where) => {
      const cut = list.length ? where % list.length : 0;
      const before = foldAll(new SessionIndex([]), list.slice(0, cut)).all();
      const kept = new SessionIndex([]);
      for (const session of before.toSorted((a, b) => a.seq - b.seq)) {
        const body = JSON.parse(JSON.stringify({ session })) as { session: Folded };
        const item: ScriptEvent = {
          at: 0,
          source: 'drover',
          name: snapshotName,
          id: session.id,
          fields: body,
        };
        foldEvent(kept, session.seq, item, 0);
      }
      const whole = foldAll(new SessionIndex([]), list);
      foldAll(kept, list.slice(cut), cut);
      for (const session of whole.all()) expect(kept.get(session.id)).toEqual(session);
    }),
    runs,
  );
});

/** The states after the list, with each event folded so many times. */
const labelsOf = (list: ScriptEvent[], times: number): string[] => {
  const sessionIndex = new SessionIndex([]);
  for (const [index, item] of list.entries())
    for (let n = 0; n < times; n++) foldEvent(sessionIndex, index + 1, item, seenAt(item));
  return sessionIndex.all().map(label);
};

test('a repeated event changes nothing', () => {
  fc.assert(
    fc.property(says, list => {
      expect(labelsOf(list, 2)).toEqual(labelsOf(list, 1));
    }),
    runs,
  );
});

test('a repeated result closes one of two equal requests', () => {
  const asked = hook(10, 'PermissionRequest', { tool_name: 'AskUserQuestion' });
  const list = [asked, asked, hook(20, 'PostToolUse', { tool_name: 'AskUserQuestion' })];
  expect([1, 2].map(times => labelsOf(list, times))).toEqual([['waiting/question'], ['waiting/question']]);
});

test('the event that shows that hooks are silent already lets the file decide', () => {
  const list: ScriptEvent[] = [
    hook(1, 'SubagentStart'),
    file(2_000, 'busy'),
    file(9_000, 'busy'),
    { at: 5_000, source: 'drover', name: 'Settled' },
  ];
  expect([1, 2].map(times => labelsOf(list, times))).toEqual([['working'], ['working']]);
});
