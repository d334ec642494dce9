/** Save each pane's session options in a file, and restore them after a restart of tmux. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { paneLine } from '../view/batch.ts';
import type { TmuxPane } from './panes.ts';
import { type SavedPane, updateSaved, restorable } from './saved-pane.ts';
import { tmux } from './run.ts';

export class PaneOptionStore {
  private rows: SavedPane[];
  private written = '';

  constructor(
    private readonly file: string,
    private readonly dirOf: (sessionId: string) => string | null,
    private readonly now: () => number,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    this.rows = read(file);
  }

  /** Called with the panes of a server: restores options from before a restart, and saves the current ones. */
  seen(socket: string, panes: TmuxPane[]): void {
    const found = restorable(this.rows, panes, this.now());
    this.rows = updateSaved(this.rows, socket, panes, this.dirOf, this.now());
    this.save();
    if (found.length === 0) return;
    const lines = found.map(({ pane, row }) =>
      paneLine({ serverPid: pane.serverPid, pane: pane.id, pids: [pane.pid] }, optionsOf(row)),
    );
    void tmux(socket, ['source-file', '-q', '-'], { input: `${lines.join('\n')}\n` });
  }

  /** Remove sessions that Drover has forgotten. */
  forget(isForgotten: (sessionId: string) => boolean): void {
    this.rows = this.rows.filter(({ sessionId }) => !isForgotten(sessionId));
    this.save();
  }

  private save(): void {
    const text = JSON.stringify(
      this.rows.map(({ at, ...row }) => ({ ...row, at: Math.floor(at / hour) * hour })),
    );
    if (text === this.written) return;
    this.written = text;
    try {
      const temp = `${this.file}.${process.pid}`;
      writeFileSync(temp, text, { mode: 0o600 });
      renameSync(temp, this.file);
    } catch (error) {
      this.onError('could not save pane options', error);
    }
  }
}

/** Times in the file are whole hours, so that most updates write nothing. */
const hour = 3_600_000;

const optionsOf = ({ sessionId, dir }: SavedPane) => ({
  '@meta.claude.session_id': { first: sessionId },
  ...(dir !== null && { '@meta.claude.session_dir': { first: dir } }),
});

const read = (file: string): SavedPane[] => {
  try {
    const rows: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(rows) ? (rows as SavedPane[]).filter(row => typeof row?.sessionId === 'string') : [];
  } catch {
    return [];
  }
};
