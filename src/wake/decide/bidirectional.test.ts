import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import type { WakeAgent } from '../../contract/wake.ts';
import type { Folded } from '../../session/memory.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { aSession } from '../../testing/session.ts';
import { aWake } from '../../testing/wake.ts';
import { Bidirectional } from './bidirectional.ts';
import { Registry } from '../registry/registry.ts';
import { decisionKey } from '../outbox/triggers.ts';

const unused = () => Promise.reject(new Error('nobody is asked here'));

test('the outbox leaves out what an earlier daemon asked an agent to decide', async () => {
  const { paths, loop, store } = await openPipeline();
  const entry = { agent_id: 'warden', project: '/', openclaw_session_id: 'oc' };
  const hook_settings = { hook_mode: 'bidirectional', max_blocks: 2 };
  writeFileSync(paths.config, JSON.stringify({ agents: [{ ...entry, hook_settings }] }));
  const registry = new Registry(paths.config);
  const bidirectional = new Bidirectional(loop, store, registry, systemClock, {
    delivery: { dir: paths.wakes, env: {}, now: Date.now, send: unused, wasSent: () => false },
    markers: paths.awaited,
    answer: unused,
    later: () => {},
    record: () => {},
    mayDrive: () => true,
    mask: text => text,
    onError: (_, error) => {
      throw error;
    },
  });
  loop.addViews([bidirectional]);
  onTestFinished(() => bidirectional.close());
  const { id } = aSession();
  const place = { socket: '/nowhere/s', serverPid: 1, pane: '%1' };
  const hooks = ['UserPromptSubmit', 'Stop'].map((name, n) =>
    hookDraft(name, { session_id: id, cwd: '/' }, place, n + 1),
  );
  await loop.append(hooks.map(draft => ({ draft })));
  const session = loop.sessionIndex.get(id) as Folded;
  const stop = session.memory.end?.evidence.seq as number;
  const triggerEvent = {
    trigger: 'response_complete' as const,
    key: 'the turn',
    seq: stop,
    continuation: false,
  };
  const isDeciding = () =>
    bidirectional.isDeciding(registry.agent('warden') as WakeAgent, triggerEvent, session);
  // Its hook no longer waits: if no agent was asked, the outbox sends it.
  expect(isDeciding()).toBe(false);
  const asked = aWake({ agent: 'warden', sessionId: id, key: decisionKey('response_complete', stop) });
  store.write(() => store.wakes.add(asked));
  expect(isDeciding()).toBe(true);
  // The turn's own key is free for the wake that says how it ended.
  expect(
    store.write(() => store.wakes.add({ ...asked, id: 'w2', key: String(session.memory.prompted) })),
  ).toBe(true);
});
