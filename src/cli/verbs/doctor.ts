/** `drover doctor`: every link of the chain from hook to log, each failure with its fix. */
import { checks } from '../setup/checks.ts';
import { tellChecks } from '../output/tell-checks.ts';
import type { Call } from '../verb.ts';

export const run = async (call: Call): Promise<number> => tellChecks(call, await checks(call));
