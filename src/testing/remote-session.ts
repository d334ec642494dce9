/** Builds a session of another host of the fleet, as its row shows it. */
import type { FleetPlace, Session } from '../contract/session.ts';
import { rowOf, sessionOfRow } from '../fleet/row.ts';
import { aSession } from './session.ts';

export const aRemoteSession = (more: Partial<Session> = {}, place: Partial<FleetPlace> = {}): Session =>
  sessionOfRow(
    rowOf(aSession(more), 'epoch', 'all'),
    { host: 'abcdefgh234567ab', name: 'devbox', isAway: false, seenAt: 0, ...place },
    0,
  );
