/** Past sessions: taken up again, and searched. */
import { IndexWish, type IndexState, type Resumed, ResumeWish } from '../../contract/api.ts';
import { DroverError } from '../../contract/error.ts';
import type * as z from 'zod';
import { parseObject } from '../../hook/payload.ts';
import { limits } from '../../limits.ts';
import type { Handlers, Request } from '../app.ts';
import { readBody } from '../body.ts';

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
  resumeSession: async request => {
    const { fork = false } = await bodyOf(request, ResumeWish);
    return resume(request.id, fork);
  },
  readIndex: () => index(),
  setIndex: async request => setIndex((await bodyOf(request, IndexWish)).on),
});

/** The body by its schema; none at all is an empty one. */
const bodyOf = async <T>({ request }: Request, schema: z.ZodType<T>): Promise<T> => {
  const bytes = await readBody(request, limits.bodyBytes);
  const parsed = schema.safeParse(bytes.length ? parseObject(bytes) : {});
  if (!parsed.success) throw new DroverError('bad_request', parsed.error.issues[0]?.message);
  return parsed.data;
};
