/** Past sessions: taken up again, and searched. */
import type { IndexState, Resumed } from '../../contract/api.ts';
import { isPerson } from '../../contract/caller.ts';
import type { Handlers } from '../call.ts';

export interface Resuming {
  /** Starts a session in a pane, for a person or as one of the hub's; throws what stands in its way. */
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
