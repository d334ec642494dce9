/** `drover doctor`: every link of the chain from hook to log, each failure with its fix. */
import { checks } from './checks.ts';
import { type Call, flag } from './verb.ts';

export const run = async (call: Call): Promise<number> => {
  const found = await checks(call);
  if (flag(call, 'json'))
    call.out(JSON.stringify({ ok: found.every(check => check.ok !== false), checks: found }));
  else
    for (const { name, ok, says, fix } of found) {
      call.out(`${ok === true ? 'ok  ' : ok === false ? 'FAIL' : '-   '}  ${name.padEnd(14)}  ${says}`);
      if (ok === false && fix) call.out(`      ${''.padEnd(14)}  fix: ${fix}`);
    }
  return found.some(check => check.ok === false) ? 1 : 0;
};
