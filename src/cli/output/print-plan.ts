/** Prints the plan of `--dry-run`. */
import { type Plan, shellLine } from '../../resume/plan.ts';
import { type Call, flag } from '../verb.ts';

/** Prints a plan. `live`: the session is running, and the command goes to it. */
export const printPlan = (call: Call, plan: Plan & { live?: true }): number => {
  if (flag(call, 'json')) {
    call.out(JSON.stringify(plan));
    return 0;
  }
  const set = Object.entries(plan.env ?? {}).map(([name, value]) => `${name}=${value}`);
  call.out(`directory  ${plan.dir}`);
  call.out(`command    ${shellLine([...(set.length ? ['env', ...set] : []), ...plan.argv])}`);
  return 0;
};
