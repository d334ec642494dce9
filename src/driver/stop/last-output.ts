/** Reads what a CLI that has just ended left in its pane. */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../limits.ts';
import type { PaneRef } from '../../tmux/input/send.ts';
import { captureHistory } from '../../tmux/server/panes.ts';

/** The last non-empty rows of a pane, its scrollback included. */
export const readOutput = async ({ socket, pane }: PaneRef): Promise<string[]> =>
  (await captureHistory(socket, pane))
    .split('\n')
    .map(row => row.trimEnd())
    .filter(row => row !== '' && !row.trimStart().startsWith('Pane is dead'))
    .slice(-limits.print.lastScreenRows);

/** Reads the same rows, and again while they are empty: tmux may show the output only after the process has ended. */
export const readLastOutput = async (pane: PaneRef): Promise<string[]> => {
  for (let tries = 1; ; tries++) {
    const rows = await readOutput(pane);
    if (rows.length > 0 || tries >= limits.print.lastScreenReads) return rows;
    await pause(limits.print.lastScreenPause);
  }
};
