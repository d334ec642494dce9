import { expect, test } from 'vitest';
import { aSession } from '../testing/session.ts';
import { sessionsIn } from './row.ts';

test('a session that only a newer drover understands hides no others of its host', () => {
  const newer = { ...aSession({ id: 'newer' }), reason: 'dreaming' };
  const found = sessionsIn({ sessions: [newer, { ...aSession({ id: 'known' }), dream: 1 }], later: true });
  expect(found.map(({ id }) => id)).toEqual(['known']);
  expect(() => sessionsIn({ sessions: null })).toThrow('expected array');
});
