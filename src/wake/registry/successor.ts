/** Follow a session across `/clear`, which gives a conversation a new id. */
import type { Folded } from '../../session/memory.ts';

export interface SessionLookup {
  get: (id: string) => Folded | undefined;
  named: (prefix: string) => Folded[];
}

/** Find the session with this id or prefix, then its newest successor; null when none or several match. */
export const successorOf = (sessionIndex: SessionLookup, prefix: string): Folded | null => {
  const [first, second] = sessionIndex.named(prefix);
  if (!first || second) return null;
  let last = first;
  for (let steps = 0; last.next && steps < 1_000; steps++) {
    const next = sessionIndex.get(last.next);
    if (!next) break;
    last = next;
  }
  return last;
};

/** Check whether two ids or prefixes lead to one session. An id that is not known leads to itself. */
export const isSameSession = (sessionIndex: SessionLookup, one: string, other: string): boolean => {
  const newest = (id: string): string => successorOf(sessionIndex, id)?.id ?? id;
  return newest(one) === newest(other);
};

/** List the predecessors of a session, nearest first. */
export const ancestorsOf = (all: Folded[], id: string): string[] => {
  const found: string[] = [];
  let before = all.find(({ next }) => next === id);
  while (before && !found.includes(before.id)) {
    const { id: last } = before;
    found.push(last);
    before = all.find(({ next }) => next === last);
  }
  return found;
};
