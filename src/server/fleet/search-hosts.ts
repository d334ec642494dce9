/** Searches the transcripts of the other hosts: each searches its own. */
import { SessionList } from '../../contract/api.ts';
import { idFrom } from '../../contract/origin.ts';
import type { Peer, Peers } from '../../fleet/peers.ts';
import { sessionFromHost } from '../../fleet/row.ts';
import { limits } from '../../limits.ts';
import type { Call } from '../call.ts';
import type { SearchedHosts } from '../handlers/sessions.ts';

export const searchHosts = async (
  peers: Peers,
  call: Pick<Call, 'query' | 'caller'>,
): Promise<SearchedHosts> => {
  const answers = await Promise.all(peers.others().map(peer => searchOne(peers, peer, call)));
  return {
    sessions: answers.flatMap(({ sessions }) => sessions),
    found: Object.fromEntries(answers.flatMap(({ found }) => Object.entries(found))),
    missing: answers.flatMap(({ missing }) => missing),
  };
};

const searchOne = async (
  peers: Peers,
  peer: Peer,
  { query, caller }: Pick<Call, 'query' | 'caller'>,
): Promise<SearchedHosts> => {
  const without = (problem: string): SearchedHosts => ({
    sessions: [],
    found: {},
    missing: [{ host: peer.name, problem }],
  });
  if (peer.isAway) return without('away');
  try {
    const { json } = await peers.send(peer.host, {
      route: 'listSessions',
      params: { id: '' },
      query: Object.fromEntries(query),
      caller,
      answerMs: limits.fleet.searchAnswer,
    });
    const { sessions, found = {} } = SessionList.parse(json);
    return {
      sessions: sessions.map(session => sessionFromHost(session, peer, peer.skew)),
      found: Object.fromEntries(Object.entries(found).map(([id, text]) => [idFrom(id, peer.name), text])),
      missing: [],
    };
  } catch (error) {
    return without((error as Error).message);
  }
};
