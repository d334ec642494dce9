/** The terminal of one session while a request is answered there: what it shows, and keys that fit exactly that. */
import { type Clock, elapsed, systemClock } from '../../clock.ts';
import { type Dialog, dialogOf, identityOf } from '../../claude/screen/dialog.ts';
import { startupDialog } from '../../claude/screen/dialogs.ts';
import { type Menu, menuOf } from '../../claude/screen/menu.ts';
import { noticeOf } from '../../claude/screen/notice.ts';
import { DroverError } from '../../contract/error.ts';
import type { Pane, Session } from '../../contract/session.ts';
import { shortId } from '../../contract/short-id.ts';
import { limits } from '../../limits.ts';
import { pollUntil } from '../../poll-until.ts';
import { checkReader } from '../../tmux/input/pane-reader.ts';
import { assertReads } from '../../tmux/input/send.ts';
import { type Input, sendIfShown } from '../../tmux/input/send-if-shown.ts';
import { targetOf } from '../target.ts';
import { type PaneScreen, readPaneScreen } from '../../tmux/server/pane-screen.ts';

/** What the terminal shows at one moment. */
export interface Seen {
  pane: PaneScreen;
  dialog: Dialog | null;
  at: number;
}

export class TerminalScreen {
  private readonly pane: Pane;

  constructor(
    private readonly session: Session,
    private readonly clock: Clock = systemClock,
  ) {
    const { id, pane } = session;
    if (!pane) throw new DroverError('refused', `${shortId(id)} is not in a tmux pane.`);
    this.pane = pane;
  }

  /** Reads the screen. Throws `refused` when the pane is gone, or runs a shell by now. */
  async see(): Promise<Seen> {
    const pane = await readPaneScreen(this.pane);
    if (!pane) throw new DroverError('refused', `The pane of ${shortId(this.session.id)} is gone.`);
    if (shells.test(pane.command) && !this.isBelowShell(pane.command))
      throw new DroverError('refused', `Claude Code has exited: ${pane.command} runs in its pane.`);
    return { pane, dialog: dialogOf(pane.rows, pane.width), at: elapsed(this.clock) };
  }

  /** Whether Claude Code reads the pane although tmux names a shell: one without job control, as of a script, stays in the foreground. */
  private isBelowShell(command: string): boolean {
    const { session } = this;
    if (session.pid === null || this.pane.foreign) return false;
    const { reader, serverPid } = targetOf(session);
    const reading = checkReader(reader, serverPid);
    return reading.ok && (reading.command ?? command) === command;
  }

  /**
   * Presses a key or enters text if the terminal still shows the same rows and the session's own Claude Code reads it; false, and
   * nothing is sent, if not. Throws `refused` when something else is in the foreground there.
   */
  async press(seen: Seen, input: Input, rows: string[] = rowsOf(seen)): Promise<boolean> {
    const reader = assertReads(targetOf(this.session));
    return sendIfShown(this.pane, seen.pane, rows, input, reader);
  }

  /** Reads the screen until it fits; null when `ms` have passed first. */
  until(fits: (seen: Seen) => boolean, ms: number): Promise<Seen | null> {
    const read = async (): Promise<Seen | null> => {
      const seen = await this.see();
      return fits(seen) ? seen : null;
    };
    return pollUntil(read, ms, limits.screen.poll);
  }
}

/** The rows that must not change before a key: those of the dialog or notice, or all that are not empty. */
const rowsOf = ({ dialog, pane }: Seen): string[] =>
  dialog?.rows ?? noticeOf(pane.rows, pane.width)?.rows ?? pane.rows.slice(-screenRows);

/** Without a dialog the last rows are compared. */
const screenRows = 30;

/** The menu on the screen, whether or not its beginning is there. */
export const menuIn = ({ pane }: Seen): Menu | null => menuOf(pane.rows, pane.width);

/** The name of the start-up dialog or notice on the screen. */
export const shownDialog = ({ pane }: Seen): string | null =>
  noticeOf(pane.rows, pane.width)?.title ?? startupDialog(pane.rows.join('\n'));

/** The prompt line and the rules around it. What is above and below may be painted at any time. */
export const promptRows = ({ pane: { rows } }: Seen): string[] => {
  const at = rows.findLastIndex(row => row.startsWith('❯'));
  const end = rows.findIndex((row, n) => n > at && /^[─━▔]{3}/.test(row));
  return rows.slice(Math.max(0, at - 1), end + 1);
};

/** Whether two dialogs are the same one, whichever option is selected and whatever width they have. */
export const isSameDialog = (a: Dialog | null, b: Dialog | null): boolean =>
  a !== null && b !== null && identityOf(a) === identityOf(b);

/** The position of the selected option. */
export const selectedIn = ({ menu }: Dialog): number => menu.options.findIndex(({ selected }) => selected);

const shells = /^-?(?:sh|bash|dash|ash|zsh|fish|ksh|mksh|csh|tcsh|nu|elvish|xonsh|pwsh)$/;
