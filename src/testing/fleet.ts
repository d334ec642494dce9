/** Members of a fleet in memory, for tests of its modules. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FleetRole, RosterEntry } from '../contract/fleet.ts';
import { fleetSender, seal } from '../fleet/envelope.ts';
import { Hosts } from '../fleet/hosts.ts';
import { idOfKey, makeKey, publicKeyOf, secretKeyOf } from '../fleet/keys.ts';
import { Roster } from '../fleet/roster.ts';
import { subjectsOf } from '../fleet/subjects.ts';
import { MemoryBroker } from './memory-bus.ts';

export const aFleet = (now: () => number = Date.now) => {
  const key = makeKey();
  const fleet = idOfKey(key.public);
  const fleetSecret = secretKeyOf(key.secret);
  const fleetKey = publicKeyOf(key.public);
  if (!fleetKey) throw new Error('no key');
  const broker = new MemoryBroker(now);
  const subjects = subjectsOf(fleet);
  const sealed = (entry: RosterEntry) => seal(fleet, 'roster', fleetSender, fleetSecret, entry);
  return {
    fleet,
    fleetKey,
    fleetSecret,
    broker,
    subjects,
    sealed,
    /** A host with its key, not enrolled. */
    stranger: (name: string, role: FleetRole = 'worker') => {
      const stored = makeKey();
      const host = idOfKey(stored.public);
      const publicKey = publicKeyOf(stored.public);
      if (!publicKey) throw new Error('no key');
      const entry: RosterEntry = {
        host,
        name,
        key: stored.public,
        login: null,
        role,
        isRevoked: false,
        revision: 1,
        at: 0,
      };
      return { host, name, entry, stored, key: { secret: secretKeyOf(stored.secret), public: publicKey } };
    },
    /** What a host has open: its bus, its roster with these members, and the hosts it sees. */
    open: async (host: string, members: RosterEntry[]) => {
      const bus = broker.bus();
      const roster = await Roster.open(
        fleet,
        fleetKey,
        join(mkdtempSync(join(tmpdir(), 'fl-')), 'roster.json'),
      );
      for (const member of members) await roster.take(sealed(member));
      let rejected = 0;
      const changed: string[] = [];
      const onRejected = () => void rejected++;
      const hosts = new Hosts({
        bus,
        subjects,
        fleet,
        host,
        roster,
        now,
        onRejected,
        onChange: id => void changed.push(id),
      });
      hosts.start();
      onTestFinished(() => hosts.stop());
      return { bus, roster, hosts, changed, rejected: () => rejected, onRejected };
    },
  };
};
