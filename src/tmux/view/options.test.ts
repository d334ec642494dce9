import { describe, expect, test } from 'vitest';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import { SessionIndex } from '../../live/session-index.ts';
import { fold } from '../../session/fold.ts';
import type { Folded } from '../../session/memory.ts';
import { file, hook, type ScriptEvent, scriptId, foldEvent, transcript } from '../../testing/fold-script.ts';
import { type Options, optionsAfter, paneSessionOf, statusOf } from './options.ts';

const meta = (options: Record<string, Options[string]>): Options =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.startsWith('@') ? name : `@meta.claude.${name}`,
      value,
    ]),
  );

/** The options that the last event changes, after all earlier ones. */
const lastOf = (...events: ScriptEvent[]): Options => {
  const sessionIndex = new SessionIndex([]);
  const last = events.pop() as ScriptEvent;
  let seq = 0;
  for (const event of events) {
    foldEvent(sessionIndex, ++seq, event, event.at + 2);
    const due = sessionIndex.get(scriptId)?.memory.due;
    if (due && due < last.at)
      foldEvent(sessionIndex, ++seq, { at: due, source: 'drover', name: 'Settled' }, due);
  }
  const { at, source, name, id = scriptId, pid, fields = {} } = last;
  const event: Event = {
    seq: ++seq,
    at,
    seen: at,
    source,
    name,
    sessionId: id,
    context: pid === undefined ? {} : { pid },
    raw: new Uint8Array(),
  };
  const overlay = sessionIndex.overlay();
  const changed = fold(overlay, event, fields).map(after => ({ before: overlay.put(after), after }));
  return Object.assign({}, ...changed.map(({ before, after }) => optionsAfter(before, after, event, fields)));
};

const start = hook(1_000, 'SessionStart', { source: 'startup', cwd: '/w/shop' });
const prompt = hook(2_000, 'UserPromptSubmit', { cwd: '/w/shop' });
const asks = hook(3_000, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'x' } });
const shown = file(3_010, 'waiting', 'permission prompt');
const label = (state: string | null) => ({ '@drover_label': 'shop', '@drover_state': state });

describe('each hook sets exactly the options of the design', () => {
  test.each<[string, ScriptEvent[], Record<string, Options[string]>]>([
    [
      'SessionStart',
      [start],
      {
        session_id: scriptId,
        session_id_set_on: 'SessionStart',
        session_dir: '/w/shop',
        status: 'stopped',
        reason: null,
        latest_hook_event: 'SessionStart',
        latest_hook_time: '1',
        ...label('new'),
      },
    ],
    [
      'UserPromptSubmit',
      [start, prompt],
      {
        session_id: scriptId,
        session_id_set_on: 'UserPromptSubmit',
        status: 'running',
        reason: null,
        latest_hook_event: 'UserPromptSubmit',
        latest_hook_time: '2',
        ...label('working'),
      },
    ],
    [
      'Stop, once the file events that the turn is over',
      [start, prompt, file(2_010, 'busy'), file(3_990, 'idle'), hook(4_000, 'Stop')],
      {
        session_id: scriptId,
        session_id_set_on: 'Stop',
        status: 'stopped',
        reason: 'stopped',
        latest_hook_event: 'Stop',
        latest_hook_time: '4',
        ...label('done'),
      },
    ],
    [
      'Stop with background tasks',
      [
        start,
        prompt,
        file(2_010, 'busy'),
        hook(4_000, 'Stop', { background_tasks: [{ type: 'agent', status: 'running' }] }),
      ],
      {
        session_id: scriptId,
        session_id_set_on: 'Stop',
        status: 'running',
        reason: null,
        latest_hook_event: 'Stop',
        latest_hook_time: '4',
        ...label('background task'),
      },
    ],
    [
      'SessionEnd removes the status and keeps the id',
      [start, prompt, hook(5_000, 'SessionEnd', { reason: 'prompt_input_exit' })],
      {
        session_id: scriptId,
        session_id_set_on: 'SessionEnd',
        status: null,
        reason: 'exit',
        latest_hook_event: 'SessionEnd',
        latest_hook_time: '5',
        ...label(null),
      },
    ],
    [
      'PostToolUse recovers from a wait',
      [
        start,
        prompt,
        asks,
        shown,
        hook(6_000, 'PostToolUse', { tool_name: 'Bash', tool_input: { command: 'x' } }),
      ],
      {
        status: 'running',
        reason: null,
        latest_hook_event: 'PostToolUse',
        latest_hook_time: '6',
        ...label('working'),
      },
    ],
    [
      'PreToolUse',
      [start, prompt, hook(3_000, 'PreToolUse', { tool_name: 'Bash' })],
      { latest_hook_event: 'PreToolUse', latest_hook_time: '3' },
    ],
    [
      'SubagentStop',
      [start, prompt, hook(3_000, 'SubagentStop', { agent_id: 'a' })],
      {
        session_id: scriptId,
        session_id_set_on: 'SubagentStop',
        latest_hook_event: 'SubagentStop',
        latest_hook_time: '3',
      },
    ],
    [
      'PreCompact',
      [start, prompt, hook(3_000, 'PreCompact')],
      { latest_hook_event: 'PreCompact', latest_hook_time: '3' },
    ],
    [
      'Notification of a kind that only informs',
      [start, prompt, hook(3_000, 'Notification', { notification_type: 'auth_success' })],
      { latest_hook_event: 'Notification-auth_success', latest_hook_time: '3' },
    ],
    [
      'Notification with a hostile type',
      [start, prompt, hook(3_000, 'Notification', { notification_type: '#(touch x)#[bg=red]' })],
      { latest_hook_event: 'Notification-touchxbgred', latest_hook_time: '3' },
    ],
    [
      'Notification permission_prompt for a request that is already known',
      [start, prompt, asks, shown, hook(9_000, 'Notification', { notification_type: 'permission_prompt' })],
      { latest_hook_event: 'Notification-permission_prompt', latest_hook_time: '9' },
    ],
  ])('%s', (_, events, wanted) => {
    expect(lastOf(...events)).toEqual(meta(wanted));
  });

  test.each([
    ['permission_prompt', 'permission'],
    ['elicitation_dialog', 'elicitation'],
    ['idle_prompt', 'stopped'],
  ])('Notification %s alone sets the status to stopped', (type, reason) => {
    const sessionIndex = new SessionIndex([]);
    for (const [n, event] of [
      start,
      prompt,
      hook(60_000, 'Notification', { notification_type: type }),
    ].entries())
      foldEvent(sessionIndex, n + 1, event, event.at);
    foldEvent(sessionIndex, 4, { at: 70_000, source: 'drover', name: 'Settled' }, 70_000);
    const session = sessionIndex.get(scriptId) as Folded;
    expect([statusOf(session.state), session.reason]).toEqual(['stopped', reason]);
  });
});

test.each<[string, ScriptEvent[], Record<string, Options[string]>]>([
  [
    'an Esc that only the transcript reports',
    [start, prompt, file(2_010, 'busy'), file(3_000, 'idle'), transcript(3_001, 'Interrupted')],
    { status: 'stopped', reason: 'interrupted', ...label('interrupted') },
  ],
  [
    'a death that only the sweep sees',
    [start, prompt, { at: 4_000, source: 'sweep', name: 'ProcessGone', fields: {} }],
    { status: null, reason: 'killed', ...label(null) },
  ],
])('an event without a hook changes only status and reason: %s', (_, events, wanted) => {
  expect(lastOf(...events)).toEqual(meta(wanted));
});

test('compact and clear keep the first folder; a resume sets a new one', () => {
  const dirAfter = (fields: Hook): Options[string] | undefined =>
    lastOf(start, prompt, hook(3_000, 'SessionStart', fields))['@meta.claude.session_dir'];
  expect(dirAfter({ source: 'compact', cwd: '/w/shop/sub' })).toEqual({ first: '/w/shop' });
  expect(dirAfter({ source: 'clear', cwd: '/w/shop/sub' })).toEqual({ first: '/w/shop' });
  expect(dirAfter({ source: 'resume', cwd: '/w/else' })).toBe('/w/else');
});

test('a hook that arrives late is not the latest', () => {
  expect(lastOf(start, prompt, hook(1_500, 'PreToolUse', { tool_name: 'Bash' }))).toEqual({});
});

test('does not show an id that Claude Code cannot have made', () => {
  const event = { ...start, id: '#[bg=red]#(touch x)' };
  expect(lastOf(event)['@meta.claude.session_id']).toBeUndefined();
});

test('a pane shows a live session before an ended one, then the most recent', () => {
  const sessionIndex = new SessionIndex([]);
  const events: [string, ScriptEvent][] = [
    ['old', hook(1_000, 'SessionStart', { source: 'startup' })],
    ['new', hook(5_000, 'SessionStart', { source: 'startup' })],
    ['old', hook(6_000, 'SessionEnd', { reason: 'other' })],
  ];
  for (const [n, [id, event]] of events.entries()) foldEvent(sessionIndex, n + 1, { ...event, id }, event.at);
  expect(paneSessionOf(sessionIndex.all())?.id).toBe('new');
  foldEvent(sessionIndex, 4, { ...hook(7_000, 'SessionEnd', { reason: 'other' }), id: 'new' }, 7_000);
  expect(paneSessionOf(sessionIndex.all())?.id).toBe('new');
  expect(paneSessionOf([])).toBeUndefined();
});
