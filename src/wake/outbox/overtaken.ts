/** Whether a wake is about a turn that is no longer the newest. */
import type { Wake } from '../../contract/wake.ts';
import type { Folded } from '../../session/memory.ts';

/** True for the end of a turn that a later prompt has overtaken. Such a wake is delivered anyway, and marked. */
export const isOvertaken = ({ trigger, seq }: Pick<Wake, 'trigger' | 'seq'>, { memory }: Folded): boolean =>
  turnEnds.includes(trigger) && memory.prompt !== null && memory.prompt.seq > seq;

const turnEnds: Wake['trigger'][] = ['response_complete', 'interrupted', 'failed'];
