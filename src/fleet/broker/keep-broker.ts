/** Keeps the broker of this machine running, and its logins equal to the roster. */
import { limits } from '../../limits.ts';
import type { Env, Paths } from '../../paths.ts';
import type { Membership } from '../membership.ts';
import type { Fleet } from '../open-fleet.ts';
import { isStoppedByHand, reloadBroker, startBroker } from './broker-process.ts';
import { writeUsers } from './broker-users.ts';

export interface KeepBrokerDeps {
  paths: Paths;
  env: Env;
  fleet: Pick<Fleet, 'bus' | 'roster'>;
  membership: Membership;
  onError: (message: string, error: unknown) => void;
}

/** Starts the broker unless somebody has stopped it, and again whenever it is gone, until the returned function is called. */
export const keepBroker = ({ paths, env, fleet, membership, onError }: KeepBrokerDeps): (() => void) => {
  const { broker } = membership;
  if (!broker) return () => {};
  const folder = paths.fleetBroker;
  let isEnded = false;
  let isStarting = false;
  const look = async (): Promise<void> => {
    if (isEnded || isStarting || isStoppedByHand(folder)) return;
    isStarting = true;
    try {
      await startBroker({ folder, ...broker }, env);
    } catch (error) {
      onError('The broker could not be started', error);
    } finally {
      isStarting = false;
    }
  };
  const followRoster = (): void => {
    if (isEnded) return;
    if (writeUsers(folder, membership, fleet.roster)) reloadBroker(folder);
  };
  followRoster();
  // A host that is removed hears of it before the broker ends its connection.
  fleet.roster.onChange(({ isRevoked }) => {
    if (isRevoked) setTimeout(followRoster, limits.fleet.broker.removed).unref();
    else followRoster();
  });
  void look();
  const timer = setInterval(() => {
    if (fleet.bus.state.connection !== 'connected') void look();
  }, limits.fleet.broker.look);
  timer.unref();
  return () => {
    isEnded = true;
    clearInterval(timer);
  };
};
