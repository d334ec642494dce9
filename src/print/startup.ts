/** What a CLI may ask as it starts. Nothing is pressed blindly: the trust dialog is answered only when told to. */
import { setTimeout as pause } from 'node:timers/promises';
import { startupDialog, trustSteps } from '../claude/dialogs.ts';
import { limits } from '../limits.ts';
import { screenOf } from '../tmux/panes.ts';
import { press } from '../tmux/type.ts';
import type { Child } from './child.ts';
import { PrintFailure } from './failure.ts';
import type { Turn } from './turn.ts';

/** Looks at the screen until the session is past its start. */
export const watchStart = async (
  child: Child,
  turn: Turn,
  trust: boolean,
  over: () => boolean,
): Promise<void> => {
  let before: string | null = null;
  // Most runs are past it before the first look.
  await pause(limits.startLook);
  while (!over() && !turn.started) {
    const screen = await screenOf(child.socket, child.pane);
    if (screen.trim() !== '') turn.alive();
    const asks = startupDialog(screen);
    // Seen twice: the first time it may be half painted.
    if (asks !== null && asks === before && !turn.started) await answer(child, screen, asks, trust);
    before = asks;
    await pause(limits.startLook);
  }
};

const answer = async (child: Child, screen: string, asks: string, trust: boolean): Promise<void> => {
  const steps = trustSteps(screen);
  if (steps === null)
    throw new PrintFailure(
      'internal_error',
      `claude asks at its start: ${asks} Start \`claude\` here once and answer it`,
    );
  if (!trust)
    throw new PrintFailure(
      'internal_error',
      'claude asks whether to trust this folder: --trust answers yes for this run and on, --pretrust-cwd beforehand',
    );
  for (let step = 0; step < Math.abs(steps); step++) await press(child, steps > 0 ? 'Down' : 'Up');
  if (steps !== 0) {
    // Keys apart: sent together, Enter takes the row that was highlighted before.
    await pause(limits.startLook);
    if (trustSteps(await screenOf(child.socket, child.pane)) !== 0) return;
  }
  await press(child, 'Enter');
};
