import { describe, expect, test } from 'vitest';
import type { Request } from '../../contract/answer.ts';
import type { OpenRequest } from '../../contract/session.ts';
import { type Card, type Update, nextCards, toggled } from './request-cards.ts';

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
const update = (ids: number[], more: Partial<Update> = {}): Update => ({
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
  test('all requests are listed, and the first is open', () => {
    const cards = nextCards([], update([1, 2, 3]));
    expect([ids(cards), open(cards)]).toEqual([[1, 2, 3], [1]]);
  });

  test('an update without changes keeps the same cards', () => {
    const cards = nextCards([], update([1, 2]));
    expect(nextCards(cards, update([1, 2], { now: 1_000 }))).toBe(cards);
  });

  test('the input stays once it is loaded, also when its request is over', () => {
    const cards = nextCards([], update([1, 2], { full: [full(1)] }));
    const over = nextCards(cards, update([2], { full: [full(2)] }));
    expect(over.map(card => card.full?.input)).toEqual([{ command: 'touch 1' }, { command: 'touch 2' }]);
  });

  test('nothing moves under the pointer: new cards come last, finished ones keep their place', () => {
    const isHandOn = true;
    const cards = nextCards([], update([2, 3]));
    const later = nextCards(cards, update([1, 3], { now: 1_000, isHandOn }));
    expect([ids(later), ended(later)]).toEqual([[2, 3, 1], [2]]);
    const muchLater = nextCards(later, update([1, 3], { now: 60_000, isHandOn }));
    expect(ids(muchLater)).toEqual([2, 3, 1]);
    expect(ids(nextCards(muchLater, update([1, 3], { now: 60_001 })))).toEqual([1, 3]);
  });

  test('a finished request shows its outcome for six seconds', () => {
    const cards = nextCards([], update([1, 2]));
    const over = nextCards(cards, update([2], { now: 1_000 }));
    expect([ids(over), ended(over)]).toEqual([[1, 2], [1]]);
    expect(ids(nextCards(over, update([2], { now: 6_999 })))).toEqual([1, 2]);
    expect(ids(nextCards(over, update([2], { now: 7_000 })))).toEqual([2]);
  });

  test('without the pointer the next request to answer comes first and is open', () => {
    const cards = nextCards([], update([1, 2]));
    const lapsed = { requests: [request(2), request(1, null)] };
    const under = nextCards(cards, update([], { ...lapsed, isHandOn: true }));
    expect([ids(under), open(under)]).toEqual([[1, 2], [1]]);
    expect(under[0]?.request.until).toBeNull();
    const away = nextCards(under, update([], lapsed));
    expect([ids(away), open(away)]).toEqual([
      [2, 1],
      [2, 1],
    ]);
  });

  test('the next card opens when the open one is finished', () => {
    const cards = nextCards([], update([1, 2]));
    const next = nextCards(cards, update([2], { isHandOn: true }));
    expect(open(next)).toEqual([1, 2]);
  });

  test('cards stay as the user opened or closed them', () => {
    const cards = toggled(toggled(nextCards([], update([1, 2])), 1), 2);
    expect(open(nextCards(cards, update([1, 2], { now: 5_000 })))).toEqual([2]);
  });
});
