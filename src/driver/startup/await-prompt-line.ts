/** Waits for the prompt line of a CLI that has just been started. */
import { setTimeout as pause } from 'node:timers/promises';
import { startupDialog } from '../../claude/screen/dialogs.ts';
import { limits } from '../../limits.ts';
import { captureScreen } from '../../tmux/server/panes.ts';
import { readPromptLine } from '../input/prompt-input.ts';
import { isRunning, type PrivateCli } from '../launch/private-cli.ts';

/** Resolves when it was seen twice in a row: the first time it may be half painted. Throws when it will not come. */
export const awaitPromptLine = async (cli: PrivateCli, isCancelled: () => boolean): Promise<void> => {
  const deadline = performance.now() + limits.start.ready;
  let before: string | null = null;
  for (let seen = 0; seen < 2; ) {
    await pause(limits.print.startPoll);
    if (isCancelled()) throw new Error('the start was cancelled');
    if (!isRunning(cli)) throw new Error('claude exited while it started');
    if (performance.now() > deadline) throw new Error('claude shows no prompt line');
    seen = (await readPromptLine(cli))?.draft === '' ? seen + 1 : 0;
    const dialog = seen > 0 ? null : startupDialog(await captureScreen(cli.socket, cli.pane));
    if (dialog !== null && dialog === before) throw new Error(`claude shows a dialog at start-up: ${dialog}`);
    before = dialog;
  }
};
