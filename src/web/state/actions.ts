/** What the parts of the page can ask of it, and what becomes of that. */
import { useMemo } from 'react';
import { press, type Wish } from '../../client/board.ts';
import { errorText } from '../daemon/daemon-error.ts';
import { heldSelection, type PageStore } from './store.ts';
import { execute, type Outcome } from './execute.ts';

export interface Actions {
  wish: (wish: Wish) => void;
  /** Runs something and says what became of it; true when it went well. */
  tryOut: (work: () => Promise<string | null>) => Promise<boolean>;
  press: (key: string) => void;
  look: (id: string) => void;
}

export const useActions = (
  store: PageStore,
  setWhich: (which: Extract<Outcome, { kind: 'which' }>) => void,
): Actions => {
  return useMemo(() => {
    const say = (notice: string): void => store.setBoard({ notice });
    const look = (id: string): void => {
      store.setBoard({ selected: id });
      location.hash = `#/s/${id}`;
    };
    const onOutcome = (outcome: Outcome): void => {
      if (outcome.kind === 'notice') say(outcome.text);
      if (outcome.kind === 'which') setWhich(outcome);
      if (outcome.kind !== 'look') return;
      look(outcome.id);
      onOutcome(outcome.next);
    };
    const wish = (wanted: Wish): void => {
      if (wanted.kind === 'quit') {
        location.hash = '#/';
        return;
      }
      execute(wanted)
        .then(onOutcome)
        .catch((error: unknown) => say(errorText(error)));
    };
    return {
      wish,
      look,
      tryOut: async work => {
        try {
          const text = await work();
          if (text !== null) say(text);
          return true;
        } catch (error) {
          say(errorText(error));
          return false;
        }
      },
      press: key => {
        const { board } = store.get();
        const now = Date.now();
        const next = press(board, key, now, 12);
        const isPutAway = /^(?:skip|snooze|dismiss)$/.test(next.wish?.kind ?? '');
        const selected = heldSelection(next.board, now, isPutAway ? board.selected : null);
        const moves = selected !== board.selected && selected !== null && store.get().opened !== null;
        store.set({ board: { ...next.board, selected }, ...(moves && { opened: selected }) });
        if (moves) history.replaceState(null, '', `#/s/${selected}`);
        if (next.board.notice) say(next.board.notice);
        if (next.wish) wish(next.wish);
      },
    };
  }, [store, setWhich]);
};
