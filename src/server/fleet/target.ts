/** Finds the host that a call is for. */
import { DroverError } from '../../contract/error.ts';
import { idParts } from '../../contract/origin.ts';
import type { Session } from '../../contract/session.ts';
import type { Peer, Peers } from '../../fleet/peers.ts';

/** A session by its id on its own host. */
export interface Target {
  peer: Peer;
  id: string;
}

/**
 * Returns the session of another host that an id names: `<prefix>@<host>`, or a prefix that names nothing here and one session
 * elsewhere. Null: it is for this machine. Sessions of this machine win, so that nobody elsewhere changes what an id means here.
 */
export const targetOf = async (
  peers: Peers,
  given: string,
  here: (id: string) => Pick<Session, 'origin'>[],
): Promise<Target | null> => {
  const { own, origin } = idParts(given);
  const local = here(given);
  if (origin === null) return local.length > 0 ? null : findRemote(peers, own);
  // Programs on this machine may report sessions under the name of a host.
  if (local.some(session => session.origin === origin)) return null;
  const peer = peers.host(origin);
  if (!peer) return null;
  return { peer, id: peer.isHere ? own : await wholeId(peers, own, peer) };
};

const findRemote = async (peers: Peers, prefix: string): Promise<Target | null> => {
  const found = await peers.named(prefix, null);
  if (found.length > 1) throw ambiguous(prefix, found);
  const [session] = found;
  const peer = session?.fleet ? peers.host(session.fleet.host) : null;
  return session && peer ? { peer, id: idParts(session.id).own } : null;
};

/** The complete id if the view knows it; the host itself also knows older sessions. */
const wholeId = async (peers: Peers, prefix: string, peer: Peer): Promise<string> => {
  const found = await peers.named(prefix, peer.host);
  if (found.length > 1) throw ambiguous(prefix, found);
  return found[0] ? idParts(found[0].id).own : prefix;
};

const ambiguous = (prefix: string, found: Session[]): DroverError =>
  new DroverError(
    'ambiguous',
    `${found.length} sessions start with ${prefix}: ${found
      .slice(0, 5)
      .map(({ id }) => id)
      .join(', ')}.`,
    'Use more digits, or add `@` and the name of the host.',
  );
