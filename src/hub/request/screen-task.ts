/** An answer that is being given in a terminal, and the one step that all of its keys take. */
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Folded } from '../../session/memory.ts';
import type { Input } from '../../tmux/input/send-if-shown.ts';
import type { Asked } from './screen-match.ts';
import type { Seen, TerminalScreen } from './terminal-screen.ts';

export interface ScreenTask {
  session: Folded;
  asked: Asked;
  screen: TerminalScreen;
  /** Reads the dialog of the request; throws an error that names what the screen shows instead. */
  readStable: () => Promise<Seen>;
  /** Throws when the request was answered in the meantime. */
  assertOpen: () => Promise<void>;
  /** Whether an event, the session file or the transcript says that the request is closed. */
  isClosed: () => boolean;
  /** Whether no other request of the session is open. Else a key that had no effect is not pressed again: the next dialog could take it. */
  isAlone: () => boolean;
  /** A key without an effect after this time was ignored, ms. */
  keyEffect: number;
  /** Called with the time that an ignored key took, ms. */
  onIgnored: (ms: number) => void;
  /** Called after each key. */
  onPressed: (input: Input) => void;
  /** Called after each page of a dialog that has several. */
  onProgress: (done: number, of: number) => void;
}

/** Presses a key while the screen is ready for it; again when the screen was just being painted. Throws when it is not ready. */
export const pressWhile = async (
  task: ScreenTask,
  isReady: (now: Seen) => boolean,
  input: Input,
  worked: (now: Seen) => boolean,
): Promise<void> => {
  for (let tries = 0; tries < limits.screen.keyTries; tries++) {
    const seen = await task.screen.see();
    if (worked(seen)) return;
    if (!isReady(seen)) throw screenChangedError();
    await task.assertOpen();
    const isSent = await task.screen.press(seen, input);
    if (isSent) task.onPressed(input);
    if (isSent && (await task.screen.until(worked, limits.screen.keyEffect))) return;
    // Text is never typed twice.
    if (isSent && ('text' in input || !task.isAlone())) throw screenChangedError();
  }
  throw new DroverError('failed', 'The dialog is still open: it ignored the keys.');
};

/** Presses a key if the dialog is still the same one, and awaits its effect; false when it was ignored or the screen had changed. */
export const pressOnce = async (
  task: ScreenTask,
  seen: Seen,
  input: Input,
  worked: (now: Seen) => boolean,
): Promise<boolean> => {
  await task.assertOpen();
  if (!(await task.screen.press(seen, input))) return false;
  task.onPressed(input);
  return (await task.screen.until(worked, limits.screen.keyEffect)) !== null;
};

/** The error when the screen is not as expected between two keys. */
export const screenChangedError = (): DroverError =>
  new DroverError('refused', 'The screen changed while it was being answered; no more keys were pressed.');
