/**
 * The countdown of a permission dialog. It is found by what it does, not by its words: in two pictures of a dialog a time in the
 * same place has run down. Text of the model does not change while its dialog is open.
 */
import { dialogOf } from './dialog.ts';

/** The times in the text of a dialog, in seconds, by the text before each. Null: there is no dialog on the screen. */
export const timesIn = (rows: string[], width: number): Map<string, number> | null => {
  const dialog = dialogOf(rows, width);
  if (!dialog) return null;
  const text = dialog.body.map(row => row.trim()).join(' ');
  const times = new Map<string, number>();
  for (const { 1: minutes, 2: seconds, index } of text.matchAll(time))
    times.set(text.slice(0, index).replaceAll(time, '#'), Number(minutes) * 60 + Number(seconds));
  return times;
};

/** The seconds that are left, from two pictures `elapsed` ms apart; null where no time runs down. */
export const countdownOf = (
  before: Map<string, number>,
  after: Map<string, number>,
  elapsed: number,
): number | null => {
  for (const [place, left] of after) {
    const ran = (before.get(place) ?? left) - left;
    if (ran > 0 && ran <= elapsed / 1_000 + 1) return left;
  }
  return null;
};

const time = /(?<![\d:])(\d{1,2}):([0-5]\d)(?![\d:])/g;
