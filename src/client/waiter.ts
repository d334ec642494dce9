/**
 * The hook process of a held request: passes the payload to the daemon, waits, and prints the answer. Without a daemon, or
 * when it goes down, it prints nothing, and the dialog in the terminal decides.
 */
import { readFileSync } from 'node:fs';
import { hookTimeout } from '../hook/install/hook-timeout.ts';
import { limits } from '../limits.ts';
import { pathsFrom } from '../paths.ts';
import { open, textOf } from './call.ts';
import type { PathOf } from './route-call.ts';
import { surface } from './surface.ts';

surface.name = 'hook';

const path: PathOf<'holdRequest'> = '/hold';

const wait = async (): Promise<string> => {
  const { DROVER_DELIVERY: delivery = '' } = process.env;
  const headers = { 'X-Drover-Delivery': delivery };
  const response = await open(pathsFrom(process.env), 'POST', path, readFileSync(0, 'utf8'), headers);
  const output = await textOf(response);
  return response.statusCode === 200 ? output : '';
};

const exit = (): never => process.exit(0);

const longest = hookTimeout(process.env) * 1_000 - limits.approvals.hookExitMargin;
setTimeout(exit, Math.min(longest, limits.clock.longestTimer));
wait().then(output => process.stdout.write(output, exit), exit);
