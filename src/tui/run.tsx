/** The board's life in a terminal: keys and news in, wishes carried out, one screen. */
import { type Instance, render } from 'ink';
import {
  type Board,
  changed,
  emptyBoard,
  press,
  rowsOf,
  selectedIn,
  told,
  type Wish,
} from '../client/board.ts';
import { call } from '../client/call.ts';
import type { Screen as Picture, SessionScreen } from '../contract/api.ts';
import type { Next } from '../contract/queue.ts';
import type { Session } from '../contract/session.ts';
import type { Env, Paths } from '../paths.ts';
import { askerOf, attach, attachCommand, jump } from '../tmux/jump.ts';
import { Keys } from './keys.tsx';
import { keepLink } from './link.ts';
import { listRoom, Screen } from './screen.tsx';

/** News of a crowd come many at once: shown together, at most so often. */
const newsEvery = 40;
/** Ages go on, and so does what the one visible pane shows. */
const tick = 1_000;

/** Shows the board until the human leaves it. */
export const showBoard = async (paths: Paths, env: Env): Promise<number> => {
  const colours = !env.NO_COLOR;
  const stop = new AbortController();
  let board: Board = emptyBoard;
  let preview: { id: string; picture: Picture | null } | null = null;
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
  const tree = () => {
    const id = selected()?.id;
    return (
      <>
        <Keys onKey={onKey} />
        <Screen
          {...{ board, colours }}
          preview={preview?.id === id ? (preview?.picture ?? null) : null}
          size={size()}
          now={Date.now()}
        />
      </>
    );
  };
  const show = (next: Board = board): void => {
    board = next;
    if (news) clearTimeout(news);
    news = null;
    app?.rerender(tree());
  };
  const showSoon = (next: Board): void => {
    board = next;
    news ??= setTimeout(() => {
      show();
      void look();
    }, newsEvery);
  };

  // One picture at a time: of the selected session, when it is selected, when something changes, and each second.
  let looking = false;
  const look = async (): Promise<void> => {
    const session = selected();
    if (looking || !session?.pane || session.state === 'ended' || board.link !== 'live') return;
    looking = true;
    try {
      const { screen } = await call<SessionScreen>(paths, 'GET', `/sessions/${session.id}/screen`);
      const same = preview?.id === session.id && preview.picture?.text === screen?.text;
      preview = { id: session.id, picture: screen };
      if (!same) show();
    } catch {
      /* the daemon has gone; the link says so */
    } finally {
      looking = false;
      if (selected()?.id !== session.id) void look();
    }
  };

  const open = (): void => {
    process.stdout.write('\x1b[?1049h\x1b[H');
    app = render(tree(), { exitOnCtrlC: false, patchConsole: false, maxFps: 120 });
  };
  const close = (): void => {
    app?.unmount();
    app = null;
    process.stdout.write('\x1b[?1049l');
  };
  const onKey = (key: string): void => {
    const { board: next, wish } = press(board, key, Date.now(), listRoom(size(), board.sessions.size));
    show(next);
    if (wish) void fulfil(wish).catch(error => show({ ...board, notice: String((error as Error).message) }));
    void look();
  };
  const fulfil = async (wish: Wish): Promise<void> => {
    if (wish.kind === 'quit') return leave();
    if (wish.kind === 'go') return goTo(board.sessions.get(wish.id));
    if (wish.kind === 'next') {
      const client = (await askerOf(env))?.client ?? `board-${process.pid}`;
      const { next, waiting } = await call<Next>(paths, 'POST', '/queue/next', { client });
      if (next) return goTo(next.session);
      return show({
        ...board,
        notice: waiting ? 'nobody else waits: the others are passed over' : 'nobody waits',
      });
    }
    const body = wish.kind === 'snooze' ? { seconds: wish.seconds } : undefined;
    await call(paths, 'POST', `/queue/${wish.id}/${wish.kind}`, body);
  };
  const goTo = async (session: Session | undefined): Promise<void> => {
    if (!session?.pane || session.state === 'ended')
      return show({ ...board, notice: 'it has no pane to go to' });
    const asker = await askerOf(env);
    if (asker?.socket === session.pane.socket) {
      await jump(asker, session.pane);
      // A popup has done its duty, and would hide where it led to.
      if (env.DROVER_CLIENT) leave();
    } else if (env.TMUX) {
      show({ ...board, notice: `on another tmux server: ${attachCommand(session.pane).join(' ')}` });
    } else {
      close();
      await attach(session.pane, env);
      open();
    }
  };

  // What stood on a screen of another size is not where Ink believes it to be.
  const onResize = () => {
    if (!app) return;
    close();
    open();
  };
  process.stdout.on('resize', onResize);
  open();
  const beat = setInterval(() => {
    if (!app) return;
    show();
    void look();
  }, tick);
  void keepLink(
    paths,
    env,
    {
      told: sessions => {
        // The first news is the first paint that says something.
        if (board.link === 'live') showSoon(told(board, sessions));
        else {
          show(told(board, sessions));
          void look();
        }
      },
      changed: sessions => showSoon(changed(board, sessions)),
      order: order => showSoon({ ...board, order }),
      down: () => show({ ...board, link: 'down' }),
    },
    stop.signal,
  );
  await left;
  stop.abort();
  clearInterval(beat);
  process.stdout.off('resize', onResize);
  close();
  // The stream is still open, and would hold the process.
  process.exit(0);
};
