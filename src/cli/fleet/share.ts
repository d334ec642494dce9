/** `drover fleet share`: sets how much of its sessions this machine publishes. */
import { DroverError } from '../../contract/error.ts';
import { changeMembership } from '../../fleet/membership.ts';
import { refuseInside } from '../refuse-inside.ts';
import { type Call, flag } from '../verb.ts';
import { reloadAndConnect } from './reload.ts';

export const run = async (call: Call): Promise<number> => {
  refuseInside(call);
  const [share] = call.args;
  if (share !== 'all' && share !== 'states')
    throw new DroverError(
      'usage',
      'drover fleet share: give all or states.',
      'With states, titles and branches of sessions stay on this machine.',
    );
  changeMembership(call.paths, membership => ({ ...membership, share }));
  await reloadAndConnect(call);
  if (flag(call, 'json')) call.out(JSON.stringify({ share }));
  else
    call.out(
      share === 'all'
        ? 'Titles and branches of sessions are published.'
        : 'Titles and branches of sessions are no longer published. Hosts that may read here can still fetch them.',
    );
  return 0;
};
