import { expect, test } from 'vitest';
import { aSession } from '../../testing/session.ts';
import { type Span, spanOver } from './span.ts';
import { timelineOf } from './timeline.ts';

const span = (sessionId: string, since: number, until: number, more: Partial<Span> = {}): Span => ({
  sessionId,
  since,
  until,
  state: 'working',
  reason: null,
  project: 'shop',
  ...more,
});

test('a span ends when the state or its beginning changes; the end of a session begins none', () => {
  const working = aSession({ state: 'working', since: 10 });
  const waiting = aSession({ state: 'waiting', reason: 'stopped', since: 30 });
  const over = { since: 10, until: 30, state: 'working' };
  expect(spanOver(working, waiting)).toMatchObject(over);
  expect(spanOver(waiting, aSession({ state: 'waiting', reason: 'failed', since: 30 }))).toBeNull();
  expect(spanOver(aSession({ state: 'ended', since: 30 }), working)).toBeNull();
  expect(spanOver(undefined, working)).toBeNull();
  expect(spanOver({ ...working, headless: true }, { ...waiting, headless: true })).toBeNull();
});

test('rows contain finished and current spans, cut to the requested period, in order of start', () => {
  const live = aSession({ id: 'b', state: 'waiting', reason: 'question', since: 50, project: 'blog' });
  const over = [span('b', 20, 50), span('a', 0, 40), span('c', 0, 9), span('a', 40, 40)];
  expect(timelineOf(over, [live], 10, 100)).toEqual({
    from: 10,
    to: 100,
    rows: [
      {
        id: 'a',
        project: 'shop',
        live: false,
        spans: [{ state: 'working', reason: null, since: 10, until: 40 }],
      },
      {
        id: 'b',
        project: 'blog',
        live: true,
        spans: [
          { state: 'working', reason: null, since: 20, until: 50 },
          { state: 'waiting', reason: 'question', since: 50, until: 100 },
        ],
      },
    ],
  });
});
