/** `drover fleet accept`: sets what another host may do on this machine. */
import { DroverError } from '../../contract/error.ts';
import { changeMembership } from '../../fleet/membership.ts';
import { refuseInside } from '../refuse-inside.ts';
import { type Call, flag } from '../verb.ts';
import { acceptedFrom, mayText } from './accepted-rights.ts';
import { hostNamed, readStatus, reload } from './reload.ts';

export const run = async (call: Call): Promise<number> => {
  refuseInside(call);
  const [given, rights] = call.args;
  const host = hostNamed(await readStatus(call), given);
  if (host.state === 'here') throw new DroverError('usage', `${host.name} is this machine.`);
  if (rights === undefined)
    throw new DroverError(
      'usage',
      `drover fleet accept: the rights of ${host.name} are missing.`,
      'Give rights separated by commas: read, queue, answer, drive; or none.',
    );
  const accepts = acceptedFrom(rights);
  changeMembership(call.paths, membership => ({
    ...membership,
    accept: { ...membership.accept, [host.id]: accepts },
  }));
  await reload(call);
  if (flag(call, 'json')) call.out(JSON.stringify({ host: host.id, name: host.name, accepts }));
  else {
    call.out(`${host.name} ${mayText(accepts)} here.`);
    if (host.role === 'worker' && accepts.length > 0)
      call.out(`${host.name} is a worker, which cannot call other hosts, so this has no effect.`);
  }
  return 0;
};
