/** Rate how full a session's context window is. */
import type { ContextUse } from '../../contract/session.ts';
import type { Pressure } from '../../contract/wake.ts';

/** Per cent from which the level is critical, whatever the threshold. */
const critical = 80;

/** `isCurrentUse`: the use is from this turn, not from the one before. */
export const pressureOf = (use: ContextUse | null, threshold: number, isCurrentUse: boolean): Pressure => {
  const { percent = null, tokens = null, window = null } = use ?? {};
  const turn = use ? (isCurrentUse ? 'this' : 'before') : null;
  const assumed = use?.windowSource === 'assumed';
  return { level: levelOf(percent, threshold), percent, tokens, window, assumed, turn };
};

const levelOf = (percent: number | null, threshold: number): Pressure['level'] => {
  if (percent === null) return 'unknown';
  if (percent >= critical) return 'CRITICAL';
  return percent >= threshold ? 'WARNING' : 'OK';
};
