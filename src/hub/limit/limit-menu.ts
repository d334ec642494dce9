/** What the screen of a session at its usage limit shows: an announcement, or the menu of 2.1.197, which must be closed first. */
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import { isAnnounced } from '../../session/limit/limit.ts';
import type { Folded } from '../../session/memory.ts';
import type { Menus } from '../menu/menu.ts';
import { openDialog } from '../open-dialog.ts';
import { menuIn, type Seen, TerminalScreen } from '../request/terminal-screen.ts';

/** Whether Claude Code announces on the screen that it continues by itself. */
export const announcesContinuation = async (session: Folded): Promise<boolean> => {
  const { pane } = await new TerminalScreen(session).see();
  // The announcement is at the prompt line. What scrolled up may be of an earlier limit.
  return isAnnounced(
    pane.rows
      .filter(row => row.trim() !== '')
      .slice(-announcedRows)
      .join('\n'),
  );
};

const announcedRows = 12;

/** Closes the menu of a usage limit by its option to wait, and resolves when the session says that it is closed. */
export const closeLimitMenu = async (loop: Loop, menus: Menus, session: Folded): Promise<void> => {
  await menus.exclusively(session, async () => {
    const screen = new TerminalScreen(session);
    for (let tries = 0; tries < limits.screen.keyTries; tries++) {
      const seen = await screen.see();
      const number = waitOption(seen);
      if (number === null) {
        if (menuIn(seen)) throw new DroverError('refused', 'Another menu is open in its terminal.');
        break;
      }
      if (!(await screen.press(seen, { text: String(number) }, menuRows(seen)))) continue;
      if (await screen.until(now => waitOption(now) === null, limits.screen.keyEffect)) break;
    }
  });
  const isClosed = () => {
    const now = loop.sessionIndex.get(session.id);
    return !now || openDialog(now) === null ? true : undefined;
  };
  if (!(await loop.until(isClosed, { timeout: limits.continuation.menuCloseTimeout })))
    throw new DroverError('refused', 'The menu of the usage limit is still open.');
};

/** The number of the option that waits for the reset; null when the screen shows no such menu. */
const waitOption = (seen: Seen): number | null =>
  menuIn(seen)?.options.find(({ label }) => /^Stop(?: and wait for limit to reset)?$/.test(label))?.number ??
  null;

/** The rows that must not change before the key: the options. */
const menuRows = (seen: Seen): string[] =>
  seen.pane.rows.filter(row => menuIn(seen)?.options.some(({ label }) => row.trimEnd().endsWith(label)));
