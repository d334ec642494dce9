/** Holds sessions from their start: all of them, or those in a folder of `hold.projects`. The same as `drover hold` for each. */
import { isWithin, realFolder } from '../../files/folder.ts';
import type { View } from '../../live/loop.ts';
import { isRemote } from '../../contract/origin.ts';
import type { Folded } from '../../session/memory.ts';
import type { Holds } from './holds.ts';

export const holdProjects = (
  projects: () => string[],
  holds: Holds,
  /** Whether a session that starts now is held wherever it runs. */
  areAllHeld: (session: Folded) => boolean,
  onError: (message: string, error: unknown) => void,
): View => {
  const onCommit: View['onCommit'] = ({ event, payload, changed }) => {
    if (event.source !== 'hook' || event.name !== 'SessionStart') return;
    // After `/clear` and compaction the earlier choice stays.
    const source = payload?.source;
    if (source === 'clear' || source === 'compact') return;
    const dirs = projects().map(dir => realFolder(dir));
    for (const { after } of changed) {
      const { id, dir, approvals, headless, state } = after;
      if (id !== event.sessionId || state === 'ended' || headless || approvals === 'held') continue;
      if (isRemote(after)) continue;
      if (areAllHeld(after) || (dir !== null && dirs.some(project => isWithin(realFolder(dir), project))))
        holds.setHeld(id, true).catch(error => onError('Could not hold a session of a held project', error));
    }
  };
  return { name: 'held projects', onCommit };
};
