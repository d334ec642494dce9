/** What `drover doctor --fix` would repair, in `drover doctor`. It fails nothing: what stops events has its own check. */
import type { Check } from '../output/print-checks.ts';
import type { Call } from '../verb.ts';
import { findRepairs } from './find-repairs.ts';
import { notRegistered } from './hooks.ts';
import type { Repair } from './repair.ts';

/** `found`: the other checks. What one of them has reported already is left out. Returns nothing if there is nothing else. */
export const repairChecks = async (call: Call, found: readonly Check[]): Promise<Check[]> => {
  const repairs = await findRepairs(call).catch(() => []);
  const isReported = ({ name, says }: Repair) =>
    name === 'emitter' ||
    says === notRegistered ||
    (name === 'permissions' && found.some(check => check.name === 'private' && check.ok === false));
  const left = repairs.filter(repair => !isReported(repair)).map(({ name, says }) => `${name}: ${says}`);
  if (left.length === 0) return [];
  return [
    { name: 'repairs', ok: null, says: `${left.join('; ')} (\`drover doctor --fix\` shows and repairs it)` },
  ];
};
