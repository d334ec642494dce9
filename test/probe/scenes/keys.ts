/** When a dialog accepts keys: at once, or only some time after it was painted or after the last key. */
import { setTimeout as pauseFor } from 'node:timers/promises';
import { menuOf } from '../../../src/claude/screen/menu.ts';
import type { Seat } from '../../rig/tmux.ts';
import { menuGone, menuIn, type Probe } from '../probe.ts';

/** Longer than any time for which a CLI has ignored keys. */
const QUIET_MS = 1_500;
/** Time for an accepted key to close the dialog. */
const HEARD_MS = 500;

export const quiet = (): Promise<void> => pauseFor(QUIET_MS);

export const deafness = async (probe: Probe, seat: Seat): Promise<void> => {
  const { fact } = probe;
  fact('keys.enterAcceptedAtPaintWhileTyping', await accepted(probe, seat, 'x', 0));
  fact('keys.enterAcceptedAtPaintAfterSilence', await accepted(probe, seat, null, 0));
  fact('keys.enterAcceptedOneSecondAfterPaint', await accepted(probe, seat, 'x', 1_100));
};

/** Whether Enter answers a dialog that was painted `wait` ms ago, when a letter was typed until the request came, or nothing. */
const accepted = async (probe: Probe, seat: Seat, letter: string | null, wait: number): Promise<boolean> => {
  probe.fired();
  await seat.type('SLEEP 1500 RUN touch made');
  let isAsked = false;
  const asked = probe.next(({ name }) => name === 'PermissionRequest').then(() => (isAsked = true));
  while (letter !== null && !isAsked) {
    await seat.press(letter);
    await pauseFor(60);
  }
  await asked;
  await menuIn(seat);
  await pauseFor(wait);
  await seat.press('Enter');
  await pauseFor(HEARD_MS);
  const isClosed = menuOf((await seat.screen()).split('\n'), 220) === null;
  await quiet();
  if (!isClosed) await seat.press('Escape');
  await menuGone(seat);
  await seat.file(({ status }) => status === 'idle');
  if (letter !== null) await seat.press('C-u');
  await seat.ready();
  return isClosed;
};
