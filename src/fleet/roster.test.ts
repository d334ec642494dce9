import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aFleet } from '../testing/fleet.ts';
import { seal } from './envelope.ts';
import { Roster } from './roster.ts';

const fileIn = () => join(mkdtempSync(join(tmpdir(), 'ro-')), 'roster.json');

test('an entry counts if the fleet signed it, and the highest revision counts', async () => {
  const { fleet, fleetKey, sealed, stranger } = aFleet();
  const box = stranger('devbox');
  const roster = await Roster.open(fleet, fleetKey, fileIn());
  expect(await roster.take(seal(fleet, 'roster', 'fleet', box.key.secret, box.entry))).toBe(false);
  expect(await roster.take(sealed(box.entry))).toBe(true);
  expect(roster.byName('devbox')?.host).toBe(box.host);
  expect(await roster.take(sealed({ ...box.entry, revision: 2, isRevoked: true }))).toBe(true);
  expect(roster.get(box.host)).toBeNull();
  expect(await roster.take(sealed({ ...box.entry, revision: 1 }))).toBe(false);
  expect(roster.all()).toHaveLength(1);
});

test('an entry with the key of another host is refused', async () => {
  const { fleet, fleetKey, sealed, stranger } = aFleet();
  const [box, thief] = [stranger('devbox'), stranger('thief')];
  const roster = await Roster.open(fleet, fleetKey, fileIn());
  expect(await roster.take(sealed({ ...box.entry, key: thief.entry.key }))).toBe(false);
});

test('a broker that rolls back cannot bring a revoked host back, not even after a restart', async () => {
  const { fleet, fleetKey, sealed, stranger } = aFleet();
  const box = stranger('devbox');
  const file = fileIn();
  const roster = await Roster.open(fleet, fleetKey, file);
  await roster.take(sealed({ ...box.entry, revision: 2, isRevoked: true }));
  const again = await Roster.open(fleet, fleetKey, file);
  expect(again.all()).toMatchObject([{ isRevoked: true }]);
  expect(await again.take(sealed(box.entry))).toBe(false);
});

test('a damaged or forged roster file is rejected', async () => {
  const { fleet, fleetKey, sealed, stranger } = aFleet();
  const box = stranger('devbox');
  const file = fileIn();
  const roster = await Roster.open(fleet, fleetKey, file);
  await roster.take(sealed(box.entry));
  const other = aFleet();
  writeFileSync(file, JSON.stringify({ entries: [other.sealed(box.entry).toString('base64'), 7, 'x'] }));
  expect((await Roster.open(fleet, fleetKey, file)).all()).toEqual([]);
  writeFileSync(file, readFileSync(file, 'utf8').slice(3));
  expect((await Roster.open(fleet, fleetKey, file)).all()).toEqual([]);
});
