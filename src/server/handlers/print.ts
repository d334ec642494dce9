/** Warm runs: handed out to `drover print`, which takes them over. */
import { DroverError } from '../../contract/error.ts';
import type { Warm, WarmWish } from '../../contract/warm.ts';
import type { Handlers } from '../call.ts';

export interface WarmPool {
  claim: (wanted: WarmWish) => Warm;
  taken: (name: string) => Promise<boolean>;
}

export const printHandlers = (pool: WarmPool): Pick<Handlers, 'claimWarm' | 'takeWarm'> => ({
  claimWarm: ({ body }) => pool.claim(body),
  takeWarm: async ({ params: { id } }) => {
    if (!(await pool.taken(id))) throw new DroverError('refused', `${id} is not to be had any more.`);
    return { ok: true };
  },
});
