/** Loads what the list does not have: complete requests, outcomes of earlier ones, and related sessions. */
import { useEffect, useState } from 'react';
import type { Link } from '../../client/board.ts';
import type { SessionPage } from '../../contract/api.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';

/** Loads again whenever a request opens, closes or changes its deadline. */
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
