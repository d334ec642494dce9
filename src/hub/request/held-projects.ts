/** Sessions that start in a folder of `hold.projects` are held, as if a person had said so for each. */
import { isWithin, realFolder } from '../../folder.ts';
import type { View } from '../../live/loop.ts';
import { isElsewhere } from '../../contract/origin.ts';
import type { Holds } from './holds.ts';

export const holdProjects = (
  projects: string[],
  holds: Holds,
  onError: (message: string, error: unknown) => void,
): View => {
  const dirs = projects.map(realFolder);
  const onCommit: View['onCommit'] = ({ event, payload, changed }) => {
    if (dirs.length === 0) return;
    if (event.source !== 'hook' || event.name !== 'SessionStart') return;
    // After `/clear` and compaction the earlier choice stays.
    const source = payload?.source;
    if (source === 'clear' || source === 'compact') return;
    for (const { after } of changed) {
      const { id, dir, approvals, headless, state } = after;
      if (id !== event.sessionId || state === 'ended' || headless || approvals === 'held') continue;
      if (isElsewhere(after)) continue;
      if (dir !== null && dirs.some(project => isWithin(realFolder(dir), project)))
        holds.setHeld(id, true).catch(error => onError('Could not hold a session of a held project', error));
    }
  };
  return { name: 'held projects', onCommit };
};
