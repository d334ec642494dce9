/** What a CLI may ask as it starts. Nothing is pressed blindly: the trust dialog is answered only when told to. */
import { setTimeout as pause } from 'node:timers/promises';
import { startupDialog, TrustKeys, trustSteps } from '../../claude/dialogs.ts';
import { limits } from '../../limits.ts';
import { screenOf } from '../../tmux/server/panes.ts';
import { press } from '../../tmux/input/type.ts';
import { type Child, targetOf } from './child.ts';
import { PrintFailure } from '../failure.ts';
import type { Turn } from '../turn/turn.ts';

/** Looks at the screen until the session is past its start. */
export const watchStart = async (
  child: Child,
  turn: Turn,
  trust: boolean,
  over: () => boolean,
): Promise<void> => {
  let before: string | null = null;
  const keys = new TrustKeys();
  // Most runs are past it before the first look.
  await pause(limits.print.startPoll);
  while (!over() && !turn.started) {
    const screen = await screenOf(child.socket, child.pane);
    if (screen.trim() !== '') turn.alive();
    const asks = startupDialog(screen);
    // Seen twice: the first time it may be half painted.
    if (asks !== null && asks === before && !turn.started) {
      mayAnswer(screen, asks, trust);
      const key = keys.next(screen, performance.now());
      if (key) await press(targetOf(child), key);
    }
    before = asks;
    await pause(limits.print.startPoll);
  }
};

/** Throws unless it is the trust dialog, and somebody said that it is to be answered. */
const mayAnswer = (screen: string, asks: string, trust: boolean): void => {
  if (trustSteps(screen) === null)
    throw new PrintFailure(
      'internal_error',
      `claude asks at its start: ${asks} Start \`claude\` here once and answer it`,
    );
  if (!trust)
    throw new PrintFailure(
      'internal_error',
      'claude asks whether to trust this folder: --trust answers yes for this run and on, --pretrust-cwd beforehand',
    );
};
