/** Reserves warm runs for `drover print`, which takes them over. */
import { DroverError } from '../../contract/error.ts';
import type { Warm, WarmLaunch } from '../../contract/warm.ts';
import type { Handlers } from '../call.ts';

export interface WarmPool {
  reserve: (launch: WarmLaunch) => Warm;
  confirmTaken: (name: string) => Promise<boolean>;
}

export const printHandlers = (pool: WarmPool): Pick<Handlers, 'reserveWarm' | 'takeWarm'> => ({
  reserveWarm: ({ body }) => pool.reserve(body),
  takeWarm: async ({ params: { id } }) => {
    if (!(await pool.confirmTaken(id)))
      throw new DroverError('refused', `Warm run ${id} is no longer available.`);
    return { ok: true };
  },
});
