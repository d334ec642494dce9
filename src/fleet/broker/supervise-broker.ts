/** Keeps our own broker running, and its logins equal to the members of the roster. */
import type { RosterEntry } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import type { Env, Paths } from '../../paths.ts';
import { isHomeOf } from '../machine.ts';
import type { Membership } from '../membership.ts';
import type { Fleet } from '../open-fleet.ts';
import { isStoppedByHand, reloadBroker, startBroker } from './broker-process.ts';
import { writeUsers } from './broker-users.ts';
import { RemoteBrokerLogins } from './remote-broker-logins.ts';

export interface BrokerSupervisorDeps {
  paths: Paths;
  env: Env;
  fleet: Pick<Fleet, 'bus' | 'roster'>;
  membership: Membership;
  /** `problem` has changed. */
  onChange: () => void;
  onError: (message: string, error: unknown) => void;
}

export interface BrokerSupervisor {
  /** Gives a new member its login, if that must happen first, then enrols it. */
  admit: (entry: RosterEntry, enrol: () => Promise<boolean>) => Promise<boolean>;
  /** The machine of the broker can be reached again. */
  onReachable: () => void;
  /** Why the logins of the broker differ from the roster. */
  readonly problem: string | null;
  close: () => void;
}

/** Keeps it until closed. Does nothing for a broker of others. */
export const superviseBroker = (deps: BrokerSupervisorDeps): BrokerSupervisor => {
  const { broker, machine } = deps.membership;
  if (!broker?.on) return noSupervisor(superviseHere(deps));
  return new RemoteBrokerLogins({ ...deps, on: broker.on, isAtHome: isHomeOf(machine, deps.paths.home) });
};

const noSupervisor = (close: () => void): BrokerSupervisor => ({
  admit: (_, enrol) => enrol(),
  onReachable: () => {},
  problem: null,
  close,
});

/** Starts the broker unless somebody has stopped it, and again whenever it is gone, until the returned function is called. */
const superviseHere = ({ paths, env, fleet, membership, onError }: BrokerSupervisorDeps): (() => void) => {
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
  // A removed host must learn of its removal before the broker ends its connection.
  fleet.roster.onChange(({ isRevoked }) => {
    if (isRevoked) setTimeout(followRoster, limits.fleet.broker.removed).unref();
    else followRoster();
  });
  void look();
  const timer = setInterval(() => {
    if (fleet.bus.state.connection !== 'connected') void look();
  }, limits.fleet.broker.check);
  timer.unref();
  return () => {
    isEnded = true;
    clearInterval(timer);
  };
};
