import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Event } from '../../contract/event.ts';
import type { WakeAgent } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import { emptyMemory, type Folded, noNames } from '../../session/memory.ts';
import { hookDraft } from '../../testing/pipeline.ts';
import { aSession } from '../../testing/session.ts';
import { anAgent } from '../../testing/wake.ts';
import { Blocks } from './blocks.ts';
import { maxAnswerTime, DecidingAgents } from './deciding-agents.ts';
import { defaultSettings } from '../registry/settings.ts';

const hour = 3_600_000;

/** An agent that decides, and its own session whose hooks wait. */
const opened = (settings: object) => {
  const markers = mkdtempSync(join(tmpdir(), 'du-'));
  onTestFinished(() => rmSync(markers, { recursive: true }));
  const session: Folded = { ...aSession(), names: noNames, memory: emptyMemory(0) };
  writeFileSync(join(markers, session.id), '');
  const agent: WakeAgent = {
    ...anAgent({ openclaw_session_id: 'oc' }),
    settings: { ...defaultSettings, hook_mode: 'bidirectional', ...settings },
  };
  const blocks = new Blocks({ newest: () => [] });
  const events = new Map<number, Event>();
  let now = 0;
  const registry = { read: () => ({ agents: [agent], problems: [] }), agentsOf: () => [agent] };
  const decidingAgents = new DecidingAgents(
    registry,
    blocks,
    { now: () => now },
    seq => events.get(seq) ?? null,
    markers,
  );
  return {
    agent,
    blocks,
    /** Whether the agent is asked about this hook, which fired this long ago. */
    asked: (name: 'Stop' | 'PreCompact', at: number, age = 0, fields: Record<string, unknown> = {}) => {
      now = at;
      const seq = events.size + 1;
      const event = { ...hookDraft(name, fields, {}, at - age), seq, seen: at };
      events.set(seq, event);
      if (name === 'Stop')
        session.memory.end = {
          kind: 'stopped',
          detail: null,
          tasks: [],
          evidence: { source: 'hook', name, seq, at: at - age },
        } as never;
      return decidingAgents.decides(
        agent,
        session,
        name === 'Stop' ? 'response_complete' : 'pre_compact',
        seq,
      );
    },
  };
};

test('a compaction counts in the limit of an hour like a Stop; beyond it the agent is only woken', () => {
  const { asked, blocks } = opened({ blocks_per_hour: 2 });
  expect(asked('PreCompact', 1_000)).toBe(true);
  blocks.count('warden', null, 1_000);
  expect(asked('PreCompact', 2_000)).toBe(true);
  blocks.count('warden', null, 2_000);
  expect(asked('PreCompact', 3_000)).toBe(false);
  expect(asked('Stop', 3_000)).toBe(false);
  expect(asked('PreCompact', hour + 1_500)).toBe(true);
});

test('a blocked compaction keeps no turn going, so it counts in none', () => {
  const { asked, blocks } = opened({ max_blocks: 2 });
  expect(asked('Stop', 1_000)).toBe(true);
  blocks.count('warden', aSession().id, 1_000);
  blocks.count('warden', null, 1_500);
  expect(asked('Stop', 2_000, 0, { stop_hook_active: true })).toBe(true);
  blocks.count('warden', aSession().id, 2_000);
  expect(asked('Stop', 3_000, 0, { stop_hook_active: true })).toBe(false);
});

test('no agent decides on an event that waited in the spool: its hook is gone', () => {
  const { asked } = opened({});
  for (const name of ['Stop', 'PreCompact'] as const) {
    expect(asked(name, 100_000, limits.approvals.hookFresh)).toBe(true);
    expect(asked(name, 100_000, limits.approvals.hookFresh + 1)).toBe(false);
  }
});

test('the hook of a session waits as long as its slowest agent may take', () => {
  const { agent } = opened({ answer_seconds: 3_000 });
  const session: Folded = { ...aSession(), names: noNames, memory: emptyMemory(0) };
  const fast = { ...agent, id: 'fast', settings: { ...agent.settings, answer_seconds: 20 } };
  const time = (...agents: WakeAgent[]) =>
    maxAnswerTime({ read: () => ({ agents, problems: [] }), agentsOf: () => agents }, session);
  expect(time(fast, agent)).toBe(3_000_000);
  expect(time(fast)).toBe(20_000);
  expect(time({ ...agent, settings: { ...agent.settings, hook_mode: 'async' } })).toBe(0);
  expect(time({ ...agent, settings: { ...agent.settings, answer_seconds: 1e9 } })).toBe(2 ** 31 - 1);
});

test('with wake_on_continuation off, an agent is not asked about a turn that a hook has continued', () => {
  for (const wake_on_continuation of [true, false]) {
    const { asked } = opened({ wake_on_continuation, max_blocks: 8 });
    expect(asked('Stop', 1_000)).toBe(true);
    expect(asked('Stop', 2_000, 0, { stop_hook_active: true })).toBe(wake_on_continuation);
  }
});
