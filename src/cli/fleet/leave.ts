/** `drover fleet leave`: takes this machine out of its fleet. */
import { rmSync } from 'node:fs';
import { call as ask } from '../../client/call.ts';
import { runningDaemon } from '../../client/running.ts';
import { DroverError } from '../../contract/error.ts';
import { stopBroker } from '../../fleet/broker/broker-process.ts';
import { tellLeaving } from '../../fleet/enrol/join.ts';
import { isHomeOf } from '../../fleet/machine.ts';
import { hasJoined, type Membership, readMembership } from '../../fleet/membership.ts';
import { limits } from '../../limits.ts';
import { canAsk, confirm } from '../output/question.ts';
import { refuseInside } from '../refuse-inside.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  refuseInside(call);
  const { paths } = call;
  if (!hasJoined(paths)) throw new DroverError('not_joined');
  const membership = readOrNull(call);
  if (!(await mayLeave(call, membership))) return 1;
  // A copy of another home must not take the original out of the fleet.
  const isCopy = membership !== null && !isHomeOf(membership.machine, paths.home);
  const isTold =
    membership !== null && !isCopy && ((await isRevoked(call, membership)) || (await tell(membership)));
  // First the daemon lets go: it would start the broker again.
  rmSync(paths.fleetFile);
  if (await runningDaemon(paths)) await ask(paths, 'reloadFleet', { timeout: limits.fleet.connected });
  await stopBroker(paths.fleetBroker, false);
  rmSync(paths.fleet, { recursive: true, force: true });
  if (flag(call, 'json')) call.out(JSON.stringify({ ok: true, told: isTold }));
  else {
    call.out(
      'Left the fleet. Its keys are deleted here; sessions and the log of this machine are as before.',
    );
    if (isCopy)
      call.out('This DROVER_HOME was copied or moved. The original stays in the fleet until it is revoked.');
    else if (!isTold && membership?.role !== 'admin')
      call.out(
        'No admin could be told: run `drover fleet revoke` there, so that this machine is no longer listed.',
      );
  }
  return 0;
};

/** Whether this host knows that it was removed. */
const isRevoked = async ({ paths }: Call, { host }: Membership): Promise<boolean> => {
  if (!(await runningDaemon(paths))) return false;
  const { hosts } = await ask(paths, 'readFleet');
  return hosts.some(({ id, state }) => id === host.id && state === 'revoked');
};

/** The machine of the broker has nobody to tell. */
const tell = async (membership: Membership): Promise<boolean> =>
  membership.broker === null && (await tellLeaving(membership));

const mayLeave = async (call: Call, membership: Membership | null): Promise<boolean> => {
  if (membership?.role !== 'admin' || flag(call, 'yes')) return true;
  const what = membership.broker
    ? 'This machine runs the broker: the fleet ends for all its hosts.'
    : 'This machine is the admin: nobody can enrol or revoke hosts any more.';
  if (!canAsk()) throw new DroverError('refused', what, 'Run `drover fleet leave --yes` to do it.');
  call.out(what);
  return confirm('Leave?');
};

/** A membership that cannot be read can still be left. */
const readOrNull = (call: Call): Membership | null => {
  try {
    return readMembership(call.paths);
  } catch {
    return null;
  }
};
