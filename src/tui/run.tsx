/** The board's life in a terminal: keys and news in, wishes carried out, one screen. */
import { type Instance, render } from 'ink';
import { type Board, changed, emptyBoard, press, rowsOf, selectedIn, told } from '../client/board.ts';
import { surface } from '../client/surface.ts';
import type { Session } from '../contract/session.ts';
import type { Env, Paths } from '../paths.ts';
import { attach } from '../tmux/jump.ts';
import { Keys } from './keys.tsx';
import { keepLink } from './link.ts';
import { Picture } from './picture.ts';
import { listRoom, Screen } from './screen.tsx';
import { fulfil, type Outcome } from './wishes.ts';

/** News of a crowd come many at once: shown together, at most so often. */
const newsEvery = 40;
/** Ages go on, and so does what the one visible pane shows. */
const tick = 1_000;

/** Shows the board until the human leaves it. */
export const showBoard = async (paths: Paths, env: Env): Promise<never> => {
  surface.name = 'board';
  let board: Board = emptyBoard;
  let app: Instance | null = null;
  let news: NodeJS.Timeout | null = null;
  let leave = (): void => {};
  const left = new Promise<void>(done => {
    leave = done;
  });

  const size = () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 });
  const selected = (): Session | undefined => {
    const rows = rowsOf(board, Date.now());
    return rows[selectedIn(board, rows)]?.session;
  };
  const tree = () => (
    <>
      <Keys onKey={onKey} />
      <Screen
        board={board}
        preview={picture.of(selected())}
        size={size()}
        now={Date.now()}
        colours={!env.NO_COLOR}
      />
    </>
  );
  const show = (next: Board = board): void => {
    board = next;
    if (news) clearTimeout(news);
    news = null;
    app?.rerender(tree());
  };
  const picture = new Picture(paths, selected, () => show());
  const showSoon = (next: Board): void => {
    board = next;
    news ??= setTimeout(() => {
      show();
      void picture.look();
    }, newsEvery);
  };

  const open = (): void => {
    process.stdout.write('\x1b[?1049h\x1b[H');
    app = render(tree(), { exitOnCtrlC: false, patchConsole: false, maxFps: 120 });
  };
  const close = (): void => {
    if (!app) return;
    app.unmount();
    app = null;
    process.stdout.write('\x1b[?1049l');
  };

  const onKey = (key: string): void => {
    const { board: next, wish } = press(board, key, Date.now(), listRoom(size(), board.sessions.size));
    show(next);
    void picture.look();
    if (wish) void fulfil(wish, board.sessions, paths, env).then(onOutcome).catch(onFailure);
  };
  const onFailure = (error: unknown): void => show({ ...board, notice: String((error as Error).message) });
  const onOutcome = (outcome: Outcome): void => {
    if (outcome.kind === 'leave') leave();
    if (outcome.kind === 'notice') show({ ...board, notice: outcome.text });
    if (outcome.kind !== 'attach') return;
    close();
    const code = attach(outcome.pane, env);
    if (code !== 0) board = { ...board, notice: `tmux ended with ${code}` };
    open();
  };

  process.on('exit', close);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, leave);
  // What stood on a screen of another size is not where Ink believes it to be.
  process.stdout.on('resize', () => {
    if (!app) return;
    close();
    open();
  });
  open();
  setInterval(() => {
    show();
    if (app) void picture.look();
  }, tick);
  void keepLink(paths, env, {
    told: sessions => {
      // The first news is the first paint that says something.
      const first = board.link !== 'live';
      showSoon(told(board, sessions));
      if (!first) return;
      show();
      void picture.look();
    },
    changed: sessions => showSoon(changed(board, sessions)),
    order: order => showSoon({ ...board, order }),
    down: () => show({ ...board, link: 'down' }),
  });
  await left;
  close();
  // The stream is open and would hold the process.
  process.exit(0);
};
