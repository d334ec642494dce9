/** Runs the board in a terminal: applies keys and updates, executes commands, draws the screen. */
import { type Instance, render } from 'ink';
import {
  type Board,
  type BoardCommand,
  withChanges,
  withFleet,
  emptyBoard,
  insertText,
  isTyping,
  openNextPanel,
  withPaint,
  press,
  rowsOf,
  selectedIn,
  selectedSession,
  sessionLookedAt,
  withSnapshot,
} from '../client/board.ts';
import { call } from '../client/call.ts';
import { surface } from '../client/surface.ts';
import type { Env, Paths } from '../paths.ts';
import { attach } from '../tmux/keys/jump.ts';
import { takeTerminal } from './go-elsewhere.ts';
import { Keyboard } from './keyboard.ts';
import { type Layout, layoutOf } from './layout.ts';
import { keepLink } from './link.ts';
import { Picture } from './picture.ts';
import { withMouse } from './mouse.ts';
import { openLoaders } from './loaders.ts';
import { Screen } from './screen.tsx';
import { execute, type Outcome } from './execute.ts';

/** Keys that close the panel when it has nothing to show. */
const closingKeys = new Set(['escape', 'q', 'enter', ' ']);

/** Shortest time between two draws of updates, ms: with many sessions they come in bursts. */
const drawInterval = 40;
/** Interval of redraws, ms: ages and the visible pane change. */
const tick = 1_000;

/** The board, or only the answer panel of the first in the queue, which closes after an answer. */
export type Shape = 'board' | 'panel';

/** Shows the board until the user quits. */
export const showBoard = async (paths: Paths, env: Env, shape: Shape = 'board'): Promise<never> => {
  surface.name = 'board';
  const isPanel = shape === 'panel';
  /** A command of the panel is running: it decides whether the panel closes. */
  let isRunning = false;
  let board: Board = emptyBoard;
  let app: Instance | null = null;
  let drawTimer: NodeJS.Timeout | null = null;
  let quit = (): void => {};
  const quitted = new Promise<void>(done => {
    quit = done;
  });

  const size = () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 });
  const selected = () => selectedSession(board, Date.now());
  const layout = (): Layout => {
    const rows = rowsOf(board, Date.now());
    return layoutOf(board, rows, selectedIn(board, rows), size(), Date.now());
  };
  const tree = () => (
    <Screen
      board={board}
      preview={picture.of(selected())}
      size={size()}
      now={Date.now()}
      colours={!env.NO_COLOR}
      shape={shape}
    />
  );
  const show = (next: Board = board): void => {
    board = next;
    if (drawTimer) clearTimeout(drawTimer);
    drawTimer = null;
    if (!app) return;
    if (isPanel && !isRunning && board.link === 'live' && board.entry === null) {
      const { notice } = board;
      board = { ...openNextPanel(board, Date.now()), notice };
    }
    board = withPaint(board, Date.now(), layout().text);
    app.rerender(tree());
    loaders.load();
  };
  const picture = new Picture(
    paths,
    () => (isPanel ? undefined : selected()),
    () => show(),
  );
  const loaders = openLoaders(paths, { board: () => board, show, isPanel });
  const showSoon = (next: Board): void => {
    board = next;
    drawTimer ??= setTimeout(() => {
      show();
      void picture.refresh();
    }, drawInterval);
  };
  const open = (): void => {
    process.stdout.write('\x1b[?1049h\x1b[H');
    app = render(tree(), { exitOnCtrlC: false, patchConsole: false, maxFps: 120 });
    show();
  };
  const close = (): void => {
    if (!app) return;
    app.unmount();
    app = null;
    process.stdout.write('\x1b[?1049l');
  };

  const onKey = (key: string): void => {
    if (isPanel && isRunning && key !== 'ctrl-c') return;
    const { board: next, command } = press(board, key, Date.now(), layout().page);
    // In the panel alone, whatever closes it leaves.
    if (isPanel && next.entry === null && command?.kind !== 'answer')
      return command || closingKeys.has(key) || board.entry !== null ? quit() : undefined;
    isRunning = command !== null;
    // The panel stays until the answer has arrived, and longer if it was refused.
    show(isPanel && command ? { ...board, notice: next.notice } : next);
    void picture.refresh();
    if (command) void run(command);
  };
  const run = async (command: BoardCommand): Promise<void> => {
    try {
      const outcome = await execute(command, board.sessions, paths, env);
      isRunning = false;
      if (isPanel) quit();
      else onOutcome(outcome);
    } catch (error) {
      isRunning = false;
      onFailure(error);
    }
  };
  const keyboard = new Keyboard({
    isTyping: () => isTyping(board),
    onKey,
    onText: text => show(insertText(board, text)),
    onIgnored: () =>
      show({ ...board, notice: 'Ignored: several keys at once, or pasted text, outside a text field.' }),
    onMouse: mouse => {
      const now = Date.now();
      const rows = rowsOf(board, now);
      show(withMouse(board, mouse, { rows, selected: selectedIn(board, rows), layout: layout(), now }));
      void picture.refresh();
    },
  });
  const onFailure = (error: unknown): void => show({ ...board, notice: String((error as Error).message) });
  const onOutcome = (outcome: Outcome): void => {
    if (outcome.kind === 'quit') quit();
    if (outcome.kind === 'notice') show({ ...board, notice: outcome.text });
    if (outcome.kind === 'started')
      show({ ...board, selected: outcome.id, selectedAt: Date.now(), painted: null, notice: outcome.text });
    if (outcome.kind === 'attach')
      lend(() => {
        const code = attach(outcome.pane, env);
        return code === 0 ? null : `tmux exited with ${code}`;
      });
    if (outcome.kind === 'attach-elsewhere') lend(() => takeTerminal(outcome.id, env));
  };
  /** Gives the terminal away until the other program has ended. */
  const lend = (run: () => string | null): void => {
    close();
    keyboard.stop(process.stdin, process.stdout);
    const problem = run();
    if (problem !== null) board = { ...board, notice: problem };
    keyboard.start(process.stdin, process.stdout);
    open();
  };
  const end = (): void => {
    if (app) keyboard.stop(process.stdin, process.stdout);
    close();
  };

  process.on('exit', end);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, quit);
  // After a resize the old frame is not where Ink expects it.
  process.stdout.on('resize', () => {
    if (!app) return;
    close();
    open();
  });
  keyboard.start(process.stdin, process.stdout);
  open();
  setInterval(() => {
    show();
    if (app) void picture.refresh();
    const id = board.link === 'live' && app && !isPanel ? sessionLookedAt(board, Date.now()) : null;
    if (id !== null) call(paths, 'seeSession', { id }).catch(onFailure);
  }, tick);
  void keepLink(paths, env, {
    onSnapshot: sessions => {
      // The first snapshot is drawn at once.
      const first = board.link !== 'live';
      showSoon(withSnapshot(board, sessions, Date.now()));
      if (!first) return;
      show();
      void picture.refresh();
    },
    onChange: sessions => showSoon(withChanges(board, sessions, Date.now())),
    onOrder: order => showSoon({ ...board, order }),
    onFleet: fleet => showSoon(withFleet(board, fleet)),
    onDown: () => show({ ...board, link: 'down' }),
  });
  await quitted;
  end();
  // The open stream would keep the process alive.
  process.exit(0);
};
