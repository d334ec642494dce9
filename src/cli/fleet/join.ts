/** `drover fleet join`: joins a fleet with a token. */
import { text as textOf } from 'node:stream/consumers';
import { ensureDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import { readInvitation } from '../../fleet/enrol/invitation.ts';
import { join } from '../../fleet/enrol/join.ts';
import { hasJoined } from '../../fleet/membership.ts';
import { refuseInside } from '../refuse-inside.ts';
import { type Call, flag, text } from '../verb.ts';
import { acceptedFrom, mayText } from './accepted-rights.ts';
import { nameFrom } from './init.ts';
import { reloadAndConnect } from './reload.ts';

export const run = async (call: Call): Promise<number> => {
  refuseInside(call);
  if (hasJoined(call.paths)) throw new DroverError('already_joined');
  const [given] = call.args;
  if (!given)
    throw new DroverError(
      'usage',
      'drover fleet join: the token is missing.',
      "Make one with `drover fleet token` on the admin's machine, then run `drover fleet join -` here and paste it.",
    );
  if (given === '-' && process.stdin.isTTY) call.err('Paste the token, then press Enter and Ctrl-D.');
  const invitation = readInvitation(given === '-' ? await textOf(process.stdin) : given);
  const accept = text(call, 'accept');
  // Creates DROVER_HOME, and fails before the token is used.
  await ensureDaemon(call.paths, call.env);
  const membership = await join(call.paths, invitation, {
    name: nameFrom(call),
    accept: accept === undefined ? null : acceptedFrom(accept),
  });
  const status = await reloadAndConnect(call);
  if (flag(call, 'json')) {
    call.out(JSON.stringify(status));
    return 0;
  }
  const { host, role } = membership;
  const { admin } = invitation;
  const rights = membership.accept[admin.id] ?? [];
  call.out(`Joined the fleet of ${admin.name} as ${host.name}.`);
  call.out(
    role === 'worker'
      ? 'As a worker, this machine publishes its own sessions, and does not see those of others.'
      : 'As a seat, this machine publishes its own sessions and sees those of all others.',
  );
  call.out(`${admin.name} ${mayText(rights)} here; other seats may read and queue.`);
  call.out(
    `Change this with \`drover fleet accept ${admin.name} RIGHTS\`; leave with \`drover fleet leave\`.`,
  );
  return 0;
};
