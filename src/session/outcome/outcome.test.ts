import { expect, test } from 'vitest';
import { SessionIndex } from '../../live/session-index.ts';
import { foldEvent, hook } from '../../testing/fold-script.ts';
import { defaultBudgets, type Budgets } from '../timing.ts';
import { queueOf } from '../queue/queue.ts';
import { stateText } from '../state-text.ts';
import type { Session } from '../../contract/session.ts';
import { outcomeOf } from './outcome.ts';

/** A session after these events. */
const sessionAfter = (events: Parameters<typeof foldEvent>[2][], budgets: Budgets = defaultBudgets) => {
  const index = new SessionIndex([]);
  let seq = 0;
  for (const event of events) {
    foldEvent(index, ++seq, event, event.at, budgets);
    const settled = { at: event.at + 900, source: 'drover' as const, name: 'Settled' };
    foldEvent(index, ++seq, settled, event.at, budgets);
  }
  return index.live()[0] as Session;
};

const prompt = hook(1_000, 'UserPromptSubmit', { prompt: 'do' });
const stop = (text: string) => hook(2_000, 'Stop', { last_assistant_message: text });
const failure = (error: string, text: string) =>
  hook(2_000, 'StopFailure', { error, last_assistant_message: text });

test('a turn that ends with a question asks you, until the next prompt', () => {
  const session = sessionAfter([prompt, stop('Ready. Shall I push?')]);
  expect(session).toMatchObject({
    state: 'waiting',
    reason: 'stopped',
    outcome: { kind: 'asks', sentence: 'Shall I push?', early: null, rule: 'question' },
  });
  expect(stateText(session, 3_000)).toBe('asks you');
  const after = sessionAfter([
    prompt,
    stop('Shall I push?'),
    hook(3_000, 'UserPromptSubmit', { prompt: 'y' }),
  ]);
  expect(after.outcome).toBeNull();
});

test('with `asks` off such a turn is done, and the rule says why', () => {
  const session = sessionAfter([prompt, stop('Shall I push?')], { ...defaultBudgets, questions: false });
  expect(session.outcome).toEqual({ kind: 'done', sentence: null, early: null, rule: 'off' });
  expect(stateText(session, 3_000)).toBe('done');
});

test('a token limit and a refusal are stops, any other failure is an error', () => {
  const limit = sessionAfter([prompt, failure('max_output_tokens', 'API Error: too long')]);
  expect(limit).toMatchObject({ reason: 'failed', outcome: { kind: 'stopped_early', early: 'token_limit' } });
  expect(stateText(limit, 3_000)).toBe('stopped early');
  const text = 'API Error: it was flagged (https://www.anthropic.com/legal/aup).';
  expect(sessionAfter([prompt, failure('invalid_request', text)]).outcome?.early).toBe('refusal');
  expect(sessionAfter([prompt, failure('invalid_request', 'API Error: 400')]).outcome).toBeNull();
});

test('a turn that a Stop hook ended stopped early, with the reason of the hook', () => {
  const said = {
    at: 2_100,
    source: 'transcript' as const,
    name: 'StoppedByHook',
    fields: { reason: 'enough' },
  };
  expect(sessionAfter([prompt, stop('Shall I push?'), said]).outcome).toEqual({
    kind: 'stopped_early',
    sentence: 'enough',
    early: 'stop_hook',
    rule: 'stop-hook',
  });
});

test('the queue has blocked sessions first, then those that ask, then those that are done', () => {
  const done = { ...sessionAfter([prompt, stop('All done.')]), id: 'done', since: 1 };
  const asks = { ...sessionAfter([prompt, stop('Shall I?')]), id: 'asks', since: 2 };
  const blocked = { ...done, id: 'blocked', reason: 'permission' as const, outcome: null, since: 3 };
  expect(queueOf([done, asks, blocked], 9).map(({ session }) => session.id)).toEqual([
    'blocked',
    'asks',
    'done',
  ]);
  expect(queueOf([done, asks, blocked], 9, 'fifo').map(({ session }) => session.id)).toEqual([
    'done',
    'asks',
    'blocked',
  ]);
});

test('the sentence is one bounded line without characters that a terminal interprets', () => {
  const { sentence } = outcomeOf(`Shall I run \u001b[31m\u202etxt.mr\u202c ${'x'.repeat(2_000)}?`);
  expect(sentence).toHaveLength(300);
  expect(sentence).not.toMatch(/[\u0000-\u001f\u202a-\u202e]/);
});
