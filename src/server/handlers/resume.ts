/** Past sessions: taken up again, and searched. */
import { IndexWish, type IndexState, type Resumed, ResumeWish } from '../../contract/api.ts';
import type { Handlers } from '../app.ts';
import { bodyOf } from '../body.ts';

export interface Resuming {
  /** Starts a session in a pane; throws what stands in its way. */
  resume: (prefix: string, fork: boolean) => Promise<Resumed>;
  index: () => IndexState;
  setIndex: (on: boolean) => Promise<IndexState>;
}

export const resumeHandlers = ({
  resume,
  index,
  setIndex,
}: Resuming): Pick<Handlers, 'resumeSession' | 'readIndex' | 'setIndex'> => ({
  resumeSession: async ({ id, request }) => {
    const { fork = false } = await bodyOf(request, ResumeWish);
    return resume(id, fork);
  },
  readIndex: () => index(),
  setIndex: async ({ request }) => setIndex((await bodyOf(request, IndexWish)).on),
});
