/** Watches the screen of a CLI while it starts. No key is pressed blindly: only the trust dialog is answered, and only on request. */
import { setTimeout as pause } from 'node:timers/promises';
import { startupDialog, TrustKeys, trustSteps } from '../../claude/screen/dialogs.ts';
import type { Target } from '../../tmux/input/send.ts';
import { captureScreen } from '../../tmux/server/panes.ts';
import { press } from '../input/prompt-input.ts';

export interface StartupWatch {
  target: Target;
  /** The session is past its start, or has ended. */
  isOver: () => boolean;
  /** Time between two reads of the screen, ms. */
  every: number;
  /** Answer the trust dialog with yes. */
  trust: boolean;
  /** The screen shows something. */
  onOutput?: () => void;
  /** A dialog that is not answered; it may throw to end the watch. */
  onUnanswered?: (dialog: string, isTrust: boolean) => void;
}

/** Reads the screen until the start is over. */
export const watchStartup = async (watch: StartupWatch): Promise<void> => {
  const { target, isOver, every, trust, onOutput, onUnanswered } = watch;
  const keys = new TrustKeys();
  let before: string | null = null;
  for (;;) {
    // Most starts are over before the first read.
    await pause(every, undefined, { ref: false });
    if (isOver()) return;
    const screen = await captureScreen(target.socket, target.pane);
    if (screen.trim() !== '') onOutput?.();
    const dialog = startupDialog(screen);
    // Acted on when seen twice: the first time it may be half painted.
    if (dialog !== null && dialog === before && !isOver()) {
      const isTrust = trustSteps(screen) !== null;
      if (!isTrust || !trust) onUnanswered?.(dialog, isTrust);
      const key = trust ? keys.next(screen, performance.now()) : null;
      if (key) await press(target, key);
    }
    before = dialog;
  }
};
