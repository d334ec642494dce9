/** Prints the results of checks. Returns 1 if one failed. */
import { type Call, flag } from '../verb.ts';

export interface Check {
  name: string;
  /** Null if the check does not apply. */
  ok: boolean | null;
  says: string;
  fix?: string | undefined;
}

/** `more` adds fields to the JSON output. */
export const printChecks = (call: Call, found: Check[], more: object = {}): number => {
  const failed = found.some(check => check.ok === false);
  if (flag(call, 'json')) call.out(JSON.stringify({ ok: !failed, checks: found, ...more }));
  else
    for (const { name, ok, says, fix } of found) {
      call.out(`${ok === true ? 'ok  ' : ok === false ? 'FAIL' : '-   '}  ${name.padEnd(14)}  ${says}`);
      if (ok === false && fix) call.out(`      ${''.padEnd(14)}  fix: ${fix}`);
    }
  return failed ? 1 : 0;
};
