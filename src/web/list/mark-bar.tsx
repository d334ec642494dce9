/** The commands for all marked sessions. */
import { type CommandId, commands, isApplicable } from '../../client/board.ts';
import type { Actions } from '../state/actions.ts';
import type { Shown } from '../state/store.ts';

/** Commands that can be used on several sessions at once. */
const forSeveral = ['skip', 'snooze', 'dismiss', 'message', 'tag', 'park'] as const satisfies CommandId[];

export const MarkBar = ({ shown: { board, marked }, actions }: { shown: Shown; actions: Actions }) => {
  const sessions = [...marked].flatMap(id => board.sessions.get(id) ?? []);
  return (
    <div className="mark-bar" role="group" aria-label="Marked sessions">
      <p role="status">{sessions.length} marked</p>
      {forSeveral.map(id => (
        <button
          key={id}
          type="button"
          disabled={!sessions.some(session => isApplicable(id, session))}
          onClick={() => actions.run(id)}
        >
          {commands[id].label}
        </button>
      ))}
      <button type="button" className="quiet" aria-label="Remove all marks" onClick={actions.unmark}>
        ✕
      </button>
    </div>
  );
};
