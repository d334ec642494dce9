/** The other hosts, for the routes of this machine: their sessions, and calls to them. */
import { DroverError } from '../contract/error.ts';
import type { FleetPlace, Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import type { RemoteAnswer, RemoteCall } from './command/send-command.ts';
import type { Fleet } from './open-fleet.ts';
import type { Member } from './roster.ts';

/** A host of the fleet that is not revoked. */
export interface Peer extends FleetPlace {
  /** This machine itself. */
  isHere: boolean;
  /** By how much its clock is ahead of ours, ms. */
  skew: number;
}

export interface Peers {
  /** Returns a host by its name or id; null where there is none. */
  host: (nameOrId: string) => Peer | null;
  /** Every other host. */
  others: () => Peer[];
  /** The sessions of the other hosts. Waits briefly for them if they were not being read. */
  sessions: () => Promise<Session[]>;
  /** The sessions of the other hosts whose id starts with this: of one host, by its id, or of all. */
  named: (own: string, host: string | null) => Promise<Session[]>;
  /** Calls a route of another host. Fails at once if that host is away. */
  send: (host: string, call: RemoteCall) => Promise<RemoteAnswer>;
}

export const peersOf = ({ membership, roster, hosts, view, bus, send }: Fleet): Peers => {
  const here = membership.host.id;
  const look = async (): Promise<void> => {
    const { connection } = bus.state;
    // Nothing new can arrive while the broker is unreachable, so do not wait.
    if (connection === 'unreachable' || connection === 'refused') void view.startReading();
    else await view.startReading();
  };
  const peerOf = ({ host, name }: Pick<Member, 'host' | 'name'>): Peer => {
    const isHere = host === here;
    return {
      host,
      name,
      isHere,
      isAway: !isHere && hosts.isAway(host),
      seenAt: hosts.get(host)?.seenAt ?? 0,
      skew: isHere ? 0 : hosts.skewOf(host),
    };
  };
  return {
    host: nameOrId => {
      // The id first: a host chooses its own name, and could take the id of another.
      const member = roster.get(nameOrId) ?? roster.byName(nameOrId);
      return member && peerOf(member);
    },
    others: () =>
      roster
        .all()
        .filter(({ host, isRevoked }) => host !== here && !isRevoked)
        .map(peerOf),
    sessions: async () => {
      await look();
      return view.sessions();
    },
    named: async (own, host) => {
      await look();
      return view.named(own, host);
    },
    send: async (host, call) => {
      // A host that was never seen may just have joined.
      const isAway = () => hosts.get(host) !== null && hosts.isSilent(host);
      const away = () => new DroverError('host_away', `${roster.get(host)?.name ?? 'The host'} is away.`);
      if (bus.state.connection === 'connected' && isAway()) throw away();
      const sent = send(host, call);
      // A short call times out by itself; a long wait must end when its host goes away.
      if ((call.answerMs ?? 0) <= limits.fleet.commandAnswer) return sent;
      let timer: NodeJS.Timeout | undefined;
      const goes = new Promise<never>((_, reject) => {
        timer = setInterval(() => isAway() && reject(away()), limits.fleet.cardSoon);
        timer.unref();
      });
      return Promise.race([sent, goes]).finally(() => clearInterval(timer));
    },
  };
};
