/** The sessions of the other hosts, for the list of sessions. */
import { idParts } from '../../contract/origin.ts';
import type { Peers } from '../../fleet/peers.ts';
import type { RemoteSessions } from '../handlers/sessions.ts';
import { searchHosts } from './search-hosts.ts';

export const remoteSessionsOf = (peers: () => Peers | null): RemoteSessions => ({
  sessions: async () => (await peers()?.sessions()) ?? [],
  named: async id => {
    const { own, origin } = idParts(id);
    const now = peers();
    if (!now) return [];
    if (origin === null) return now.named(own, null);
    const peer = now.host(origin);
    return peer && !peer.isHere ? now.named(own, peer.host) : [];
  },
  search: async call => {
    const now = peers();
    return now && searchHosts(now, call);
  },
  ownId: id => {
    const { own, origin } = idParts(id);
    return origin !== null && peers()?.host(origin)?.isHere ? own : id;
  },
});
