/** `drover doctor`: every link of the chain from hook to log, each failure with its fix. */
import { checks } from './checks.ts';
import { tellChecks } from './tell-checks.ts';
import type { Call } from './verb.ts';

export const run = async (call: Call): Promise<number> => tellChecks(call, await checks(call));
