/** What keys, text and the mouse do on the board: changes what it shows, and executes commands. */
import { type BoardCommand, insertText, isTyping, press, rowsOf, selectedIn } from '../client/board.ts';
import type { Env, Paths } from '../paths.ts';
import { attach } from '../tmux/keys/jump.ts';
import type { BoardView } from './board-view.tsx';
import { execute, type Outcome } from './execute.ts';
import { takeTerminal } from './go-elsewhere.ts';
import type { KeyboardDeps } from './keyboard.ts';
import { withMouse } from './mouse.ts';

export interface BoardKeysDeps {
  paths: Paths;
  env: Env;
  isPanel: boolean;
  view: BoardView;
  quit: () => void;
  /** Gives the terminal to another program, which returns the problem that it had. */
  lend: (run: () => string | null) => void;
}

/** Keys that close the panel when it has nothing to show. */
const closingKeys = new Set(['escape', 'q', 'enter', ' ']);

export const boardKeys = ({ paths, env, isPanel, view, quit, lend }: BoardKeysDeps): KeyboardDeps => {
  const onOutcome = (outcome: Outcome): void => {
    const { board } = view;
    if (outcome.kind === 'quit') quit();
    if (outcome.kind === 'notice') view.show({ ...board, notice: outcome.text });
    if (outcome.kind === 'started')
      view.show({
        ...board,
        selected: outcome.id,
        selectedAt: Date.now(),
        painted: null,
        notice: outcome.text,
      });
    if (outcome.kind === 'attach')
      lend(() => {
        const code = attach(outcome.pane, env);
        return code === 0 ? null : `tmux exited with ${code}`;
      });
    if (outcome.kind === 'attach-elsewhere') lend(() => takeTerminal(outcome.id, env));
  };
  const run = async (command: BoardCommand): Promise<void> => {
    try {
      const outcome = await execute(command, view.board.sessions, paths, env);
      view.isRunning = false;
      if (isPanel) quit();
      else onOutcome(outcome);
    } catch (error) {
      view.isRunning = false;
      view.showError(error);
    }
  };
  return {
    isTyping: () => isTyping(view.board),
    onKey: key => {
      const { board, isRunning } = view;
      if (isPanel && isRunning && key !== 'ctrl-c') return;
      const { board: next, command } = press(board, key, Date.now(), view.layout().page);
      // In the panel alone, whatever closes it leaves.
      if (isPanel && next.entry === null && command?.kind !== 'answer')
        return command || closingKeys.has(key) || board.entry !== null ? quit() : undefined;
      view.isRunning = command !== null;
      // The panel stays until the answer has arrived, and longer if it was refused.
      view.show(isPanel && command ? { ...board, notice: next.notice } : next);
      view.refreshPane();
      if (command) void run(command);
    },
    onText: text => view.show(insertText(view.board, text)),
    onIgnored: () =>
      view.show({
        ...view.board,
        notice: 'Ignored: several keys at once, or pasted text, outside a text field.',
      }),
    onMouse: mouse => {
      const now = Date.now();
      const { board } = view;
      const rows = rowsOf(board, now);
      const selected = selectedIn(board, rows);
      view.show(withMouse(board, mouse, { rows, selected, layout: view.layout(), now }));
      view.refreshPane();
    },
  };
};
