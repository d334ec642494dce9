import { describe, expect, test } from 'vitest';
import type { Request } from '../../contract/answer.ts';
import type { OpenRequest } from '../../contract/session.ts';
import { type Card, type News, nextCards, toggled } from './request-cards.ts';

const request = (id: number, until: number | null = 9_000): OpenRequest => ({
  id,
  kind: 'permission',
  tool: 'Bash',
  agent: null,
  line: `Bash: touch ${id}`,
  at: id,
  until,
});
const full = (id: number): Request => ({
  ...request(id),
  input: { command: `touch ${id}` },
  rememberable: false,
});
const news = (ids: number[], more: Partial<News> = {}): News => ({
  requests: ids.map(id => request(id)),
  full: [],
  now: 0,
  isHandOn: false,
  ...more,
});
const ids = (cards: Card[]): number[] => cards.map(card => card.request.id);
const open = (cards: Card[]): number[] => ids(cards.filter(({ isOpen }) => isOpen));
const ended = (cards: Card[]): number[] => ids(cards.filter(({ endedAt }) => endedAt !== null));

describe('the cards of requests', () => {
  test('all requests are listed, the first one is open', () => {
    const cards = nextCards([], news([1, 2, 3]));
    expect([ids(cards), open(cards)]).toEqual([[1, 2, 3], [1]]);
  });

  test('nothing new leaves them as they are', () => {
    const cards = nextCards([], news([1, 2]));
    expect(nextCards(cards, news([1, 2], { now: 1_000 }))).toBe(cards);
  });

  test('the input stays once it is loaded, also when its request is over', () => {
    const cards = nextCards([], news([1, 2], { full: [full(1)] }));
    const over = nextCards(cards, news([2], { full: [full(2)] }));
    expect(over.map(card => card.full?.input)).toEqual([{ command: 'touch 1' }, { command: 'touch 2' }]);
  });

  test('under the hand nothing moves: new ones come last, those that are over stay in their place', () => {
    const isHandOn = true;
    const cards = nextCards([], news([2, 3]));
    const later = nextCards(cards, news([1, 3], { now: 1_000, isHandOn }));
    expect([ids(later), ended(later)]).toEqual([[2, 3, 1], [2]]);
    const muchLater = nextCards(later, news([1, 3], { now: 60_000, isHandOn }));
    expect(ids(muchLater)).toEqual([2, 3, 1]);
    expect(ids(nextCards(muchLater, news([1, 3], { now: 60_001 })))).toEqual([1, 3]);
  });

  test('a request that is over says so for six seconds', () => {
    const cards = nextCards([], news([1, 2]));
    const over = nextCards(cards, news([2], { now: 1_000 }));
    expect([ids(over), ended(over)]).toEqual([[1, 2], [1]]);
    expect(ids(nextCards(over, news([2], { now: 6_999 })))).toEqual([1, 2]);
    expect(ids(nextCards(over, news([2], { now: 7_000 })))).toEqual([2]);
  });

  test('away from the hand the request that an answer would reach comes first, and is opened', () => {
    const cards = nextCards([], news([1, 2]));
    const lapsed = { requests: [request(2), request(1, null)] };
    const under = nextCards(cards, news([], { ...lapsed, isHandOn: true }));
    expect([ids(under), open(under)]).toEqual([[1, 2], [1]]);
    expect(under[0]?.request.until).toBeNull();
    const away = nextCards(under, news([], lapsed));
    expect([ids(away), open(away)]).toEqual([
      [2, 1],
      [2, 1],
    ]);
  });

  test('the next one opens when the one that was shown is over', () => {
    const cards = nextCards([], news([1, 2]));
    const next = nextCards(cards, news([2], { isHandOn: true }));
    expect(open(next)).toEqual([1, 2]);
  });

  test('one that a person closed stays closed, and an opened one stays open', () => {
    const cards = toggled(toggled(nextCards([], news([1, 2])), 1), 2);
    expect(open(nextCards(cards, news([1, 2], { now: 5_000 })))).toEqual([2]);
  });
});
