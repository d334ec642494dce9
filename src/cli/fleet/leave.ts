/** `drover fleet leave`: takes this machine out of its fleet. */
import { rmSync } from 'node:fs';
import { call as ask } from '../../client/call.ts';
import { runningDaemon } from '../../client/running.ts';
import { DroverError } from '../../contract/error.ts';
import { stopBroker } from '../../fleet/broker/broker-process.ts';
import { readHosted } from '../../fleet/broker/hosted-broker.ts';
import { removeRemoteBroker } from '../../fleet/broker/remote-broker.ts';
import { announceLeaving } from '../../fleet/enrol/join.ts';
import { isHomeOf } from '../../fleet/machine.ts';
import { type BrokerHost, hasJoined, type Membership, readMembership } from '../../fleet/membership.ts';
import { limits } from '../../limits.ts';
import { canAsk, confirmAction } from '../output/question.ts';
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
  const isAdminNotified =
    membership !== null &&
    !isCopy &&
    ((await isRevoked(call, membership)) || (await notifyAdmin(membership)));
  // The daemon first, because it would start the broker again.
  rmSync(paths.fleetFile);
  if (await runningDaemon(paths)) await ask(paths, 'reloadFleet', { timeout: limits.fleet.connected });
  await stopBroker(paths.fleetBroker, false);
  // A copy of another home leaves the broker to the original.
  const on = isCopy ? null : (membership?.broker?.on ?? null);
  const left = membership && on ? await removeFrom(call, on, membership.fleet) : null;
  rmSync(paths.fleet, { recursive: true, force: true });
  if (flag(call, 'json')) call.out(JSON.stringify({ ok: true, told: isAdminNotified, left }));
  else {
    call.out('Left the fleet and deleted its keys. The sessions and the log of this machine are unchanged.');
    if (on) call.out(left ?? `The broker on ${on.destination} was removed.`);
    if (readHosted(paths))
      call.out(
        'This machine still runs the broker of another fleet; `drover fleet broker remove` removes it.',
      );
    if (isCopy)
      call.out('This DROVER_HOME was copied or moved. The original stays in the fleet until it is revoked.');
    else if (!isAdminNotified && membership?.role !== 'admin')
      call.out(
        'No admin could be reached. Run `drover fleet revoke` on the admin to take this machine off the list.',
      );
  }
  return 0;
};

/** Removes the broker from another machine. Returns what to do by hand if that fails. */
const removeFrom = async ({ env }: Call, on: BrokerHost, fleet: string): Promise<string | null> => {
  try {
    await removeRemoteBroker(on, fleet, env);
    return null;
  } catch (error) {
    return `The broker on ${on.destination} could not be removed: ${(error as Error).message} Run \`drover fleet broker remove\` there.`;
  }
};

/** Whether this host knows that it was revoked. */
const isRevoked = async ({ paths }: Call, { host }: Membership): Promise<boolean> => {
  if (!(await runningDaemon(paths))) return false;
  const { hosts } = await ask(paths, 'readFleet');
  return hosts.some(({ id, state }) => id === host.id && state === 'revoked');
};

/** Notifies an admin. On the machine that runs the broker there is nobody to notify. */
const notifyAdmin = async (membership: Membership): Promise<boolean> =>
  membership.broker === null && (await announceLeaving(membership));

const mayLeave = async (call: Call, membership: Membership | null): Promise<boolean> => {
  if (membership?.role !== 'admin' || flag(call, 'yes')) return true;
  const on = membership.broker?.on?.destination;
  const what = membership.broker
    ? on === undefined
      ? 'This machine runs the broker: the fleet ends for all its hosts.'
      : `The broker on ${on} will be removed: the fleet ends for all its hosts.`
    : 'This machine is the admin: nobody can enrol or revoke hosts any more.';
  if (!canAsk()) throw new DroverError('refused', what, 'Run `drover fleet leave --yes` to do it.');
  call.out(what);
  return confirmAction('Leave?');
};

/** A membership that cannot be read can still be left. */
const readOrNull = (call: Call): Membership | null => {
  try {
    return readMembership(call.paths);
  } catch {
    return null;
  }
};
