/** Loads what the list does not have: complete requests, outcomes of earlier ones, and related sessions. */
import { useEffect, useState } from 'react';
import type { Link } from '../../client/board.ts';
import { isHostAway } from '../../client/fleet-text.ts';
import type { SessionPage } from '../../contract/api.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';

/**
 * Loads again whenever a request opens, closes or changes its deadline; of a session of another host with every change, because
 * its row has little.
 */
export const useSessionPage = (session: Session, link: Link): SessionPage | null => {
  const { id, requests, state, fleet, seq } = session;
  const [page, setPage] = useState<SessionPage | null>(null);
  const version = [...(fleet ? [seq] : []), ...requests.map(({ id: one, until }) => `${one}:${until}`)].join(
    ' ',
  );
  const isThere = link === 'live' && !isHostAway(session);
  useEffect(() => {
    if (!isThere) return undefined;
    const abort = new AbortController();
    call('readSession', { id, signal: abort.signal })
      .then(setPage)
      .catch(() => {});
    return () => abort.abort();
  }, [id, version, state, isThere]);
  return page;
};

/** A session of another host with what its row does not have. Its state and its requests are those of the row. */
export const withPage = (session: Session, page: SessionPage | null): Session => {
  if (!session.fleet || page?.id !== session.id) return session;
  const { state, reason, since, detail, requests, pending, deferral, stalled, limit, parked, fleet } =
    session;
  const current = { state, reason, since, requests, pending, deferral, stalled, limit, parked, fleet };
  return { ...page, ...current, detail: detail ?? page.detail, seq: session.seq };
};
