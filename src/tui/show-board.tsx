/** Shows the board in a terminal until the user quits. The build makes an ES module of a `.tsx` file, which Ink needs. */
import { sessionLookedAt, withChanges, withFleet, withSnapshot } from '../client/board.ts';
import { call } from '../client/call.ts';
import { surface } from '../client/surface.ts';
import type { Env, Paths } from '../paths.ts';
import { boardKeys } from './board-keys.ts';
import { BoardView, type Shape } from './board-view.tsx';
import { Keyboard } from './keyboard.ts';
import { keepLink } from './link.ts';

/** Interval of redraws, ms: ages and the visible pane change. */
const tick = 1_000;

export const showBoard = async (paths: Paths, env: Env, shape: Shape = 'board'): Promise<never> => {
  surface.name = 'board';
  const isPanel = shape === 'panel';
  const { promise: quitted, resolve: quit } = promised();
  const view = new BoardView({ paths, shape, colours: !env.NO_COLOR });
  /** Gives the terminal away until the other program has ended. */
  const lend = (run: () => string | null): void => {
    view.close();
    keyboard.stop(process.stdin, process.stdout);
    const problem = run();
    if (problem !== null) view.board = { ...view.board, notice: problem };
    keyboard.start(process.stdin, process.stdout);
    view.open();
  };
  const keyboard = new Keyboard(boardKeys({ paths, env, isPanel, view, quit, lend }));
  const end = (): void => {
    if (view.isOpen) keyboard.stop(process.stdin, process.stdout);
    view.close();
  };

  process.on('exit', end);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, quit);
  // After a resize the old frame is not where Ink expects it.
  process.stdout.on('resize', () => {
    if (!view.isOpen) return;
    view.close();
    view.open();
  });
  keyboard.start(process.stdin, process.stdout);
  view.open();
  setInterval(() => {
    view.show();
    if (view.isOpen) view.refreshPane();
    const isWatching = view.board.link === 'live' && view.isOpen && !isPanel;
    const id = isWatching ? sessionLookedAt(view.board, Date.now()) : null;
    if (id !== null) call(paths, 'seeSession', { id }).catch(error => view.showError(error));
  }, tick);
  void keepLink(paths, env, {
    onSnapshot: sessions => {
      // The first snapshot is drawn at once.
      const isFirst = view.board.link !== 'live';
      view.showSoon(withSnapshot(view.board, sessions, Date.now()));
      if (!isFirst) return;
      view.show();
      view.refreshPane();
    },
    onChange: sessions => view.showSoon(withChanges(view.board, sessions, Date.now())),
    onOrder: order => view.showSoon({ ...view.board, order }),
    onFleet: fleet => view.showSoon(withFleet(view.board, fleet)),
    onDown: () => view.show({ ...view.board, link: 'down' }),
  });
  await quitted;
  end();
  // The open stream would keep the process alive.
  process.exit(0);
};

const promised = (): { promise: Promise<void>; resolve: () => void } => {
  let resolve = (): void => {};
  const promise = new Promise<void>(done => {
    resolve = done;
  });
  return { promise, resolve };
};
