/** How full a session's context window is, from what the model itself counted. */
import type { ContextUse } from '../contract/session.ts';
import type { Pressure } from '../contract/wake.ts';

/** From here on it is critical, whatever the threshold. */
const critical = 80;

export const pressureOf = (use: ContextUse | null, threshold: number): Pressure => {
  const { percent = null, tokens = null, window = null } = use ?? {};
  return { level: levelOf(percent, threshold), percent, tokens, window };
};

const levelOf = (percent: number | null, threshold: number): Pressure['level'] => {
  if (percent === null) return 'unknown';
  if (percent >= critical) return 'CRITICAL';
  return percent >= threshold ? 'WARNING' : 'OK';
};
