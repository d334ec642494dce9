/** Signs entries of the roster and publishes them: what only an admin can do. */
import type { KeyObject } from 'node:crypto';
import { DroverError } from '../../contract/error.ts';
import type { RosterEntry } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import type { Bus } from '../bus.ts';
import { fleetSender, seal } from '../envelope.ts';
import { pause, retry } from '../retry.ts';
import type { Roster } from '../roster.ts';
import type { Subjects } from '../subjects.ts';

export interface RosterPublisherDeps {
  bus: Bus;
  subjects: Subjects;
  fleet: string;
  /** Null if this machine is not an admin. */
  fleetSecret: KeyObject | null;
  roster: Roster;
  onError: (message: string, error: unknown) => void;
}

export class RosterPublisher {
  constructor(private readonly deps: RosterPublisherDeps) {}

  /**
   * Tries for a while, because a new broker is not ready at once. Returns false where a removed member could not be published: this
   * host knows already, and the others learn of it later.
   */
  async publish(entry: RosterEntry): Promise<boolean> {
    const { bus, fleet, fleetSecret, roster, onError } = this.deps;
    if (!fleetSecret) throw new DroverError('refused', 'Only an admin of the fleet can do this.');
    const bytes = seal(fleet, 'roster', fleetSender, fleetSecret, entry);
    let isPublished = true;
    try {
      await this.store(entry, bytes);
    } catch (error) {
      // Nobody waits for a broker before a member is removed. It is published with the next connection.
      if (!entry.isRevoked) throw error;
      isPublished = false;
    }
    await roster.take(bytes);
    if (!isPublished)
      void retry(
        () => this.restore(),
        () => bus.state.connection === 'connected',
        error => onError('A removed host could not be published', error),
      );
    return isPublished;
  }

  private async store({ host, isRevoked }: RosterEntry, bytes: Uint8Array): Promise<void> {
    const { bus, subjects } = this.deps;
    const deadline = performance.now() + limits.fleet.enrol;
    for (;;)
      try {
        await bus.store(subjects.roster(host), bytes);
        return;
      } catch (error) {
        const isAway = bus.state.connection !== 'connected';
        if (performance.now() > deadline || (isRevoked && isAway)) throw error;
        await pause(limits.fleet.reconnect);
      }
  }

  /** An admin brings back the members that a new or older broker does not know. */
  async restore(): Promise<void> {
    const { bus, subjects, fleetSecret, roster } = this.deps;
    if (!fleetSecret) return;
    for (const { host } of roster.all()) {
      const last = await bus.last(subjects.rosterStream, subjects.roster(host));
      // This home may be an old backup: a host that was revoked since must stay so.
      if (last) await roster.take(last.bytes);
      const known = roster.entryOf(host);
      if (known && (!last || !known.equals(last.bytes))) await bus.store(subjects.roster(host), known);
    }
  }
}
