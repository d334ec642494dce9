import { expect, test } from 'vitest';
import type { Hook } from '../../contract/hook.ts';
import { file, hook, type ScriptEvent, runScript, transcript } from '../../testing/fold-script.ts';
import { stateHint } from '../message/state-hint.ts';
import { decisionKey, type TriggerEvent, triggerEventsOf, stillApplies } from './triggers.ts';

/** Runs a script through the fold and returns every trigger event once, with the state of the session. */
const told = (says: ScriptEvent[], { isFinal = false, until = 100_000 } = {}) => {
  const payloads = new Map<number, Hook>();
  const payloadAt = (seq: number) => payloads.get(seq) ?? null;
  const fired: (TriggerEvent & { hint: string })[] = [];
  const { session } = runScript(says, until, (commit, payload) => {
    payloads.set(commit.event.seq, payload);
    for (const { session, triggerEvent } of triggerEventsOf(commit, payloadAt, () => isFinal))
      if (!fired.some(({ trigger, key }) => trigger === triggerEvent.trigger && key === triggerEvent.key))
        fired.push({ ...triggerEvent, hint: stateHint(session, triggerEvent.trigger) });
  });
  return {
    fired,
    words: fired.map(({ trigger, hint }) => `${trigger} ${hint}`),
    stands: fired.map(triggerEvent => stillApplies(triggerEvent, session, payloadAt)),
  };
};

const start = [hook(0, 'SessionStart', { source: 'startup' }), file(10, 'idle')];
const turn = [...start, hook(1_000, 'UserPromptSubmit'), file(1_010, 'busy')];
const asked = (tool: string, input: unknown = {}) => [
  hook(1_500, 'PreToolUse', { tool_name: tool, tool_input: input }),
  hook(1_510, 'PermissionRequest', { tool_name: tool, tool_input: input }),
  file(1_540, 'waiting', 'permission prompt'),
];

test.each<[string, ScriptEvent[], string[], object?]>([
  ['a start alone', start, []],
  ['a turn that ends', [...turn, hook(2_000, 'Stop'), file(2_040, 'idle')], ['response_complete idle']],
  [
    'a Stop that nobody can block',
    [...turn, hook(2_000, 'Stop')],
    ['response_complete idle'],
    { isFinal: true, until: 2_001 },
  ],
  ['a Stop that somebody may block', [...turn, hook(2_000, 'Stop')], [], { until: 2_001 }],
  [
    'a Stop that was blocked, and the one behind it',
    [...turn, hook(2_000, 'Stop'), hook(4_000, 'Stop', { stop_hook_active: true }), file(4_040, 'idle')],
    ['response_complete idle'],
  ],
  [
    'two Stops of one turn where no file tells',
    [hook(1_000, 'UserPromptSubmit'), hook(2_000, 'Stop'), hook(4_000, 'Stop', { stop_hook_active: true })],
    ['response_complete idle', 'response_complete idle'],
  ],
  [
    'a turn whose tasks go on, and their end',
    [
      ...turn,
      hook(2_000, 'Stop', { background_tasks: [{ type: 'shell', status: 'running' }] }),
      file(2_040, 'shell'),
    ],
    ['response_complete working'],
  ],
  [
    'idle for a minute',
    [
      ...turn,
      hook(2_000, 'Stop'),
      file(2_040, 'idle'),
      hook(62_000, 'Notification', { notification_type: 'idle_prompt' }),
    ],
    ['response_complete idle', 'idle_prompt idle'],
  ],
  [
    'idle for a minute without a prompt, as after /clear',
    [
      hook(0, 'SessionStart', { source: 'clear' }),
      file(10, 'idle'),
      hook(60_000, 'Notification', { notification_type: 'idle_prompt' }),
    ],
    ['idle_prompt idle'],
  ],
  [
    'a Stop that was lost, where only the notification says so',
    [hook(1_000, 'UserPromptSubmit'), hook(62_000, 'Notification', { notification_type: 'idle_prompt' })],
    ['idle_prompt idle'],
  ],
  [
    'a notification about a session that works',
    [...turn, hook(1_200, 'Notification', { notification_type: 'idle_prompt' })],
    [],
    { until: 2_000 },
  ],
  [
    'a permission, and its Notification 6 s later',
    [
      ...turn,
      ...asked('Bash', { command: 'touch x' }),
      hook(7_600, 'Notification', { notification_type: 'permission_prompt' }),
    ],
    ['permission_prompt permission_prompt'],
  ],
  [
    'a permission told by Notification alone',
    [
      ...turn,
      file(1_540, 'waiting', 'permission prompt'),
      hook(7_600, 'Notification', { notification_type: 'permission_prompt', message: 'Bash?' }),
    ],
    ['permission_prompt permission_prompt'],
  ],
  [
    'two permissions, one after the other',
    [
      ...turn,
      ...asked('Bash', { command: 'one' }),
      hook(1_511, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'two' } }),
      hook(3_000, 'PostToolUse', { tool_name: 'Bash', tool_input: { command: 'one' } }),
    ],
    ['permission_prompt permission_prompt', 'permission_prompt permission_prompt'],
  ],
  [
    'a question, and its answer',
    [
      ...turn,
      ...asked('AskUserQuestion', { questions: [] }),
      hook(7_600, 'Notification', { notification_type: 'permission_prompt' }),
      hook(9_000, 'PostToolUse', { tool_name: 'AskUserQuestion', tool_use_id: 't1' }),
      file(9_010, 'busy'),
    ],
    ['ask_user_question menu', 'ask_user_question_answered working'],
    { until: 9_500 },
  ],
  ['a plan', [...turn, ...asked('ExitPlanMode', { plan: 'x' })], ['plan menu']],
  ['an Esc', [...turn, file(3_000, 'idle'), transcript(3_000, 'Interrupted')], ['interrupted idle']],
  [
    'an API error',
    [...turn, hook(2_000, 'StopFailure', { error: 'x' }), file(2_020, 'idle')],
    ['failed error'],
  ],
  ['a compaction', [...turn, hook(2_000, 'PreCompact')], ['pre_compact working'], { until: 2_001 }],
  [
    'an end',
    [
      ...turn,
      hook(2_000, 'Stop'),
      file(2_040, 'idle'),
      hook(3_000, 'SessionEnd', { reason: 'prompt_input_exit' }),
    ],
    ['response_complete idle', 'session_end terminated'],
  ],
  [
    'what subagents do is nobody else’s business',
    [...turn, hook(2_000, 'Stop', { agent_id: 'a' }), hook(2_100, 'SubagentStop')],
    [],
    { until: 2_200, isFinal: true },
  ],
])('%s', (_, says, wanted, options) => {
  expect(told(says, options ?? { until: 70_000 }).words).toEqual(wanted);
});

test('a continuation is marked, and a repeated one is the same', () => {
  const { fired } = told([
    hook(1_000, 'UserPromptSubmit'),
    hook(2_000, 'Stop'),
    hook(4_000, 'Stop', { stop_hook_active: true }),
    hook(6_000, 'Stop', { stop_hook_active: true }),
  ]);
  expect(fired.map(({ continuation }) => continuation)).toEqual([false, true]);
});

test.each<[string, ScriptEvent[], boolean[]]>([
  ['a turn that ended stays so', [...turn, hook(2_000, 'Stop'), file(2_040, 'idle')], [true]],
  [
    'also past the next prompt, which overtakes it',
    [...turn, hook(2_000, 'Stop'), file(2_040, 'idle'), hook(3_000, 'UserPromptSubmit')],
    [true],
  ],
  [
    'also past its end',
    [...turn, hook(2_000, 'Stop'), file(2_040, 'idle'), hook(3_000, 'SessionEnd')],
    [true, true],
  ],
  [
    'also when the clock is set back before its delivery',
    [
      ...turn,
      hook(2_000, 'Stop'),
      file(2_040, 'idle'),
      { at: 3_000, source: 'drover', name: 'ClockStepped', fields: { by: -900 } },
    ],
    [true],
  ],
  ['a permission until it is given', [...turn, ...asked('Bash')], [true]],
  [
    'and not after',
    [
      ...turn,
      ...asked('Bash'),
      hook(3_000, 'PostToolUse', { tool_name: 'Bash', tool_input: {} }),
      file(3_020, 'busy'),
    ],
    [false],
  ],
  [
    'a question not after its session',
    [...turn, ...asked('AskUserQuestion'), hook(3_000, 'SessionEnd')],
    [false, true],
  ],
])('a wake is checked again before its delivery: %s', (_, says, wanted) => {
  expect(told(says, { until: says.at(-1)?.at === 3_020 ? 4_000 : 3_500 }).stands).toEqual(wanted);
});

test('a decision on a Stop applies until the next Stop of its turn, under its own key', () => {
  const after = (...says: ScriptEvent[]) =>
    runScript([hook(1_000, 'UserPromptSubmit'), ...says], 10_000).session;
  const keyOf = ({ memory }: ReturnType<typeof after>) =>
    decisionKey('response_complete', memory.end?.evidence.seq ?? 0);
  const stands = (key: string, session: ReturnType<typeof after>) =>
    stillApplies({ trigger: 'response_complete', key, seq: 2 }, session, () => null);
  const stops = [hook(2_000, 'Stop'), hook(4_000, 'Stop', { stop_hook_active: true })] as const;
  const [once, twice] = [after(stops[0]), after(...stops)];
  expect(keyOf(once)).not.toBe(keyOf(twice));
  expect(stands(keyOf(once), once)).toBe(true);
  expect(stands(keyOf(once), twice)).toBe(false);
  expect(stands(keyOf(twice), twice)).toBe(true);
  expect(stands(keyOf(twice), after(...stops, hook(5_000, 'UserPromptSubmit')))).toBe(true);
});
