import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Pane, Session } from '../../contract/session.ts';
import { tempHome } from '../../testing/home.ts';
import { aSession } from '../../testing/session.ts';
import { Registry } from './registry.ts';
import { parseRegistry } from './registry-text.ts';
import { builtIn } from './settings.ts';

const pane = (session: string | null): Pane => ({
  socket: '/s',
  serverPid: 1,
  id: '%1',
  pid: 2,
  session,
  window: null,
  windowIndex: null,
});

const whole = { agent_id: 'warden', tmux_session_name: 'warden-main', openclaw_session_id: 'oc-1' };

/** A registry on a file that is rewritten while it is asked. */
const registry = (config: object, ancestors?: (id: string) => string[]) => {
  const { config: file, home } = tempHome();
  const write = (value: unknown) =>
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  write(config);
  const made = new Registry(file, ancestors);
  const who = (session: Partial<Session>) => made.agentsOf(aSession(session)).map(({ id }) => id);
  return { made, write, who, home };
};

test.each<[string, object, object, object]>([
  [
    'the agent goes before all',
    { pane_capture_lines: 200 },
    { pane_capture_lines: 150 },
    { pane_capture_lines: 200 },
  ],
  ['the global one before the built-in', {}, { pane_capture_lines: 150 }, { pane_capture_lines: 150 }],
  ['nobody said anything', {}, {}, {}],
  [
    'each field by itself',
    { pane_capture_lines: 200 },
    { pane_capture_lines: 150, context_pressure_threshold: 60, hook_mode: 'async' },
    { pane_capture_lines: 200, context_pressure_threshold: 60 },
  ],
  ['a mode of its own', { hook_mode: 'bidirectional' }, {}, { hook_mode: 'bidirectional' }],
  [
    'zero is a value',
    { context_pressure_threshold: 0 },
    { context_pressure_threshold: 60 },
    { context_pressure_threshold: 0 },
  ],
  [
    'triggers one by one',
    { triggers: { idle_prompt: true } },
    { triggers: { idle_prompt: false, plan: false } },
    { triggers: { ...builtIn.triggers, plan: false } },
  ],
  ['bounds, too', { max_hops: 0 }, { max_hops: 5, max_blocks: 2 }, { max_hops: 0, max_blocks: 2 }],
  ['what no Drover knows is passed over', { autocompact_pct: 80 }, { other: 1 }, {}],
])('settings fall back: %s', (_, agent, global, differs) => {
  const text = JSON.stringify({ hook_settings: global, agents: [{ ...whole, hook_settings: agent }] });
  const { agents, problems } = parseRegistry(text);
  expect(problems).toEqual([]);
  expect(agents[0]?.settings).toEqual({ ...builtIn, ...differs });
});

test('an entry with an id and settings alone is no error and inactive', () => {
  const text = JSON.stringify({
    agents: [{ agent_id: 'gideon', hook_settings: { hook_mode: 'bidirectional' } }],
  });
  expect(parseRegistry(text)).toMatchObject({
    problems: [],
    agents: [
      {
        id: 'gideon',
        inactive:
          'without tmux_session_name, project, sessions, parent or origins and openclaw_session_id or deliver',
      },
    ],
  });
});

test('bad entries are named with line and reason, and the good ones work', () => {
  const text = `{
  "hook_settings": { "pane_capture_lines": "many", "context_pressure_threshold": 60 },
  "agents": [
    { "agent_id": "" },
    { "agent_id": "a", "hook_settings": { "hook_mode": "sync" } },
    "x",
    ${JSON.stringify(whole)},
    { "agent_id": "warden" },
    { "agent_id": "b",
      "deliver": { "command": [] } }
  ]
}`;
  const { agents, problems } = parseRegistry(text);
  expect(agents.map(({ id, settings }) => [id, settings.context_pressure_threshold])).toEqual([
    ['warden', 60],
  ]);
  expect(problems.map(({ line, where }) => `${line} ${where}`)).toEqual([
    '2 hook_settings.pane_capture_lines',
    '4 agents[0].agent_id',
    '5 agents[1].hook_settings.hook_mode',
    '6 agents[2]',
    '8 agents[4].agent_id',
    '10 agents[5].deliver.command',
  ]);
  for (const { reason } of problems) expect(reason).not.toBe('');
});

test('a tmux session is known by its exact name, whatever signs are in it', () => {
  for (const name of ['warden-main', 'a.*b', 'two words', 'bärbel 日本', '$(x)', '-t']) {
    const { who } = registry({ agents: [{ ...whole, tmux_session_name: name }] });
    expect(who({ pane: pane(name) })).toEqual(['warden']);
    expect(who({ pane: pane(`${name}2`) })).toEqual([]);
    expect(who({ pane: pane(name.slice(0, -1)) })).toEqual([]);
    expect(who({ pane: pane(null) })).toEqual([]);
  }
});

test('a session outside tmux, elsewhere or headless wakes nobody', () => {
  const { who, home } = registry({ agents: [{ ...whole, project: '/' }] });
  expect(who({ dir: home, pane: pane('x') })).toEqual(['warden']);
  expect(who({ dir: home, pane: null })).toEqual([]);
  expect(who({ dir: home, pane: pane('x'), headless: true })).toEqual([]);
  expect(who({ dir: home, pane: pane('x'), host: 'far' })).toEqual([]);
});

test('a session that is reported over HTTP wakes only the agents that name its origin', () => {
  const far = { ...whole, agent_id: 'far', tmux_session_name: null, origins: ['devbox', 'lab'] };
  const { who, home } = registry({ agents: [{ ...whole, project: '/', sessions: ['aaaaaa'] }, far] });
  const reported = { id: `${aSession().id}@devbox`, dir: home, host: 'devbox' };
  expect(who({ ...reported, origin: 'devbox' })).toEqual(['far']);
  expect(who({ ...reported, origin: 'post', host: null, pane: pane('x') })).toEqual([]);
  expect(who({ ...reported, origin: 'devbox', headless: true })).toEqual([]);
  expect(who({ dir: home, pane: pane('x') })).toEqual(['warden']);
});

test('folders are watched with what lies below them, by any link; ids with what follows them', () => {
  const followed = aSession({ id: 'bbbbbbbb-0000-4000-8000-000000000002' });
  const opened = registry({}, id => (id === followed.id ? [aSession().id] : []));
  const { who, write, home } = opened;
  mkdirSync(join(home, 'shop', 'in'), { recursive: true });
  mkdirSync(join(home, 'shop2'));
  symlinkSync(join(home, 'shop'), join(home, 'link'));
  write({ agents: [{ ...whole, tmux_session_name: null, project: join(home, 'link') }] });
  expect(who({ pane: pane('x'), dir: join(home, 'shop', 'in') })).toEqual(['warden']);
  expect(who({ pane: pane('x'), dir: join(home, 'shop2') })).toEqual([]);
  write({ agents: [{ agent_id: 'by-id', sessions: ['aaaaaaaa'], deliver: { command: ['cat'] } }] });
  expect(who({ pane: pane('x') })).toEqual(['by-id']);
  expect(who({ ...followed, pane: pane('x') })).toEqual(['by-id']);
});

test('a change counts at once, a pause too, and a file that breaks keeps what it had', () => {
  const { who, write, made } = registry({ agents: [whole] });
  const session = { pane: pane('warden-main') };
  expect(who(session)).toEqual(['warden']);
  write({ agents: [{ ...whole, enabled: false }] });
  expect(who(session)).toEqual([]);
  expect(made.agent('warden')?.inactive).toBe('paused');
  write({ agents: [{ ...whole, agent_id: 'other' }] });
  expect(who(session)).toEqual(['other']);
  write('{\n "agents": [\n');
  expect(who(session)).toEqual(['other']);
  expect(made.read().problems).toEqual([{ line: 3, where: '(file)', reason: 'is not a JSON object' }]);
});
