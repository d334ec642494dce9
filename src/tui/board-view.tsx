/** Holds the board that the terminal shows, and draws it. */
import { type Instance, render } from 'ink';
import {
  type Board,
  emptyBoard,
  openNextPanel,
  rowsOf,
  selectedIn,
  selectedSession,
  withPaint,
} from '../client/board.ts';
import type { Session } from '../contract/session.ts';
import type { Paths } from '../paths.ts';
import { type Layout, layoutOf } from './layout.ts';
import { openLoaders } from './loaders.ts';
import { Picture } from './picture.ts';
import { Screen } from './screen.tsx';

/** Shortest time between two draws of updates, ms: with many sessions they come in bursts. */
const drawInterval = 40;

/** The board, or only the answer panel of the first in the queue, which closes after an answer. */
export type Shape = 'board' | 'panel';

export interface BoardViewOptions {
  paths: Paths;
  shape: Shape;
  colours: boolean;
}

export class BoardView {
  board: Board = emptyBoard;
  /** A command of the panel is running: it decides whether the panel closes. */
  isRunning = false;
  private app: Instance | null = null;
  private drawTimer: NodeJS.Timeout | null = null;
  private readonly isPanel: boolean;
  private readonly picture: Picture;
  private readonly loaders: ReturnType<typeof openLoaders>;

  constructor(private readonly options: BoardViewOptions) {
    const { paths, shape } = options;
    this.isPanel = shape === 'panel';
    this.picture = new Picture(
      paths,
      () => (this.isPanel ? undefined : this.selected()),
      () => this.show(),
    );
    const show = (next: Board): void => this.show(next);
    this.loaders = openLoaders(paths, { board: () => this.board, show, isPanel: this.isPanel });
  }

  get isOpen(): boolean {
    return this.app !== null;
  }

  /** Takes over the screen of the terminal. */
  open(): void {
    process.stdout.write('\x1b[?1049h\x1b[H');
    this.app = render(this.tree(), { exitOnCtrlC: false, patchConsole: false, maxFps: 120 });
    this.show();
  }

  /** Gives the screen back as it was. */
  close(): void {
    if (!this.app) return;
    this.app.unmount();
    this.app = null;
    process.stdout.write('\x1b[?1049l');
  }

  /** Draws this board now. */
  show(next: Board = this.board): void {
    this.board = next;
    if (this.drawTimer) clearTimeout(this.drawTimer);
    this.drawTimer = null;
    if (!this.app) return;
    if (this.isPanel && !this.isRunning && this.board.link === 'live' && this.board.entry === null) {
      const { notice } = this.board;
      this.board = { ...openNextPanel(this.board, Date.now()), notice };
    }
    this.board = withPaint(this.board, Date.now(), this.layout().text);
    this.app.rerender(this.tree());
    this.loaders.load();
  }

  /** Draws this board with the next updates. */
  showSoon(next: Board): void {
    this.board = next;
    this.drawTimer ??= setTimeout(() => {
      this.show();
      this.refreshPane();
    }, drawInterval);
  }

  showError(error: unknown): void {
    this.show({ ...this.board, notice: String((error as Error).message) });
  }

  /** Reads the pane of the selected session again. */
  refreshPane(): void {
    void this.picture.refresh();
  }

  layout(): Layout {
    const rows = rowsOf(this.board, Date.now());
    return layoutOf(this.board, rows, selectedIn(this.board, rows), size(), Date.now());
  }

  private selected(): Session | undefined {
    return selectedSession(this.board, Date.now());
  }

  private tree() {
    return (
      <Screen
        board={this.board}
        preview={this.picture.of(this.selected())}
        size={size()}
        now={Date.now()}
        colours={this.options.colours}
        shape={this.options.shape}
      />
    );
  }
}

const size = () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 });
