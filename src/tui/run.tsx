/** Runs the board in a terminal: applies keys and updates, executes commands, draws the screen. */
import { type Instance, render } from 'ink';
import {
  type Board,
  withChanges,
  emptyBoard,
  insertText,
  isTyping,
  withRequests,
  withPaint,
  press,
  rowsOf,
  selectedIn,
  selectedSession,
  sessionToLoad,
  withSnapshot,
} from '../client/board.ts';
import { goneText } from '../client/request-text.ts';
import { surface } from '../client/surface.ts';
import type { Env, Paths } from '../paths.ts';
import { attach } from '../tmux/keys/jump.ts';
import { Keyboard } from './keyboard.ts';
import { type Layout, layoutOf } from './layout.ts';
import { keepLink } from './link.ts';
import { Picture } from './picture.ts';
import { RequestLoader, sessionPage } from './requests.ts';
import { Screen } from './screen.tsx';
import { execute, type Outcome } from './execute.ts';

/** Shortest time between two draws of updates, ms: with many sessions they come in bursts. */
const drawInterval = 40;
/** Interval of redraws, ms: ages and the visible pane change. */
const tick = 1_000;

/** Shows the board until the user quits. */
export const showBoard = async (paths: Paths, env: Env): Promise<never> => {
  surface.name = 'board';
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
    return layoutOf(board, rows, selectedIn(board, rows), size());
  };
  const tree = () => (
    <Screen
      board={board}
      preview={picture.of(selected())}
      size={size()}
      now={Date.now()}
      colours={!env.NO_COLOR}
    />
  );
  const show = (next: Board = board): void => {
    board = next;
    if (drawTimer) clearTimeout(drawTimer);
    drawTimer = null;
    if (!app) return;
    board = withPaint(board, Date.now(), layout().text);
    app.rerender(tree());
    void explainGone();
    void requests.load();
  };
  const picture = new Picture(paths, selected, () => show());
  const requests = new RequestLoader(
    paths,
    () => sessionToLoad(board, Date.now()),
    complete => show(withRequests(board, complete, Date.now())),
  );
  const showSoon = (next: Board): void => {
    board = next;
    drawTimer ??= setTimeout(() => {
      show();
      void picture.refresh();
    }, drawInterval);
  };
  /** Shows what happened to the request whose confirmation closed by itself. */
  const explainGone = async (): Promise<void> => {
    const { gone, notice } = board;
    if (!gone) return;
    board = { ...board, gone: null };
    const page = await sessionPage(paths, gone.id).catch(() => null);
    const past = page?.past.find(({ id }) => id === gone.request);
    // A later notice stays.
    if (past && board.notice === notice) show({ ...board, notice: goneText(past, Date.now()) });
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
    const { board: next, command } = press(board, key, Date.now(), layout().page);
    show(next);
    void picture.refresh();
    if (command) void execute(command, board.sessions, paths, env).then(onOutcome).catch(onFailure);
  };
  const keyboard = new Keyboard({
    isTyping: () => isTyping(board),
    onKey,
    onText: text => show(insertText(board, text)),
    onIgnored: () =>
      show({ ...board, notice: 'Ignored: several keys at once, or pasted text, outside a text field.' }),
  });
  const onFailure = (error: unknown): void => show({ ...board, notice: String((error as Error).message) });
  const onOutcome = (outcome: Outcome): void => {
    if (outcome.kind === 'quit') quit();
    if (outcome.kind === 'notice') show({ ...board, notice: outcome.text });
    if (outcome.kind !== 'attach') return;
    close();
    keyboard.stop(process.stdin, process.stdout);
    const code = attach(outcome.pane, env);
    if (code !== 0) board = { ...board, notice: `tmux exited with ${code}` };
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
    onDown: () => show({ ...board, link: 'down' }),
  });
  await quitted;
  end();
  // The open stream would keep the process alive.
  process.exit(0);
};
