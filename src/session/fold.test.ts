/** What the fold makes of events, in each order in which two sources may report them. Times are those of real runs. */
import { describe, expect, test } from 'vitest';
import { defaultBudgets } from './timing.ts';
import { file, hook, type ScriptEvent, runScript, transcript } from '../testing/fold-script.ts';

const bash = { tool_name: 'Bash', tool_input: { command: 'touch made' } };
const question = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which?' }] } };
const plan = { tool_name: 'ExitPlanMode', tool_input: { plan: '# The plan' } };
const shell = { background_tasks: [{ type: 'shell', status: 'running' }] };
const agent = { background_tasks: [{ type: 'subagent', status: 'running' }] };
const inAgent = { agent_id: 'a1', agent_type: 'general-purpose' };

const start = [hook(0, 'SessionStart', { source: 'startup' }), file(10, 'idle')];
const prompt = hook(1_000, 'UserPromptSubmit', { prompt: 'do' });
const busy = file(1_010, 'busy');
const turn = [...start, prompt, busy];
const stop = hook(5_000, 'Stop', { last_assistant_message: 'done' });
const idle = file(5_040, 'idle');
const call = hook(1_500, 'PreToolUse', bash);
const asks = hook(1_520, 'PermissionRequest', bash);
const waits = file(1_540, 'waiting', 'permission prompt');
const asked = [...turn, call, asks, waits];

/** Each order of the two that race, with what comes before and after. */
const raced = (
  before: ScriptEvent[],
  [a, b]: [ScriptEvent, ScriptEvent],
  after: ScriptEvent[] = [],
): ScriptEvent[][] => {
  const later = (event: ScriptEvent, than: ScriptEvent) => ({
    ...event,
    lag: Math.max(event.lag ?? 2, than.at + (than.lag ?? 2) + 1 - event.at),
  });
  return [
    [...before, a, later(b, a), ...after],
    [...before, b, later(a, b), ...after],
  ];
};

const cases: { name: string; orders: ScriptEvent[][]; shown: string[]; until?: number }[] = [
  {
    name: 'prompt',
    orders: raced(start, [prompt, busy]),
    shown: ['ready', 'working'],
    until: 60_000,
  },
  {
    name: 'stop',
    orders: raced(turn, [stop, idle]),
    shown: ['ready', 'working', 'waiting/stopped'],
  },
  {
    name: 'permission asked and given',
    orders: raced(
      [...turn, call],
      [asks, waits],
      [file(3_000, 'busy'), hook(4_000, 'PostToolUse', bash), stop, idle],
    ),
    shown: ['ready', 'working', 'waiting/permission', 'working', 'waiting/stopped'],
  },
  {
    name: 'question answered',
    orders: [
      ...raced(
        [...turn, hook(1_500, 'PreToolUse', question)],
        [hook(1_520, 'PermissionRequest', question), waits],
      ),
    ].flatMap(event =>
      raced(event, [hook(3_000, 'PostToolUse', question), file(3_020, 'busy')], [stop, idle]),
    ),
    shown: ['ready', 'working', 'waiting/question', 'working', 'waiting/stopped'],
  },
  {
    name: 'permission denied, Esc: no hook',
    orders: [
      [...asked, file(3_000, 'idle')],
      [...asked, file(3_000, 'idle'), transcript(3_050, 'Interrupted')],
    ],
    shown: ['ready', 'working', 'waiting/permission', 'waiting/interrupted'],
  },
  {
    name: "permission given by the user's own hook",
    orders: [
      [...asked, file(1_600, 'busy'), hook(2_600, 'PostToolUse', bash), stop, idle],
      [...turn, call, asks, file(1_600, 'busy'), hook(2_600, 'PostToolUse', bash), stop, idle],
      [
        ...turn,
        call,
        waits,
        file(1_600, 'busy'),
        { ...asks, lag: 100 },
        hook(2_600, 'PostToolUse', bash),
        stop,
        idle,
      ],
    ],
    shown: ['ready', 'working', 'waiting/stopped'],
  },
  {
    name: 'a Stop that another hook blocked',
    orders: [[...turn, hook(2_000, 'Stop', { background_tasks: [] })]],
    shown: ['ready', 'working'],
    until: 4_900,
  },
  {
    name: 'plan rejected',
    orders: raced(
      [...turn, hook(1_500, 'PreToolUse', plan)],
      [hook(1_520, 'PermissionRequest', plan), waits],
      [file(3_000, 'idle')],
    ),
    shown: ['ready', 'working', 'waiting/plan', 'waiting/interrupted'],
  },
  {
    name: 'elicitation that the file does not tell of',
    orders: [
      [
        ...turn,
        hook(1_500, 'PreToolUse', { tool_name: 'mcp__a__b' }),
        hook(1_550, 'Elicitation', { message: 'Which colour?' }),
        hook(3_000, 'ElicitationResult', { action: 'accept' }),
        stop,
        idle,
      ],
    ],
    shown: ['ready', 'working', 'waiting/elicitation', 'working', 'waiting/stopped'],
  },
  {
    name: 'elicitation that the file tells of',
    orders: raced(
      [...turn, hook(1_500, 'PreToolUse', { tool_name: 'mcp__a__b' })],
      [hook(1_550, 'Elicitation', { message: 'Which colour?' }), file(1_570, 'waiting', 'input needed')],
    ).flatMap(event => raced(event, [hook(3_000, 'ElicitationResult'), file(3_020, 'busy')], [stop, idle])),
    shown: ['ready', 'working', 'waiting/elicitation', 'working', 'waiting/stopped'],
  },
  {
    name: 'API error',
    orders: raced(turn, [hook(5_000, 'StopFailure', { error: 'invalid_request' }), idle]),
    shown: ['ready', 'working', 'waiting/failed'],
  },
  {
    name: 'Esc while it works',
    orders: [
      [...turn, idle],
      [...turn, idle, transcript(5_100, 'Interrupted')],
    ],
    shown: ['ready', 'working', 'waiting/interrupted'],
  },
  {
    name: 'a lost Stop',
    orders: [[...turn, idle, transcript(5_050, 'Answered', { message: 'done' })]],
    shown: ['ready', 'working', 'waiting/stopped'],
  },
  {
    name: 'a lost Stop, repaired by idle_prompt where there is no file',
    orders: [
      [hook(0, 'SessionStart'), prompt, hook(60_000, 'Notification', { notification_type: 'idle_prompt' })],
    ],
    shown: ['ready', 'working', 'waiting/stopped'],
  },
  {
    name: 'idle_prompt without a prompt: nothing has ended',
    orders: [
      [
        hook(0, 'SessionStart', { source: 'clear' }),
        file(10, 'idle'),
        hook(60_000, 'Notification', { notification_type: 'idle_prompt' }),
      ],
      [hook(0, 'SessionStart'), hook(60_000, 'Notification', { notification_type: 'idle_prompt' })],
    ],
    shown: ['ready'],
  },
  ...['permission_prompt', 'elicitation_dialog', 'idle_prompt'].map(notification_type => ({
    name: `PostToolUse ends a wait that only ${notification_type} reported, where there is no file`,
    orders: [
      [
        hook(0, 'SessionStart'),
        prompt,
        hook(8_000, 'Notification', { notification_type }),
        hook(20_000, 'PostToolUse', { tool_name: 'Bash', tool_input: { command: 'x' } }),
      ],
    ],
    shown: [
      'ready',
      'working',
      {
        permission_prompt: 'waiting/permission',
        elicitation_dialog: 'waiting/elicitation',
        idle_prompt: 'waiting/stopped',
      }[notification_type] as string,
      'working',
    ],
  })),
  {
    name: 'elicitation_dialog counts while the file says busy',
    orders: [
      [
        ...turn,
        hook(8_000, 'Notification', { notification_type: 'elicitation_dialog', message: 'Which one?' }),
        hook(20_000, 'PostToolUse', { tool_name: 'mcp__a__b', tool_input: {} }),
      ],
    ],
    shown: ['ready', 'working', 'waiting/elicitation', 'working'],
  },
  {
    name: 'a background shell',
    orders: raced(
      [...turn, hook(2_000, 'Stop', shell), file(2_040, 'shell'), file(4_000, 'idle')],
      [file(4_020, 'busy'), hook(4_060, 'UserPromptSubmit', { prompt: '<task-notification>' })],
      [stop, idle],
    ),
    shown: ['ready', 'working', 'background', 'working', 'waiting/stopped'],
  },
  {
    name: 'a subagent in the background that asks',
    orders: [
      [
        ...turn,
        hook(1_100, 'SubagentStart', inAgent),
        hook(1_200, 'Stop', agent),
        { ...call, fields: { ...bash, ...inAgent } },
        { ...asks, fields: { ...bash, ...inAgent } },
        waits,
        file(3_000, 'busy'),
        hook(3_100, 'SubagentStop', inAgent),
        file(3_200, 'idle'),
        file(3_260, 'busy'),
        hook(3_300, 'UserPromptSubmit', { prompt: '<task-notification>' }),
        stop,
        idle,
      ],
    ],
    shown: [
      'ready',
      'working',
      'background',
      'waiting/permission',
      'background',
      'working',
      'waiting/stopped',
    ],
  },
  {
    name: 'what is late or told twice reopens nothing',
    orders: [
      [...asked, file(3_000, 'busy'), asks, hook(3_900, 'PostToolUse', bash), asks, stop, idle, stop],
      [...asked, file(3_000, 'busy'), stop, idle, asks, { ...waits, lag: 4_000 }, { ...prompt, lag: 5_000 }],
      [
        ...asked,
        file(3_000, 'busy'),
        stop,
        idle,
        hook(6_000, 'Notification', { notification_type: 'permission_prompt' }),
        hook(7_000, 'Notification', { notification_type: 'auth_success' }),
        hook(65_000, 'Notification', { notification_type: 'idle_prompt' }),
      ],
    ],
    shown: ['ready', 'working', 'waiting/permission', 'working', 'waiting/stopped'],
  },
  {
    name: 'the end, and a file that is rewritten once more',
    orders: [
      [...turn, stop, idle, hook(6_000, 'SessionEnd', { reason: 'prompt_input_exit' }), file(6_010, 'idle')],
    ],
    shown: ['ready', 'working', 'waiting/stopped', 'ended/exit'],
  },
  {
    // On a busy machine the hook of the start may come after its first dialog.
    name: 'start-up dialog',
    orders: [
      [
        file(0, 'idle'),
        file(300, 'waiting', 'dialog open'),
        hook(900, 'SessionStart', { source: 'startup' }),
      ],
      [
        file(0, 'idle'),
        hook(100, 'SessionStart', { source: 'startup' }),
        file(300, 'waiting', 'dialog open'),
      ],
      [
        file(0, 'idle'),
        file(300, 'waiting', 'dialog open'),
        { ...hook(900, 'SessionStart', { source: 'resume' }), pid: 100 },
      ],
    ],
    shown: ['ready', 'waiting/dialog'],
  },
  {
    name: 'a resume in another process, while the file of the killed one still waits',
    orders: [
      [
        ...asked,
        { at: 5_000, source: 'sweep', name: 'ProcessGone', fields: { pid: 100, left: false } },
        { ...hook(9_000, 'SessionStart', { source: 'resume' }), pid: 200 },
      ],
    ],
    shown: ['ready', 'working', 'waiting/permission', 'ended/killed', 'ready'],
  },
];

describe.each(cases)('$name', ({ orders, shown, until }) => {
  test.each(orders.map((event, index) => ({ order: index + 1, event })))('order $order', ({ event }) => {
    expect(runScript(event, until ?? 100_000).shown).toEqual(shown);
  });
});

describe('the file carries another id before the SessionEnd of the old one arrives', () => {
  const next = 'bbbbbbbb-0000-4000-8000-000000000002';
  const ended = (reason: string) => ({ ...hook(6_020, 'SessionEnd', { reason }), pid: 100 });
  const begun = { ...hook(6_030, 'SessionStart', { source: 'clear' }), pid: 100, id: next };
  const renamed = { ...file(6_000, 'busy'), id: next };
  const before = [...turn, stop, idle];

  test('its reason is shown, and no other for a moment', () => {
    for (const rest of [
      [ended('clear'), begun],
      [begun, { ...ended('clear'), lag: 200 }],
    ])
      expect(runScript([...before, renamed, ...rest]).shown).toEqual([
        'ready',
        'working',
        'waiting/stopped',
        'ended/clear',
      ]);
  });

  test('the new one is in the same pane, also before a hook of it says so', () => {
    const panes: (string | undefined)[] = [];
    const placed = before.map(one => ({ ...one, pid: 100, ...(one.source === 'hook' && { pane: '%3' }) }));
    runScript([...placed, renamed], 7_000, ({ changed }) =>
      panes.push(...changed.filter(({ after }) => after.id === next).map(({ after }) => after.pane?.id)),
    );
    expect(new Set(panes)).toEqual(new Set(['%3']));
  });

  test('a late hook of the old one does not take the process back', () => {
    const late = { ...hook(5_990, 'Notification', { notification_type: 'auth_success' }), pid: 100, lag: 20 };
    const { session } = runScript([...before, renamed, late, ended('clear'), begun]);
    expect(session).toMatchObject({ state: 'ended', reason: 'clear', next });
  });

  test('it ends a moment later if none arrives', () => {
    const { session } = runScript([...before, renamed]);
    expect(session).toMatchObject({ state: 'ended', reason: 'exit', next });
    expect(session.evidence).toMatchObject({ source: 'file', at: 6_000 });
  });
});

test('a subagent that asks is named, with what it wants', () => {
  const { session } = runScript(
    [
      ...turn,
      { ...call, fields: { ...bash, ...inAgent } },
      { ...asks, fields: { ...bash, ...inAgent } },
      waits,
    ],
    3_000,
  );
  expect(session).toMatchObject({ state: 'waiting', detail: { agent: 'general-purpose', tool: 'Bash' } });
  expect(session.evidence).toMatchObject({ source: 'hook', name: 'PermissionRequest', at: 1_520 });
});

test('on a slow machine it waits longer for what follows', () => {
  const slow = { ...file(3_000, 'idle'), lag: 600 };
  const woken = { ...file(3_300, 'busy'), lag: 600 };
  expect(runScript([...turn, hook(2_000, 'Stop', agent), slow, woken, stop, idle], 100_000).shown).toEqual([
    'ready',
    'working',
    'background',
    'working',
    'waiting/stopped',
  ]);
});

test('if a hook of the user decides, a permission that it allows at once is not shown', () => {
  const events = (found: boolean) => [
    hook(1_000, 'SessionStart'),
    { at: 1_010, source: 'drover' as const, name: 'Approvers', fields: { found } },
    file(1_020, 'idle'),
    hook(2_000, 'UserPromptSubmit'),
    file(2_010, 'busy'),
    hook(2_500, 'PreToolUse', { tool_name: 'Bash' }),
    hook(2_510, 'PermissionRequest', { tool_name: 'Bash' }),
    file(2_520, 'waiting', 'permission prompt'),
    file(3_000, 'busy'),
    hook(3_010, 'PostToolUse', { tool_name: 'Bash' }),
  ];
  expect(runScript(events(true), 3_050).shown).toEqual(['ready', 'working']);
  expect(runScript(events(false), 3_050).shown).toEqual([
    'ready',
    'working',
    'waiting/permission',
    'working',
  ]);
});

test('a file that has not become busy since the prompt is late, and does not confirm a Stop that another hook blocked', () => {
  const { shown } = runScript(
    [
      hook(1_000, 'SessionStart'),
      file(1_020, 'idle'),
      hook(2_000, 'UserPromptSubmit'),
      hook(2_500, 'Stop', { last_assistant_message: 'first' }),
      { ...file(2_010, 'busy'), lag: 1_500 },
      hook(4_000, 'Stop', { last_assistant_message: 'second' }),
      file(4_030, 'idle'),
    ],
    6_000,
  );
  expect(shown).toEqual(['ready', 'working', 'waiting/stopped']);
});

test('without a file, an answered session works since the answer, not since its prompt', () => {
  const done = hook(9_000, 'PostToolUse', bash);
  const { session, shown } = runScript([start[0] as ScriptEvent, prompt, call, asks, done], 20_000);
  expect(shown).toEqual(['ready', 'working', 'waiting/permission', 'working']);
  expect(session.since).toBe(9_000);
});

test('what the terminal decided is known, whichever of the session file and the end of the tool comes first', () => {
  const done = hook(3_010, 'PostToolUse', bash);
  for (const events of raced(asked, [file(3_000, 'busy'), done])) {
    const { past } = runScript(events, 4_000).session.memory;
    expect(past).toMatchObject([{ line: 'Bash: touch made', by: 'terminal', behavior: 'allow' }]);
  }
  const other = hook(3_010, 'PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } });
  const { past } = runScript([...asked, file(3_000, 'busy'), other], 4_000).session.memory;
  expect(past).toMatchObject([{ behavior: null }]);
});

describe('background shells', () => {
  const task = (id: string, type = 'shell') => ({ id, type, status: 'running', command: `run ${id}` });
  const stops = (at: number, ...background_tasks: object[]) => hook(at, 'Stop', { background_tasks });
  const again = [hook(100_000, 'UserPromptSubmit', { prompt: 'more' }), file(100_010, 'busy')];
  const first = [...turn, stops(5_000, task('a')), file(5_040, 'shell')];
  const shells = ['ready', 'working', 'background', 'waiting/stopped'];

  test('a new one delays the end of a turn by 60 s', () => {
    expect(runScript(first, 64_000).shown).toEqual(['ready', 'working', 'background']);
    expect(runScript(first, 66_000).shown).toEqual(shells);
    expect(runScript(first, 66_000).session.tasks).toEqual([{ id: 'a', type: 'shell', what: 'run a' }]);
  });

  test('one that was running at an earlier Stop does not delay; a further one does', () => {
    const kept = [...first, ...again, stops(105_000, task('a')), file(105_040, 'shell')];
    expect(runScript(kept, 105_600).shown).toEqual([...shells, 'working', 'waiting/stopped']);
    const more = [...first, ...again, stops(105_000, task('a'), task('b')), file(105_040, 'shell')];
    expect(runScript(more, 160_000).shown).toEqual([...shells, 'working', 'background']);
    expect(runScript(more, 166_000).shown).toEqual([...shells, 'working', 'background', 'waiting/stopped']);
  });

  test('the same Stop twice, or the earlier one late, changes nothing', () => {
    const twice = [...first, { ...stops(5_000, task('a')), lag: 500 }];
    expect(runScript(twice, 64_000).shown).toEqual(['ready', 'working', 'background']);
    const late = [
      ...turn,
      ...again,
      stops(105_000, task('a')),
      { ...stops(5_000, task('a')), lag: 100_100 },
      file(105_040, 'shell'),
    ];
    expect(runScript(late, 106_000).session).toMatchObject({ state: 'waiting', reason: 'stopped' });
  });

  test('a subagent or workflow delays as long as it reports something, also beside an old shell', () => {
    const more = [
      ...first,
      ...again,
      stops(105_000, task('a'), task('w', 'workflow')),
      file(105_040, 'shell'),
    ];
    expect(runScript(more, 3_000_000).shown).toEqual([...shells, 'working', 'background']);
  });

  test('the config may set another time', () => {
    const budgets = { ...defaultBudgets, shell: 0 };
    expect(runScript(first, 6_000, undefined, budgets).shown.at(-1)).toBe('waiting/stopped');
  });
});

test('effort, mode, tasks and scheduled prompts are those of the newest hooks', () => {
  const crons = [{ id: 'c', schedule: '0 9 * * 1', recurring: true, prompt: 'weekly report' }];
  const events = [
    ...turn,
    hook(2_000, 'PreToolUse', { ...bash, effort: { level: 'high' }, permission_mode: 'plan' }),
    hook(5_000, 'Stop', {
      background_tasks: [{ type: 'shell', description: 'server' }],
      session_crons: crons,
    }),
    idle,
  ];
  expect(runScript(events, 70_000).session).toMatchObject({
    effort: 'high',
    permissionMode: 'plan',
    tasks: [{ id: 'shell server', type: 'shell', what: 'server' }],
    crons: [{ schedule: '0 9 * * 1', recurring: true, prompt: 'weekly report' }],
  });
  const cleared = [...events, hook(80_000, 'SessionStart', { source: 'resume' })];
  expect(runScript(cleared, 90_000).session).toMatchObject({ tasks: [], crons: [], effort: 'high' });
});

test('that a process was found gone is no sign of life: the session was touched when it last did something', () => {
  const gone = { at: 90_000, source: 'sweep' as const, name: 'ProcessGone', fields: { pid: 100 } };
  const { session } = runScript([...turn, stop, idle, gone], 100_000);
  expect([session.state, session.since, session.touched]).toEqual(['ended', 90_000, 5_040]);
});
