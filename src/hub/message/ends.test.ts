import { expect, test } from 'vitest';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { Ends } from './ends.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

/** The ends of a session whose hooks fired one after the other, a second each, heard live and read from the log. */
const ended = async (...hooks: [name: string, payload: object][]) => {
  const { loop, store } = await openPipeline();
  const live = new Ends();
  live.follow(store.log, id, 0);
  loop.listen(({ event, payload }) => live.hear(event, payload));
  await loop.take(
    hooks.map(([name, payload], n) => ({
      draft: { ...hookDraft(name, { session_id: id, ...payload }), at: n * 1_000 },
    })),
  );
  const later = new Ends();
  later.follow(store.log, id, 0);
  return (second: number) => {
    const found = [live, later].map(ends => ends.after(id, second * 1_000));
    expect(found[0]).toEqual(found[1]);
    return found[0] && { text: found[0].text, kind: found[0].kind, closed: found[0].closed };
  };
};

const prompt = ['UserPromptSubmit', {}] as [string, object];
const stop = (text: string, more = {}): [string, object] => [
  'Stop',
  { last_assistant_message: text, ...more },
];

test('a turn that another one followed at once keeps its own end', async () => {
  const at = await ended(prompt, stop('one'), prompt, stop('two'));
  expect(at(0)).toEqual({ text: 'one', kind: 'stopped', closed: true });
  expect(at(2)).toEqual({ text: 'two', kind: 'stopped', closed: false });
  expect(at(4)).toBeUndefined();
});

test('so does one whose follower was submitted before it ended', async () => {
  const at = await ended(prompt, prompt, stop('one'), stop('two'));
  expect(at(1)).toEqual({ text: 'one', kind: 'stopped', closed: true });
});

test('a Stop that somebody kept from ending the turn is not its end', async () => {
  const at = await ended(prompt, stop('not yet'), stop('now', { stop_hook_active: true }));
  expect(at(0)).toEqual({ text: 'now', kind: 'stopped', closed: false });
});

test('the end of a subagent is none, a failure is one', async () => {
  const at = await ended(prompt, stop('inside', { agent_id: 'a1' }), [
    'StopFailure',
    { message: 'overloaded' },
  ]);
  expect(at(0)).toEqual({ text: 'overloaded', kind: 'failed', closed: false });
});
