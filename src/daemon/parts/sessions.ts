/** The sessions as they are now. */
import type { Holds } from '../../hub/request/holds.ts';
import { sessionHandlers } from '../../server/handlers/sessions.ts';
import type { Core } from '../core.ts';
import type { Past } from './past.ts';
import type { TmuxPart } from './tmux.ts';

export interface SessionDeps {
  holds: Holds;
  tmux: TmuxPart;
  past: Past;
}

export const openSessions = ({ loop }: Core, { holds, tmux, past }: SessionDeps) => ({
  name: 'sessions',
  handlers: sessionHandlers(loop.sessionIndex, holds, tmux, past.lineage),
});
