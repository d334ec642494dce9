/** Which request an event closes, and what is remembered about it. */
import { expect, test } from 'vitest';
import { SessionIndex } from '../../live/session-index.ts';
import { file, hook, type ScriptEvent, scriptId, foldEvent } from '../../testing/fold-script.ts';
import { clockStepName } from '../clock-step.ts';
import { inputFingerprint } from './detail.ts';
import { snapshotName } from '../fold.ts';
import { holdEvents } from './pending.ts';

const fetch = (prompt: string, url = 'https://example.com/a') => ({
  tool_name: 'WebFetch',
  tool_input: { url, prompt },
});
const drover = (at: number, name: string, fields: object): ScriptEvent => ({
  at,
  source: 'drover',
  name,
  fields: { ...fields },
});

/** Folds these events and returns the session. The seq of each is its position in the list, from 1. */
const after = (...says: ScriptEvent[]) => {
  const sessionIndex = new SessionIndex([]);
  for (const [index, said] of says.entries()) foldEvent(sessionIndex, index + 1, said, said.at + 2);
  const session = sessionIndex.get(scriptId);
  if (!session) throw new Error('there is no session');
  return {
    session,
    open: session.requests.map(({ id }) => id),
    past: session.memory.past.map(({ id, by, behavior }) => [id, by, behavior]),
  };
};

const turn = [
  hook(0, 'SessionStart', { source: 'startup' }),
  hook(1_000, 'UserPromptSubmit', { prompt: 'go' }),
];

test('a snapshot of an earlier version, which called the requests `asks`, keeps them', () => {
  const { session, open } = after(...turn, hook(2_000, 'PermissionRequest', fetch('one')));
  const { requests, ...memory } = session.memory;
  const snapshot = { session: { ...session, memory: { ...memory, asks: requests } } };
  const earlier = after(drover(3_000, snapshotName, snapshot));
  expect(open).toEqual([3]);
  expect(earlier.session.memory).toEqual(session.memory);
});

test('the result of a call that needed no permission closes nothing', () => {
  const { open } = after(
    ...turn,
    hook(2_000, 'PermissionRequest', fetch('one')),
    hook(3_000, 'PostToolUse', fetch('one', 'https://docs.example.org/b')),
  );
  expect(open).toEqual([3]);
});

test('the result of a tool closes its own request, whatever other ones for the same address are open', () => {
  const { open, past } = after(
    ...turn,
    hook(2_000, 'PermissionRequest', fetch('one')),
    hook(2_001, 'PermissionRequest', fetch('two')),
    hook(3_000, 'PostToolUseFailure', fetch('two')),
  );
  expect(open).toEqual([3]);
  expect(past).toEqual([[4, 'terminal', 'allow']]);
});

test('a tool that runs with a changed input closes the request that was answered so', () => {
  const changed = fetch('three', 'https://example.com/b');
  const { open } = after(
    ...turn,
    hook(2_000, 'PermissionRequest', fetch('one')),
    hook(2_001, 'PermissionRequest', fetch('two', 'https://example.com/b')),
    drover(2_500, holdEvents.released, {
      hold: 3,
      by: 'answer',
      behavior: 'allow',
      print: inputFingerprint(changed),
    }),
    hook(3_000, 'PostToolUse', changed),
  );
  expect(open).toEqual([4]);
});

test('of two equal requests, a result belongs to the one that was not denied', () => {
  const says = [
    ...turn,
    hook(2_000, 'PermissionRequest', fetch('one')),
    hook(2_001, 'PermissionRequest', fetch('one')),
    drover(2_500, holdEvents.released, { hold: 3, by: 'answer', behavior: 'deny' }),
    hook(3_000, 'PostToolUse', fetch('one')),
  ];
  expect(after(...says)).toMatchObject({
    open: [],
    past: [
      [3, 'answer', 'deny'],
      [4, 'terminal', 'allow'],
    ],
  });
  // A second result can only belong to the one that was denied here: the terminal was faster.
  expect(after(...says, hook(3_100, 'PostToolUse', fetch('one'))).past).toContainEqual([
    3,
    'terminal',
    'allow',
  ]);
});

test('the session file shows that a dialog is gone, and the result of the tool that it was allowed', () => {
  const says = [
    ...turn,
    hook(2_000, 'PermissionRequest', fetch('one')),
    file(2_020, 'waiting', 'permission prompt'),
    file(3_000, 'busy'),
  ];
  expect(after(...says).past).toEqual([[3, 'terminal', null]]);
  expect(after(...says, hook(3_500, 'PostToolUse', fetch('one'))).past).toEqual([[3, 'terminal', 'allow']]);
});

test('a request that was denied here, and whose tool still ran, was allowed in the terminal', () => {
  const says = [
    ...turn,
    hook(1_990, 'PreToolUse', fetch('one')),
    hook(2_000, 'PermissionRequest', fetch('one')),
    file(2_020, 'waiting', 'permission prompt'),
    drover(2_990, holdEvents.released, { hold: 4, by: 'answer', behavior: 'deny' }),
    file(3_000, 'busy'),
  ];
  expect(after(...says).past).toEqual([[4, 'answer', 'deny']]);
  expect(after(...says, hook(3_500, 'PostToolUse', fetch('one'))).past).toEqual([[4, 'terminal', 'allow']]);
  // The model calls it once more, and a rule allows it.
  const again = [hook(3_400, 'PreToolUse', fetch('one')), hook(3_500, 'PostToolUse', fetch('one'))];
  expect(after(...says, ...again).past).toEqual([[4, 'answer', 'deny']]);
});

test('a request after the clock was set back is listed', () => {
  const hour = 3_600_000;
  const { open } = after(
    hook(hour, 'SessionStart', { source: 'startup' }),
    hook(hour + 1_000, 'UserPromptSubmit', { prompt: 'go' }),
    file(hour + 1_020, 'busy'),
    file(hour + 5_000, 'idle'),
    drover(6_000, clockStepName, { by: -hour }),
    hook(7_000, 'UserPromptSubmit', { prompt: 'on' }),
    hook(8_000, 'PermissionRequest', fetch('one')),
  );
  expect(open).toEqual([7]);
});

test('a subagent whose dialog is not shown yet is not closed by the end of another dialog', () => {
  const inside = { agent_id: 'a1', agent_type: 'general-purpose' };
  const says = [
    ...turn,
    hook(2_000, 'PermissionRequest', fetch('one')),
    file(2_020, 'waiting', 'permission prompt'),
    hook(2_100, 'PermissionRequest', { ...fetch('two'), ...inside }),
    drover(2_200, holdEvents.held, { hold: 5, tool: 'WebFetch', until: 7_200, shown: false }),
    file(4_000, 'busy'),
  ];
  expect(after(...says)).toMatchObject({ open: [5], past: [[3, 'terminal', null]] });
  const shown = drover(3_000, holdEvents.held, { hold: 5, tool: 'WebFetch', until: 99_000, shown: true });
  expect(after(...says.slice(0, -1), shown, file(4_000, 'busy')).open).toEqual([]);
  expect(after(...says, hook(5_000, 'SubagentStop', inside)).open).toEqual([]);
});

test('the session is described by its first request: a held one, as soon as it is held', () => {
  const { session, open } = after(
    ...turn,
    hook(2_000, 'PermissionRequest', { ...fetch('one'), agent_id: 'a1' }),
    file(2_020, 'waiting', 'permission prompt'),
    drover(4_000, 'Settled', {}),
    hook(5_000, 'PermissionRequest', { ...fetch('two'), agent_id: 'a2' }),
    drover(5_100, holdEvents.held, { hold: 6, tool: 'WebFetch', until: 10_000 }),
  );
  expect(open).toEqual([6, 3]);
  expect([session.state, session.detail?.request, session.evidence.seq]).toEqual(['waiting', 6, 6]);
});

/** A permission dialog that the pane watcher has read. */
const onScreen = (at: number, description: string): ScriptEvent => ({
  at,
  source: 'sweep',
  name: 'Dialog',
  fields: { tool_name: 'Bash command', tool_input: { description }, identity: description },
});

test('a permission dialog that only the screen shows is a request, until the session file changes', () => {
  const waiting = (at: number) => file(at, 'waiting', 'permission prompt');
  const first = after(waiting(1_000), onScreen(3_000, 'touch made'));
  expect(first.session).toMatchObject({
    state: 'waiting',
    reason: 'permission',
    requests: [{ id: 2, kind: 'permission', tool: 'Bash command', line: 'Bash command: touch made' }],
  });
  // The next dialog, which asks the same.
  const next = after(waiting(1_000), onScreen(3_000, 'touch made'), waiting(4_000));
  expect([next.open, next.past]).toEqual([[], [[2, 'terminal', null]]]);
  expect(after(waiting(1_000), onScreen(3_000, 'a'), onScreen(8_000, 'b')).open).toEqual([3]);
  expect(after(waiting(1_000), onScreen(3_000, 'a'), file(4_000, 'busy')).open).toEqual([]);
});

test('the late hook of a dialog replaces what was read from the screen', () => {
  const { open } = after(
    file(1_000, 'waiting', 'permission prompt'),
    onScreen(3_000, 'touch made'),
    hook(900, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'touch made' } }),
  );
  expect(open).toEqual([3]);
});
