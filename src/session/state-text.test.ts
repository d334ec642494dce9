import { expect, test } from 'vitest';
import type { Reason, Session } from '../contract/session.ts';
import { aSession } from '../testing/session.ts';
import { foldEvent, hook } from '../testing/fold-script.ts';
import { SessionIndex } from '../live/session-index.ts';
import { isUnseen, lastingText, stateText } from './state-text.ts';

const now = 10_000_000;
const text = (more: Partial<Session>) => stateText(aSession(more), now);

test('people read words, not values', () => {
  const waiting = (reason: Reason) => text({ state: 'waiting', reason });
  expect(waiting('permission')).toBe('needs approval');
  expect(waiting('question')).toBe('has a question');
  expect(waiting('plan')).toBe('plan to review');
  expect(waiting('elicitation')).toBe('needs input');
  expect(waiting('dialog')).toBe('start-up dialog');
  expect(waiting('failed')).toBe('error');
  expect(waiting('interrupted')).toBe('interrupted');
  expect(text({ state: 'ready' })).toBe('new');
  expect(text({ state: 'working' })).toBe('working');
  expect(text({ state: 'background' })).toBe('background task');
  expect(text({ state: 'ended', reason: 'exit' })).toBe('ended');
});

test('a session without progress says for how long, but not while it waits', () => {
  const stalled = { since: now - 22 * 60_000, tool: null, queued: false };
  expect(text({ state: 'working', stalled })).toBe('no progress for 22 min');
  expect(text({ state: 'waiting', reason: 'permission', stalled })).toBe('needs approval');
  expect(lastingText(aSession({ state: 'working', stalled }))).toBe('no progress');
});

test('a finished session is done until somebody looks at it, then idle, and done again after its next turn', () => {
  const index = new SessionIndex([]);
  let seq = 0;
  const stateAfter = (...events: Parameters<typeof foldEvent>[2][]) => {
    for (const event of events) {
      foldEvent(index, ++seq, event, event.at);
      const settled = { at: event.at + 900, source: 'drover' as const, name: 'Settled' };
      foldEvent(index, ++seq, settled, event.at);
    }
    const [session] = index.live();
    return [stateText(session as Session, now), isUnseen(session as Session)];
  };
  const turn = (at: number) => [hook(at, 'UserPromptSubmit', { prompt: 'do' }), hook(at + 500, 'Stop', {})];
  const seen = (at: number) => ({ at, source: 'drover' as const, name: 'Seen' });
  expect(stateAfter(...turn(1_000))).toEqual(['done', true]);
  expect(stateAfter(seen(3_000))).toEqual(['idle', false]);
  expect(stateAfter(seen(4_000))).toEqual(['idle', false]);
  expect(index.live()[0]?.deferral).toMatchObject({ seen: 3_000 });
  expect(stateAfter(...turn(5_000))).toEqual(['done', true]);
});
