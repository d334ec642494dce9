/** Past sessions: resume and search. */
import type { IndexState, Project, Resumed } from '../../contract/api.ts';
import { isPerson } from '../../contract/caller.ts';
import type { Handlers } from '../call.ts';

export interface Resuming {
  /** Resumes a session in a pane, for a person or as a session of the hub; throws when it cannot. */
  resume: (prefix: string, fork: boolean, managed: boolean) => Promise<Resumed>;
  /** Whether a parked session was one of the hub's; null for one that is not parked. */
  wasManaged: (prefix: string) => boolean | null;
  /** The directories that sessions were started in, most recently used first. */
  projects: () => Project[];
  index: () => IndexState;
  setIndex: (on: boolean) => Promise<IndexState>;
}

export const resumeHandlers = ({
  resume,
  wasManaged,
  projects,
  index,
  setIndex,
}: Resuming): Pick<Handlers, 'resumeSession' | 'listProjects' | 'readIndex' | 'setIndex'> => ({
  resumeSession: ({ params: { id }, body, caller, action }) => {
    const { fork = false, managed = wasManaged(id) ?? !isPerson(caller) } = body;
    action.text = `${id}${fork ? ', fork' : ''}`;
    return resume(id, fork, managed);
  },
  listProjects: () => ({ projects: projects() }),
  readIndex: () => index(),
  setIndex: ({ body: { on }, action }) => {
    action.text = on ? 'on' : 'off';
    return setIndex(on);
  },
});
