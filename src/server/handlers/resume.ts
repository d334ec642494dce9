/** Past sessions: taken up again, and searched. */
import { IndexWish, type IndexState, type Resumed, ResumeWish } from '../../contract/api.ts';
import { isPerson } from '../../contract/caller.ts';
import type { Handlers } from '../app.ts';
import { bodyOf } from '../body.ts';

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
  resumeSession: async ({ id, request, caller, action }) => {
    const { fork = false, managed = !isPerson(caller) } = await bodyOf(request, ResumeWish);
    action.text = `${id}${fork ? ', fork' : ''}`;
    return resume(id, fork, managed);
  },
  readIndex: () => index(),
  setIndex: async ({ request, action }) => {
    const { on } = await bodyOf(request, IndexWish);
    action.text = on ? 'on' : 'off';
    return setIndex(on);
  },
});
