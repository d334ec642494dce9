/**
 * The cards of a session's requests. A card keeps its place while the pointer or the focus is on the list, and the card of
 * a request that is over stays for a while and shows what happened, so that no button moves under the pointer.
 */
import type { Request } from '../../contract/answer.ts';
import type { OpenRequest } from '../../contract/session.ts';

export interface Card {
  request: OpenRequest;
  /** With its complete input; null until that is loaded. */
  full: Request | null;
  /** Null: not decided yet. The user can close a card that was opened automatically. */
  isOpen: boolean | null;
  /** When its request was gone, ms. */
  endedAt: number | null;
}

export interface Update {
  /** The open requests, the one that is shown first. */
  requests: OpenRequest[];
  full: Request[];
  now: number;
  /** The pointer or the focus is on the list. */
  isHandOn: boolean;
}

/** How long the card of a request that is over stays, ms. */
const endedFor = 6_000;

/** Updates the cards; returns the same array when nothing changed. */
export const nextCards = (before: Card[], update: Update): Card[] => {
  const { requests, now, isHandOn } = update;
  const known = new Set(before.map(({ request }) => request.id));
  const added = requests
    .filter(({ id }) => !known.has(id))
    .map(request => ({ request, full: null, isOpen: null, endedAt: null }));
  const stay = [...before, ...added]
    .map(card => updated(card, update))
    .filter(({ endedAt }) => isHandOn || endedAt === null || now - endedAt < endedFor);
  const placed = isHandOn ? stay : inOrder(stay, requests);
  const next = withFirstOpen(placed, requests[0]?.id, isHandOn);
  return next.length === before.length && next.every((card, n) => card === before[n]) ? before : next;
};

/** Opens or closes one card. */
export const toggled = (cards: Card[], id: number): Card[] =>
  cards.map(card => (card.request.id === id ? { ...card, isOpen: !card.isOpen } : card));

const updated = (card: Card, { requests, full, now }: Update): Card => {
  const request = requests.find(({ id }) => id === card.request.id);
  if (!request) return card.endedAt === null ? { ...card, endedAt: now } : card;
  const loaded = card.full ?? full.find(({ id }) => id === request.id) ?? null;
  const isSame =
    card.endedAt === null &&
    card.request.until === request.until &&
    card.request.deadline === request.deadline &&
    card.full === loaded;
  return isSame ? card : { ...card, request, full: loaded, endedAt: null };
};

/** Open requests in the order of the session, those that are over keep their place. */
const inOrder = (cards: Card[], requests: OpenRequest[]): Card[] => {
  const places = new Map(requests.map(({ id }, n) => [id, n]));
  const place = ({ request }: Card) => places.get(request.id) ?? 0;
  const open = cards.filter(({ endedAt }) => endedAt === null).sort((a, b) => place(a) - place(b));
  let next = 0;
  return cards.map(card => (card.endedAt === null ? (open[next++] as Card) : card));
};

/** Opens the first request once; under the pointer only if no other open request is shown. */
const withFirstOpen = (cards: Card[], first: number | undefined, isHandOn: boolean): Card[] => {
  if (isHandOn && cards.some(({ isOpen, endedAt }) => isOpen && endedAt === null)) return cards;
  return cards.map(card =>
    card.request.id === first && card.isOpen === null ? { ...card, isOpen: true } : card,
  );
};
