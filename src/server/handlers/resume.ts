/** Past sessions: resume and search. */
import type { IndexState, Resumed } from '../../contract/api.ts';
import { isPerson } from '../../contract/caller.ts';
import type { Handlers } from '../call.ts';

export interface Resuming {
  /** Resumes a session in a pane, for a person or as a session of the hub; throws when it cannot. */
  resume: (prefix: string, fork: boolean, managed: boolean) => Promise<Resumed>;
  index: () => IndexState;
  setIndex: (on: boolean) => Promise<IndexState>;
}

export const resumeHandlers = ({
  resume,
  index,
  setIndex,
}: Resuming): Pick<Handlers, 'resumeSession' | 'readIndex' | 'setIndex'> => ({
  resumeSession: ({ params: { id }, body, caller, action }) => {
    const { fork = false, managed = !isPerson(caller) } = body;
    action.text = `${id}${fork ? ', fork' : ''}`;
    return resume(id, fork, managed);
  },
  readIndex: () => index(),
  setIndex: ({ body: { on }, action }) => {
    action.text = on ? 'on' : 'off';
    return setIndex(on);
  },
});
