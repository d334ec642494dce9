/** Answers the trust dialog of a folder with yes, because the caller who started the session asked for it. */
import { type Clock, elapsed } from '../../clock.ts';
import { watchStartup } from '../../driver/startup/watch-startup.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Target } from '../../tmux/input/send.ts';

/** The dialog appears within seconds of the start. */
const trustWait = 30_000;

export const answerTrust = (loop: Loop, clock: Clock, id: string, target: Target): Promise<void> => {
  const deadline = elapsed(clock) + trustWait;
  return watchStartup({
    target,
    trust: true,
    every: limits.prompt.poll,
    isOver: () => {
      const session = loop.sessionIndex.get(id);
      if (!session || session.state === 'ended' || session.memory.hooked > 0) return true;
      return elapsed(clock) > deadline;
    },
  });
};
