/** Records that a person has looked at a waiting session, and keeps saying so while its view is open in a focused tab. */
import { useEffect } from 'react';
import { isUnseen, type Link } from '../../client/board.ts';
import { isHostAway } from '../../client/fleet-text.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';

/** The daemon sends no notification about a session for `limits.notify.pageSight` after this. */
const reportInterval = 10_000;

export const useSeen = (session: Session, link: Link): void => {
  const { id, since } = session;
  const waits = link === 'live' && session.state === 'waiting' && !isHostAway(session);
  const unseen = waits && isUnseen(session);
  useEffect(() => {
    if (!waits) return undefined;
    const see = () => {
      if (document.visibilityState === 'visible' && (unseen || document.hasFocus()))
        call('seeSession', { id }).catch(() => {});
    };
    see();
    document.addEventListener('visibilitychange', see);
    const timer = setInterval(see, reportInterval);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', see);
    };
  }, [id, since, waits, unseen]);
};
