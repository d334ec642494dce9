/**
 * What a hook becomes while its request is held: it hands the payload to the daemon, waits, prints what comes back and
 * is gone. Without a daemon, and as soon as one is lost, it prints nothing: the dialog in the terminal decides.
 */
import { readFileSync } from 'node:fs';
import { limits } from '../limits.ts';
import { pathsFrom } from '../paths.ts';
import { open, textOf } from './call.ts';
import type { routePaths } from './routes.generated.ts';
import { surface } from './surface.ts';

surface.name = 'hook';

const path: (typeof routePaths)['holdRequest'][1] = '/hold';

const wait = async (): Promise<string> => {
  const { DROVER_DELIVERY: delivery = '' } = process.env;
  const headers = { 'X-Drover-Delivery': delivery };
  const response = await open(pathsFrom(process.env), 'POST', path, readFileSync(0, 'utf8'), headers);
  const output = await textOf(response);
  return response.statusCode === 200 ? output : '';
};

const leave = (): never => process.exit(0);

setTimeout(leave, limits.approvals.hookExits);
wait().then(output => process.stdout.write(output, leave), leave);
