/** `drover doctor`: checks the path from hook to log. */
import { checks } from '../setup/checks.ts';
import { printChecks } from '../output/print-checks.ts';
import type { Call } from '../verb.ts';

export const run = async (call: Call): Promise<number> => printChecks(call, await checks(call));
