/** What the list does not hold: the requests in full, what happened to earlier ones, and related sessions. */
import { useEffect, useState } from 'react';
import type { Link } from '../../client/board.ts';
import type { SessionPage } from '../../contract/api.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';

/** Loads it again whenever a request comes, goes, or can be answered for longer or no more. */
export const useSessionPage = ({ id, requests, state }: Session, link: Link): SessionPage | null => {
  const [page, setPage] = useState<SessionPage | null>(null);
  const version = requests.map(request => `${request.id}:${request.until}`).join(' ');
  useEffect(() => {
    if (link !== 'live') return undefined;
    const abort = new AbortController();
    call('readSession', { id, signal: abort.signal })
      .then(setPage)
      .catch(() => {});
    return () => abort.abort();
  }, [id, version, state, link]);
  return page;
};
