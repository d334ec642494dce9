import { expect, test } from 'vitest';
import {
  addAgent,
  enableAgent,
  importAgents,
  removeAgent,
  followRegistry,
  unfollowRegistry,
} from './edit-registry.ts';
import { parseRegistry } from './parse-registry.ts';

const text = '{\n  "port": 4001,\n  "agents": [\n    { "agent_id": "a", "extra": [1,  2] }\n  ]\n}\n';

test('adds, pauses, resumes and removes an entry, and leaves the other bytes alone', () => {
  const entry = { agent_id: 'b', tmux_session_name: 'b-main', openclaw_session_id: 'x' };
  const { text: added } = addAgent(text, 'c', entry, false);
  expect(added).toContain('{ "agent_id": "a", "extra": [1,  2] }');
  expect(parseRegistry(added).agents.map(({ id, inactive }) => [id, inactive === null])).toEqual([
    ['a', false],
    ['b', true],
  ]);
  const paused = enableAgent(added, 'c', 'b', false);
  expect(parseRegistry(paused).agents[1]?.inactive).toBe('paused');
  expect(parseRegistry(enableAgent(paused, 'c', 'b', true)).agents[1]?.inactive).toBe(null);
  expect(removeAgent(added, 'c', 'b')).toBe(text);
  expect(() => removeAgent(text, 'c', 'b')).toThrow('There is no agent "b"');
  expect(() => addAgent(text, 'c', { agent_id: 'a' }, false)).toThrow('Agent "a" already exists');
  expect(addAgent(text, 'c', { agent_id: 'a' }, true).text).toContain('{"agent_id":"a"}');
  expect(addAgent('{}\n', 'c', { agent_id: 'a' }, false).text).toContain('"agent_id": "a"');
});

test('imports registries of gsd-code-skill unchanged, in the old and the new shape', () => {
  const registry = {
    global_status_openclaw_session_id: 's',
    hook_settings: { pane_capture_lines: 150, autocompact_pct: 80 },
    agents: [
      {
        agent_id: 'a',
        enabled: true,
        auto_wake: true,
        topic_id: 7,
        openclaw_session_id: 'oc',
        working_directory: '/w',
        tmux_session_name: 'a-main',
        claude_post_launch_mode: 'resume_then_agent_pick',
      },
      {
        agent_id: 'v4',
        enabled: true,
        session_name: 'v4-main',
        openclaw_session_id: 'oc4',
        skip_permissions: true,
      },
      { agent_id: 'off', enabled: false, session_name: 'off', openclaw_session_id: 'oc5' },
    ],
  };
  const first = importAgents(text, 'c', registry, false);
  expect(first).toMatchObject({ added: ['v4', 'off'], kept: ['a'] });
  const { text: all } = importAgents(text, 'c', registry, true);
  const { agents, problems } = parseRegistry(all);
  expect(problems).toEqual([]);
  expect(agents.map(({ id, inactive, settings }) => [id, inactive, settings.pane_capture_lines])).toEqual([
    ['a', null, 150],
    ['v4', null, 150],
    ['off', 'paused', 150],
  ]);
  expect(JSON.parse(all)).toMatchObject({
    agents: registry.agents,
    hook_settings: registry.hook_settings,
    port: 4001,
  });
});

test('a replaced entry keeps the settings that the new one does not name', () => {
  const settings = { max_blocks: 2, note: 'by hand', triggers: { idle_prompt: false, plan: false } };
  const { text: first } = addAgent('{}\n', 'c', { agent_id: 'a', hook_settings: settings, topic: 1 }, false);
  const again = (hook_settings?: object) =>
    addAgent(first, 'c', { agent_id: 'a', project: '/p', ...(hook_settings && { hook_settings }) }, true);
  const entryIn = (edited: string) => (JSON.parse(edited) as { agents: object[] }).agents[0];
  const plain = again();
  expect(plain.kept).toEqual(['max_blocks', 'note', 'triggers']);
  expect(entryIn(plain.text)).toEqual({ agent_id: 'a', project: '/p', hook_settings: settings });
  const named = again({ max_blocks: 3, note: undefined, triggers: { plan: true } });
  expect(named.kept).toEqual([]);
  expect(entryIn(named.text)).toMatchObject({
    hook_settings: { max_blocks: 3, triggers: { idle_prompt: false, plan: true } },
  });
  expect(named.text).not.toContain('by hand');
});

test('imports global settings field by field and reports which were kept', () => {
  const own = '{\n  "hook_settings": { "max_blocks": 2,  "pane_capture_lines": 150 }\n}\n';
  const registry = {
    hook_settings: { max_blocks: 1, pane_capture_lines: 150, context_pressure_threshold: 60 },
  };
  const first = importAgents(own, 'c', registry, false);
  expect(first.settings).toEqual({ taken: ['context_pressure_threshold'], kept: ['max_blocks'] });
  expect(first.text).toContain(
    '"max_blocks": 2,  "pane_capture_lines": 150, "context_pressure_threshold": 60',
  );
  const all = importAgents(own, 'c', registry, true);
  expect(all.settings).toEqual({ taken: ['max_blocks', 'context_pressure_threshold'], kept: [] });
  expect(JSON.parse(all.text)).toMatchObject(registry);
  expect(importAgents('{}\n', 'c', registry, false).settings.taken).toHaveLength(3);
  expect(importAgents(own, 'c', {}, true).settings).toEqual({ taken: [], kept: [] });
  const broken = '{ "hook_settings": null }';
  expect(importAgents(broken, 'c', registry, false).text).toContain('"hook_settings": null');
  expect(JSON.parse(importAgents(broken, 'c', registry, true).text)).toMatchObject(registry);
});

test('a registry is followed once and no longer, and everything else keeps its bytes', () => {
  const before = '{\n  "port": 4000\n}\n';
  const once = followRegistry(before, 'config.json', '/r/a.json');
  expect(JSON.parse(once)).toEqual({ port: 4000, registries: ['/r/a.json'] });
  expect(followRegistry(once, 'config.json', '/r/a.json')).toBe(once);
  const twice = followRegistry(once, 'config.json', '/r/b.json');
  expect(JSON.parse(unfollowRegistry(twice, 'config.json', '/r/a.json')).registries).toEqual(['/r/b.json']);
  expect(() => unfollowRegistry(once, 'config.json', '/r/b.json')).toThrow('/r/b.json is not followed');
  expect(() => followRegistry('{"registries": 3}', 'config.json', '/r')).toThrow('registries is not a list');
});
