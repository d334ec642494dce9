/** The start of a run's CLI: which of its dialogs may be answered, and what a run fails with at the others. */
import { type PrivateCli, targetOf } from '../../driver/launch/private-cli.ts';
import { watchStartup } from '../../driver/startup/watch-startup.ts';
import { limits } from '../../limits.ts';
import { PrintFailure } from '../failure.ts';
import type { Turn } from '../turn/turn.ts';

/** Watches the screen until the session is past its start; throws at a dialog that nobody may answer. */
export const watchStart = (
  cli: PrivateCli,
  turn: Turn,
  trust: boolean,
  isOver: () => boolean,
): Promise<void> =>
  watchStartup({
    target: targetOf(cli),
    every: limits.print.startPoll,
    trust,
    isOver: () => isOver() || turn.tracker.isStarted,
    onOutput: () => turn.tracker.onOutput(),
    onUnanswered: refuse,
  });

const refuse = (dialog: string, isTrust: boolean): never => {
  throw new PrintFailure(
    'internal_error',
    isTrust
      ? 'claude asks whether to trust this folder: --trust-once trusts it for this run, --trust permanently, --pretrust-cwd beforehand'
      : `claude shows a dialog at start-up: ${dialog} Start \`claude\` here once and answer it`,
  );
};
