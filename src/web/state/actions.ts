/** What the components of the page can do. */
import { useMemo } from 'react';
import {
  type Board,
  type BoardCommand,
  type CommandId,
  pastVerbs,
  press,
  undoneText,
} from '../../client/board.ts';
import type { Form } from '../forms/form.ts';
import { call } from '../daemon/call.ts';
import { errorText } from '../daemon/daemon-error.ts';
import { execute, type Outcome } from './execute.ts';
import { openTab } from '../session/open-tab.ts';
import { pageCommand } from './page-command.ts';
import { fixedSelection, type PageStore } from './store.ts';

export type DeferralAct = 'skip' | 'snooze' | 'dismiss';

export interface Actions {
  execute: (command: BoardCommand) => void;
  /** Runs something and shows its notice or its error; true when it succeeded. */
  attempt: (work: () => Promise<string | null>) => Promise<boolean>;
  press: (key: string) => void;
  /** Runs a command for the marked sessions, else for the selected one. False: the board knows what it means. */
  run: (id: CommandId) => boolean;
  /** Defers several sessions. */
  defer: (act: DeferralAct, ids: string[], seconds?: number) => void;
  /** Undoes the deferral of these sessions, or the last one. */
  undo: (ids?: string[]) => void;
  openForm: (form: Form | null) => void;
  open: (id: string) => void;
  mark: (id: string) => void;
  unmark: () => void;
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
    const attempt = async (work: () => Promise<string | null>): Promise<boolean> => {
      try {
        const text = await work();
        if (text !== null) notify(text);
        return true;
      } catch (error) {
        notify(errorText(error));
        return false;
      }
    };
    const run = (command: BoardCommand): void => {
      if (command.kind === 'quit') {
        location.hash = '#/';
        return;
      }
      void attempt(async () => {
        onOutcome(await execute(command));
        if (command.kind !== 'skip' && command.kind !== 'snooze' && command.kind !== 'dismiss') return null;
        store.set({ undo: [command.id] });
        return `${pastVerbs[command.kind]}. u undoes it.`;
      });
    };
    const defer = (act: DeferralAct, ids: string[], seconds = 0): void => {
      store.set({ marked: new Set() });
      void attempt(async () => {
        for (const id of ids)
          await execute(act === 'snooze' ? { kind: act, id, seconds } : { kind: act, id });
        store.set({ undo: ids });
        return `${pastVerbs[act]} ${countText(ids)}. u undoes it.`;
      });
    };
    const undo = (ids = store.get().undo): void => {
      if (ids.length === 0) return notify('Nothing to undo.');
      void attempt(async () => {
        for (const id of ids) await call('undoDeferral', { id });
        store.set({ undo: [] });
        return ids.length === 1 ? undoneText : `${countText(ids)} are back in the queue.`;
      });
    };
    const openForm = (form: Form | null): void => store.set({ form });
    return {
      execute: run,
      open,
      attempt,
      defer,
      undo,
      openForm,
      mark: id => store.toggleMark(id),
      unmark: () => store.set({ marked: new Set() }),
      run: id => {
        const { marked, board } = store.get();
        const command = pageCommand(id, store.targets(), marked.size > 0, Date.now());
        if (command === null) return false;
        if (command.kind === 'form') openForm(command.form);
        else if (command.kind === 'defer') defer(command.act, command.ids);
        else if (command.kind === 'undo') undo();
        else if (command.kind === 'notice') notify(command.text);
        else if (board.selected !== null) {
          if (command.kind === 'mark') store.toggleMark(board.selected);
          else if (command.kind === 'changes') {
            open(board.selected);
            openTab('Changes');
          } else {
            open(board.selected);
            focusMessage();
          }
        }
        return true;
      },
      press: key => {
        const { board } = store.get();
        const now = Date.now();
        const pressed = press(board, key, now, 12);
        const next = { ...pressed, board: withPageEntry(pressed.board) };
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

/** The page uses only the snooze field of the board. Everything else has a form of its own. */
const withPageEntry = (board: Board): Board =>
  board.entry === null || board.entry.kind === 'snooze' ? board : { ...board, entry: null };

const countText = (ids: string[]): string => (ids.length === 1 ? 'one session' : `${ids.length} sessions`);

/** On a narrow screen the session is shown first. */
const focusMessage = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.messages textarea')?.focus());
};
