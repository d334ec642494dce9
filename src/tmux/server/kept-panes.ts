/** The file of what each pane had, and the hand that gives it back after a restart of tmux. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { paneLine } from '../view/batch.ts';
import type { TmuxPane } from './panes.ts';
import { type Kept, keptAfter, restorable } from './restore.ts';
import { tmux } from './run.ts';

export class KeptPanes {
  private kept: Kept[];
  private saved = '';

  constructor(
    private readonly file: string,
    private readonly dirOf: (sessionId: string) => string | null,
    private readonly now: () => number,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    this.kept = read(file);
  }

  /** After a look at a server: gives back what its panes had before a restart, and keeps what they have now. */
  seen(socket: string, panes: TmuxPane[]): void {
    const found = restorable(this.kept, panes, this.now());
    this.kept = keptAfter(this.kept, socket, panes, this.dirOf, this.now());
    this.save();
    if (found.length === 0) return;
    const lines = found.map(({ pane, row }) =>
      paneLine({ serverPid: pane.serverPid, pane: pane.id, pids: [pane.pid] }, optionsOf(row)),
    );
    void tmux(socket, ['source-file', '-q', '-'], { input: `${lines.join('\n')}\n` });
  }

  /** Forgets the sessions that are gone from everything else. */
  forget(gone: (sessionId: string) => boolean): void {
    this.kept = this.kept.filter(({ sessionId }) => !gone(sessionId));
    this.save();
  }

  private save(): void {
    const text = JSON.stringify(
      this.kept.map(({ at, ...row }) => ({ ...row, at: Math.floor(at / hour) * hour })),
    );
    if (text === this.saved) return;
    this.saved = text;
    try {
      const temp = `${this.file}.${process.pid}`;
      writeFileSync(temp, text, { mode: 0o600 });
      renameSync(temp, this.file);
    } catch (error) {
      this.onError('what panes had could not be kept', error);
    }
  }
}

/** Times in the file are whole hours, so that it is not written at every look. */
const hour = 3_600_000;

const optionsOf = ({ sessionId, dir }: Kept) => ({
  '@meta.claude.session_id': { first: sessionId },
  ...(dir !== null && { '@meta.claude.session_dir': { first: dir } }),
});

const read = (file: string): Kept[] => {
  try {
    const rows: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(rows) ? (rows as Kept[]).filter(row => typeof row?.sessionId === 'string') : [];
  } catch {
    return [];
  }
};
