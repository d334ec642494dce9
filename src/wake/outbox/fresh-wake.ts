/** A wake that nobody has tried to deliver yet. */
import { randomUUID } from 'node:crypto';
import type { Wake } from '../../contract/wake.ts';

type Cause = Pick<Wake, 'agent' | 'sessionId' | 'trigger' | 'key' | 'seq' | 'at' | 'continuation'> &
  Partial<Pick<Wake, 'hops'>>;

export const freshWake = (cause: Cause): Wake => ({
  id: randomUUID(),
  hops: 0,
  ...cause,
  status: 'pending',
  source: null,
  tries: 0,
  together: 1,
  bundle: null,
  due: 0,
  doneAt: null,
  duration: null,
  reason: null,
});
