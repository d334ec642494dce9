/** `drover doctor`: checks the path from hook to log, repairs what it can, or checks how the page is reached from outside. */
import { runningDaemon } from '../../client/running.ts';
import { errors } from '../../contract/error.ts';
import { checks } from '../setup/checks.ts';
import { reachChecks } from '../setup/reach-checks.ts';
import { runRepairs } from '../repair/run-repairs.ts';
import { printChecks } from '../output/print-checks.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const at = text(call, 'at');
  if (at !== undefined) return checkFromOutside(call, at);
  return flag(call, 'fix') ? fix(call) : printChecks(call, await checks(call));
};

const checkFromOutside = async (call: Call, at: string): Promise<number> => {
  const url = (await runningDaemon(call.paths).catch(() => null))?.url;
  const daemonPort = url ? Number(new URL(url).port) : null;
  return printChecks(call, await reachChecks(at, { daemonPort }));
};

const fix = async (call: Call): Promise<number> => {
  const repairs = await runRepairs(call);
  const code = printChecks(call, await checks(call), { repairs });
  if (repairs.length > 0 && flag(call, 'json') && !flag(call, 'yes')) return errors.refused.exit;
  return repairs.some(({ failed }) => failed !== null) ? 1 : code;
};
