/** What the components of the page can do. */
import { useMemo } from 'react';
import { type BoardCommand, press } from '../../client/board.ts';
import { errorText } from '../daemon/daemon-error.ts';
import { execute, type Outcome } from './execute.ts';
import { fixedSelection, type PageStore } from './store.ts';

export interface Actions {
  execute: (command: BoardCommand) => void;
  /** Runs something and shows its notice or its error; true when it succeeded. */
  attempt: (work: () => Promise<string | null>) => Promise<boolean>;
  press: (key: string) => void;
  open: (id: string) => void;
}

export const useActions = (
  store: PageStore,
  chooseClient: (choice: Extract<Outcome, { kind: 'choose-client' }>) => void,
): Actions => {
  return useMemo(() => {
    const notify = (notice: string): void => store.setBoard({ notice });
    const open = (id: string): void => {
      store.setBoard({ selected: id });
      location.hash = `#/s/${id}`;
    };
    const onOutcome = (outcome: Outcome): void => {
      if (outcome.kind === 'notice') notify(outcome.text);
      if (outcome.kind === 'choose-client') chooseClient(outcome);
      if (outcome.kind !== 'open') return;
      open(outcome.id);
      onOutcome(outcome.after);
    };
    const run = (command: BoardCommand): void => {
      if (command.kind === 'quit') {
        location.hash = '#/';
        return;
      }
      execute(command)
        .then(onOutcome)
        .catch((error: unknown) => notify(errorText(error)));
    };
    return {
      execute: run,
      open,
      attempt: async work => {
        try {
          const text = await work();
          if (text !== null) notify(text);
          return true;
        } catch (error) {
          notify(errorText(error));
          return false;
        }
      },
      press: key => {
        const { board } = store.get();
        const now = Date.now();
        const next = press(board, key, now, 12);
        const isDeferral = /^(?:skip|snooze|dismiss)$/.test(next.command?.kind ?? '');
        const selected = fixedSelection(next.board, now, isDeferral ? board.selected : null);
        const moves = selected !== board.selected && selected !== null && store.get().opened !== null;
        store.set({ board: { ...next.board, selected }, ...(moves && { opened: selected }) });
        if (moves) history.replaceState(null, '', `#/s/${selected}`);
        if (next.board.notice) notify(next.board.notice);
        if (next.command) run(next.command);
      },
    };
  }, [store, chooseClient]);
};
