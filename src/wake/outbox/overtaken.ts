/** Whether a wake is about a turn that is no longer the newest. */
import type { Wake } from '../../contract/wake.ts';
import type { Folded } from '../../session/memory.ts';

/** True for the end of a turn that a later prompt has overtaken. Such a wake is delivered anyway, and marked. */
export const isOvertaken = (
  { trigger, key, at }: Pick<Wake, 'trigger' | 'key' | 'at'>,
  { memory }: Folded,
): boolean => {
  if (!turnEnds.includes(trigger)) return false;
  // The key of a turn begins with the time of its prompt; that of a decision does not.
  const began = Number.parseInt(key, 10);
  return (Number.isNaN(began) ? at : began) < memory.prompted;
};

const turnEnds: Wake['trigger'][] = ['response_complete', 'interrupted', 'failed'];
