/** The trust dialog of a folder, answered with yes because whoever started the session said so. */
import { setTimeout as pause } from 'node:timers/promises';
import { TrustKeys } from '../../claude/dialogs.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import { screenOf } from '../../tmux/server/panes.ts';
import type { Target } from '../../tmux/input/send.ts';
import { press } from '../../tmux/input/type.ts';

/** By reading the screen: the highlighted answer differs between versions. */
export const answerTrust = async (loop: Loop, id: string, target: Target): Promise<void> => {
  const keys = new TrustKeys();
  for (let looks = 0; looks < 300; looks++) {
    const session = loop.sessionIndex.get(id);
    if (!session || session.state === 'ended' || session.memory.hooked > 0) return;
    const key = keys.next(await screenOf(target.socket, target.pane), performance.now());
    if (key) await press(target, key);
    await pause(limits.prompt.poll, undefined, { ref: false });
  }
};
