import { expect, test } from 'vitest';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { TurnEnds } from '../../driver/turn/turn-ends.ts';
import { loggedHooks } from './logged-events.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

/** The ends of a session whose hooks fire one second apart, from live events and from the log. */
const ended = async (...hooks: [name: string, payload: object][]) => {
  const { loop, store } = await openPipeline();
  const live = new TurnEnds();
  live.follow(id, () => []);
  loop.addViews([{ name: 'ends', onCommit: commit => live.onEvent(commit) }]);
  await loop.append(
    hooks.map(([name, payload], n) => ({
      draft: { ...hookDraft(name, { session_id: id, ...payload }), at: n * 1_000 },
    })),
  );
  const later = new TurnEnds();
  later.follow(id, () => loggedHooks(store.log, id, 0));
  return (second: number) => {
    const found = [live, later].map(ends => ends.after(id, { seq: second + 1, at: null }));
    expect(found[0]).toEqual(found[1]);
    return found[0] && { text: found[0].text, kind: found[0].kind, closed: found[0].closed };
  };
};

const prompt = ['UserPromptSubmit', {}] as [string, object];
const stop = (text: string, more = {}): [string, object] => [
  'Stop',
  { last_assistant_message: text, ...more },
];

test('a turn keeps its end when another one follows at once', async () => {
  const at = await ended(prompt, stop('one'), prompt, stop('two'));
  expect(at(0)).toEqual({ text: 'one', kind: 'stopped', closed: true });
  expect(at(2)).toEqual({ text: 'two', kind: 'stopped', closed: false });
  expect(at(4)).toBeUndefined();
});

test('a turn keeps its end when the next prompt was submitted before it', async () => {
  const at = await ended(prompt, prompt, stop('one'), stop('two'));
  expect(at(1)).toEqual({ text: 'one', kind: 'stopped', closed: true });
});

test('a Stop that a hook overruled is not the end of the turn', async () => {
  const at = await ended(prompt, stop('not yet'), stop('now', { stop_hook_active: true }));
  expect(at(0)).toEqual({ text: 'now', kind: 'stopped', closed: false });
});

test('a failure ends the turn, the end of a subagent does not', async () => {
  const at = await ended(prompt, stop('inside', { agent_id: 'a1' }), [
    'StopFailure',
    { message: 'overloaded' },
  ]);
  expect(at(0)).toEqual({ text: 'overloaded', kind: 'failed', closed: false });
});
