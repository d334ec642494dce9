/** What this host reports about itself. */
import type { HostCard } from '../../contract/fleet.ts';
import type { Session } from '../../contract/session.ts';
import { version } from '../../version.ts';

/** What a card reports about its host, besides its clock. */
export type CardFacts = Pick<
  HostCard,
  'name' | 'epoch' | 'version' | 'instance' | 'startedAt' | 'seq' | 'waiting' | 'working' | 'sessions'
>;

export interface CardFactsDeps {
  /** Identifies the log of this host; created with its database. */
  epoch: string;
  startedAt: number;
  /** This host's own sessions that lists show. */
  sessions: () => Session[];
  waiting: () => number;
  lastSeq: () => number;
}

export const cardFacts = (deps: CardFactsDeps, name: string, instance: string): CardFacts => {
  const { epoch, startedAt } = deps;
  const sessions = deps.sessions();
  return {
    name,
    epoch,
    version,
    instance,
    startedAt,
    seq: deps.lastSeq(),
    waiting: deps.waiting(),
    working: sessions.filter(({ state }) => state === 'working' || state === 'background').length,
    sessions: sessions.filter(({ state }) => state !== 'ended').length,
  };
};
