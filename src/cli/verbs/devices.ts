/** `drover devices`: lists the browsers and devices that are signed in to the page, and signs one out. */
import { call as ask } from '../../client/call.ts';
import { clean } from '../../client/text.ts';
import { DroverError } from '../../contract/error.ts';
import { columns } from '../output/columns.ts';
import { ago } from '../output/format.ts';
import { type Call, flag, unknownAction } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const [action, device] = call.args;
  if (action === undefined) return list(call);
  if (action !== 'rm') throw unknownAction(call, action);
  if (device === undefined)
    throw new DroverError('usage', 'drover devices rm: the device is missing.', 'See `drover devices`.');
  const revoked = await ask(call.paths, 'revokeDevice', { id: device });
  call.out(flag(call, 'json') ? JSON.stringify(revoked) : `Signed out ${device}`);
  return 0;
};

const list = async (call: Call): Promise<number> => {
  const { devices } = await ask(call.paths, 'listDevices');
  if (flag(call, 'json')) call.out(JSON.stringify({ devices }));
  else if (devices.length === 0) call.out('No device is signed in. `drover open --qr` pairs a phone.');
  else
    for (const line of columns([
      ['id', 'name', 'paired', 'push', 'last seen'],
      ...devices.map(({ id, name, paired, push, seen }) => [
        id,
        clean(name),
        paired ? 'yes' : 'no',
        push ? 'yes' : 'no',
        `${ago(seen)} ago`,
      ]),
    ]))
      call.out(line);
  return 0;
};
