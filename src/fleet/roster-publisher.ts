/** Signs entries of the roster and publishes them: what only an admin can do. */
import type { KeyObject } from 'node:crypto';
import { DroverError } from '../contract/error.ts';
import type { RosterEntry } from '../contract/fleet.ts';
import type { Bus } from './bus.ts';
import { fleetSender, seal } from './envelope.ts';
import type { Roster } from './roster.ts';
import type { Subjects } from './subjects.ts';

export interface RosterPublisherDeps {
  bus: Bus;
  subjects: Subjects;
  fleet: string;
  /** Null where this machine is no admin. */
  fleetSecret: KeyObject | null;
  roster: Roster;
}

export class RosterPublisher {
  constructor(private readonly deps: RosterPublisherDeps) {}

  async publish(entry: RosterEntry): Promise<void> {
    const { bus, subjects, fleet, fleetSecret, roster } = this.deps;
    if (!fleetSecret) throw new DroverError('refused', 'Only an admin of the fleet can do this.');
    const bytes = seal(fleet, 'roster', fleetSender, fleetSecret, entry);
    await bus.store(subjects.roster(entry.host), bytes);
    await roster.take(bytes);
  }

  /** An admin brings back the members that a new or older broker does not know. */
  async restore(): Promise<void> {
    const { bus, subjects, fleetSecret, roster } = this.deps;
    if (!fleetSecret) return;
    for (const { host } of roster.all()) {
      const last = await bus.last(subjects.rosterStream, subjects.roster(host));
      const known = roster.entryOf(host);
      if (known && (!last || !known.equals(last.bytes))) await bus.store(subjects.roster(host), known);
    }
  }
}
