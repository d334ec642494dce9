/** Warm runs: handed out to `drover print`, which takes them over. */
import { DroverError } from '../../contract/error.ts';
import { type Warm, WarmWish } from '../../contract/warm.ts';
import type { Handlers } from '../app.ts';
import { bodyOf } from '../body.ts';

export interface WarmPool {
  claim: (wish: WarmWish) => Warm;
  taken: (name: string) => Promise<boolean>;
}

export const printHandlers = (pool: WarmPool): Pick<Handlers, 'claimWarm' | 'takeWarm'> => ({
  claimWarm: async ({ request }) => pool.claim(await bodyOf(request, WarmWish)),
  takeWarm: async ({ id }) => {
    if (!(await pool.taken(id))) throw new DroverError('refused', `${id} is not to be had any more.`);
    return { ok: true };
  },
});
