import { expect, test } from 'vitest';
import { aSession } from '../testing/session.ts';
import { matchSessions } from './match.ts';

const person = { titleFrom: 'person' } as const;
const sessions = [
  aSession({ id: '1', title: 'Payments', ...person, project: 'shop', branch: 'main', touched: 1 }),
  aSession({
    id: '2',
    title: 'Payments export',
    ...person,
    project: 'shop',
    branch: 'feature/export',
    touched: 2,
  }),
  aSession({ id: '3', title: 'docs', project: 'docs', branch: 'main', tags: ['urgent'], touched: 3 }),
  aSession({ id: '4', title: 'Old payments', project: 'shop', state: 'ended', touched: 4 }),
  aSession({ id: '5', title: 'Search index', project: 'engine', state: 'ended', touched: 5 }),
  aSession({ id: '6', title: 'engine room', project: 'engine', state: 'ended', parked: true, touched: 6 }),
  aSession({ id: '7', title: 'payments in print', headless: true, touched: 7 }),
];
const found = (words: string) => matchSessions(sessions, words).map(({ id }) => id);

test.each([
  ['payments', ['1']],
  ['PAYMENTS EXPORT', ['2']],
  ['pay', ['2', '1']],
  ['export', ['2']],
  ['shop', ['2', '1']],
  ['shop export', ['2']],
  ['main', ['3', '1']],
  ['urgent', ['3']],
  ['feature/export', ['2']],
  ['pymnts', ['2', '1']],
  ['engine', ['6']],
  ['search', ['5']],
  ['nothing like it', []],
  ['', []],
])('%s', (words, ids) => {
  expect(found(words)).toEqual(ids);
});
