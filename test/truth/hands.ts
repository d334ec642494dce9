/** Choosing a row of a menu as a person does. */
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Seat } from '../rig/tmux.ts';

/** Moves down to the row that shows this text, without choosing it. */
export const moveTo = async (seat: Seat, row: RegExp): Promise<void> => {
  const wanted = new RegExp(`❯[^\\S\\n]*(?:\\d+\\.[^\\S\\n]*)?(?:\\[.\\][^\\S\\n]*)?(?:${row.source})`);
  for (let presses = 0; presses < 12; presses++) {
    const before = await seat.screen();
    if (wanted.test(before)) return;
    await seat.press('Down');
    for (let looks = 0; looks < 100 && pointed(await seat.screen()) === pointed(before); looks++)
      await pauseFor(50);
  }
  throw new Error(`no row ${row.source}`);
};

/** The row that is highlighted: any other part of the screen may change by itself. */
const pointed = (screen: string): string | undefined =>
  screen.split('\n').findLast(line => line.includes('❯'));

/** Awaits a dialog that is wholly drawn: one that is still being drawn may lose a key. */
export const shows = async (seat: Seat, dialog: string | RegExp): Promise<void> => {
  let last = await seat.asks(dialog);
  for (let looks = 0; looks < 20; looks++) {
    await pauseFor(300);
    const now = await seat.screen();
    if (now === last) return;
    last = now;
  }
};

/** Awaits the dialog, moves to the row and presses Enter. */
export const choose = async (seat: Seat, dialog: string | RegExp, row: RegExp): Promise<void> => {
  await shows(seat, dialog);
  await moveTo(seat, row);
  await shows(seat, dialog);
  await seat.press('Enter');
};
