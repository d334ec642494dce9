/** The session that goes on in the place of one that was named: `/clear` gives a conversation a new id. */
import type { Folded } from '../../session/memory.ts';

export interface Known {
  get: (id: string) => Folded | undefined;
  named: (prefix: string) => Folded[];
}

/** The newest of the line of the session with this id or prefix; null when there is none, or several. */
export const successorOf = (sessionIndex: Known, prefix: string): Folded | null => {
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

/** The sessions that one followed, nearest first. */
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
