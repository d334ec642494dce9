import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Pane, Session } from '../../contract/session.ts';
import type { RegistryProblem } from '../../contract/wake.ts';
import { tempHome } from '../../testing/home.ts';
import { aSession } from '../../testing/session.ts';
import { Registry } from './registry.ts';
import { parseRegistry } from './parse-registry.ts';
import { defaultSettings } from './settings.ts';

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

/** A registry on a file that the test rewrites. */
const registry = (
  config: object,
  ancestors?: (id: string) => string[],
  warn?: (problem: RegistryProblem) => void,
) => {
  const { config: file, home } = tempHome();
  const write = (value: unknown) =>
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  write(config);
  const made = new Registry(file, ancestors, undefined, warn);
  const wokenBy = (session: Partial<Session>) => made.agentsOf(aSession(session)).map(({ id }) => id);
  return { made, write, wokenBy, home };
};

test.each<[string, object, object, object]>([
  ['the agent wins', { pane_capture_lines: 200 }, { pane_capture_lines: 150 }, { pane_capture_lines: 200 }],
  ['global wins over the default', {}, { pane_capture_lines: 150 }, { pane_capture_lines: 150 }],
  ['nothing is set', {}, {}, {}],
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
    { triggers: { ...defaultSettings.triggers, plan: false } },
  ],
  ['no limit is a value', { max_blocks: null }, { max_blocks: 2 }, { max_blocks: null }],
  ['limits as well', { max_hops: 0 }, { max_hops: 5, max_blocks: 2 }, { max_hops: 0, max_blocks: 2 }],
  ['unknown fields are ignored', { autocompact_pct: 80 }, { other: 1 }, {}],
])('settings fall back: %s', (_, agent, global, differs) => {
  const text = JSON.stringify({ hook_settings: global, agents: [{ ...whole, hook_settings: agent }] });
  const { agents, problems } = parseRegistry(text);
  expect(problems).toEqual([]);
  expect(agents[0]?.settings).toEqual({ ...defaultSettings, ...differs });
});

test('an entry with only an id and settings is valid but inactive', () => {
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

test('reports bad entries with line and reason, and uses the good ones', () => {
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

test('matches a tmux session by its exact name, whatever characters it contains', () => {
  for (const name of ['warden-main', 'a.*b', 'two words', 'bärbel 日本', '$(x)', '-t']) {
    const { wokenBy } = registry({ agents: [{ ...whole, tmux_session_name: name }] });
    expect(wokenBy({ pane: pane(name) })).toEqual(['warden']);
    expect(wokenBy({ pane: pane(`${name}2`) })).toEqual([]);
    expect(wokenBy({ pane: pane(name.slice(0, -1)) })).toEqual([]);
    expect(wokenBy({ pane: pane(null) })).toEqual([]);
  }
});

test('a session outside tmux, on another host or headless wakes no agent', () => {
  const { wokenBy, home } = registry({ agents: [{ ...whole, project: '/' }] });
  expect(wokenBy({ dir: home, pane: pane('x') })).toEqual(['warden']);
  expect(wokenBy({ dir: home, pane: null })).toEqual([]);
  expect(wokenBy({ dir: home, pane: pane('x'), headless: true })).toEqual([]);
  expect(wokenBy({ dir: home, pane: pane('x'), host: 'far' })).toEqual([]);
});

test('a session reported over HTTP wakes only the agents that name its origin', () => {
  const far = { ...whole, agent_id: 'far', tmux_session_name: null, origins: ['devbox', 'lab'] };
  const { wokenBy, home } = registry({ agents: [{ ...whole, project: '/', sessions: ['aaaaaa'] }, far] });
  const reported = { id: `${aSession().id}@devbox`, dir: home, host: 'devbox' };
  expect(wokenBy({ ...reported, origin: 'devbox' })).toEqual(['far']);
  expect(wokenBy({ ...reported, origin: 'post', host: null, pane: pane('x') })).toEqual([]);
  expect(wokenBy({ ...reported, origin: 'devbox', headless: true })).toEqual([]);
  expect(wokenBy({ dir: home, pane: pane('x') })).toEqual(['warden']);
});

test('a project matches its subfolders through symlinks; an id matches its successors', () => {
  const followed = aSession({ id: 'bbbbbbbb-0000-4000-8000-000000000002' });
  const opened = registry({}, id => (id === followed.id ? [aSession().id] : []));
  const { wokenBy, write, home } = opened;
  mkdirSync(join(home, 'shop', 'in'), { recursive: true });
  mkdirSync(join(home, 'shop2'));
  symlinkSync(join(home, 'shop'), join(home, 'link'));
  write({ agents: [{ ...whole, tmux_session_name: null, project: join(home, 'link') }] });
  expect(wokenBy({ pane: pane('x'), dir: join(home, 'shop', 'in') })).toEqual(['warden']);
  expect(wokenBy({ pane: pane('x'), dir: join(home, 'shop2') })).toEqual([]);
  write({ agents: [{ agent_id: 'by-id', sessions: ['aaaaaaaa'], deliver: { command: ['cat'] } }] });
  expect(wokenBy({ pane: pane('x') })).toEqual(['by-id']);
  expect(wokenBy({ ...followed, pane: pane('x') })).toEqual(['by-id']);
});

test('a change or a pause counts at once, and a broken file keeps the previous agents', () => {
  const { wokenBy, write, made } = registry({ agents: [whole] });
  const session = { pane: pane('warden-main') };
  expect(wokenBy(session)).toEqual(['warden']);
  write({ agents: [{ ...whole, enabled: false }] });
  expect(wokenBy(session)).toEqual([]);
  expect(made.agent('warden')?.inactive).toBe('paused');
  write({ agents: [{ ...whole, agent_id: 'other' }] });
  expect(wokenBy(session)).toEqual(['other']);
  write('{\n "agents": [\n');
  expect(wokenBy(session)).toEqual(['other']);
  expect(made.read().problems).toMatchObject([{ line: 3, where: '(file)', reason: 'is not a JSON object' }]);
});

test('a followed registry counts with every change, and an entry of config.json wins over it', () => {
  const { made, write, wokenBy, home } = registry({});
  const file = join(home, 'recovery-registry.json');
  const follows = (value: unknown) => {
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    chmodSync(file, 0o600);
  };
  // As gsd-code-skill writes it.
  follows({
    global_status_openclaw_session_id: 'x',
    hook_settings: { pane_capture_lines: 150 },
    agents: [
      { ...whole, auto_wake: true, working_directory: '/w', claude_resume_target: '', system_prompt: '' },
      {
        ...whole,
        agent_id: 'forge',
        tmux_session_name: 'forge-main',
        hook_settings: { context_pressure_threshold: 70 },
      },
    ],
  });
  write({ registries: [file], hook_settings: { pane_capture_lines: 20, hook_mode: 'bidirectional' } });
  expect(made.read().problems).toEqual([]);
  expect(wokenBy({ pane: pane('forge-main') })).toEqual(['forge']);
  expect(made.agent('forge')).toMatchObject({
    file,
    settings: { pane_capture_lines: 150, context_pressure_threshold: 70, hook_mode: 'bidirectional' },
  });
  follows({ agents: [{ ...whole, tmux_session_name: 'other' }] });
  expect(wokenBy({ pane: pane('forge-main') })).toEqual([]);
  expect(wokenBy({ pane: pane('other') })).toEqual(['warden']);
  follows('{"agents": [{"agent_');
  expect(wokenBy({ pane: pane('other') })).toEqual(['warden']);
  expect(made.read().problems).toMatchObject([{ file, where: '(file)' }]);
  follows({
    agents: [
      { ...whole, enabled: 'yes' },
      { ...whole, agent_id: 'forge' },
    ],
  });
  expect(made.read().problems).toMatchObject([{ file, where: 'agents[0].enabled' }]);
  write({ registries: [file], agents: [{ ...whole, agent_id: 'forge', tmux_session_name: 'mine' }] });
  expect(wokenBy({ pane: pane('mine') })).toEqual(['forge']);
  expect(made.agent('forge')?.file).toBe(null);
});

test('a followed registry that becomes writable for others keeps its last good agents, with a warning', () => {
  const warned: string[] = [];
  const { made, write, home, wokenBy } = registry({}, undefined, ({ reason }) => warned.push(reason));
  const file = join(home, 'registry.json');
  const session = { pane: pane('warden-main') };
  writeFileSync(file, JSON.stringify({ agents: [whole] }));
  chmodSync(file, 0o644);
  write({ registries: [file] });
  expect(wokenBy(session)).toEqual(['warden']);
  // As `jq … > tmp; mv tmp file` leaves it with umask 000, with other content.
  writeFileSync(file, JSON.stringify({ agents: [{ ...whole, agent_id: 'stranger' }] }));
  chmodSync(file, 0o666);
  expect(wokenBy(session)).toEqual(['warden']);
  expect(made.read().problems.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/written by other users.*the agents that it had before stay \(1\)/),
  ]);
  expect(warned).toHaveLength(1);
  chmodSync(file, 0o644);
  expect(wokenBy(session)).toEqual(['stranger']);
  rmSync(file);
  expect(wokenBy(session)).toEqual([]);
});

test('a registry that others may write, that is missing or has no absolute path, is reported and wakes nobody', () => {
  const { made, write, home } = registry({});
  const file = join(home, 'registry.json');
  writeFileSync(file, JSON.stringify({ agents: [whole] }));
  chmodSync(file, 0o666);
  write({ registries: [file, join(home, 'missing.json'), 'relative.json', 5] });
  const { agents, problems } = made.read();
  expect(agents).toEqual([]);
  expect(problems.map(({ where, reason }) => `${where} ${reason}`)).toEqual([
    'registries[2] is not an absolute path',
    'registries[3] is not an absolute path',
    expect.stringContaining('can be written by other users'),
    expect.stringContaining('cannot be read'),
  ]);
  chmodSync(file, 0o644);
  expect(made.read().agents.map(({ id }) => id)).toEqual(['warden']);
});
