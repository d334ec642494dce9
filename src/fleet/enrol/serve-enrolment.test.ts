import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RosterEntry } from '../../contract/fleet.ts';
import { aFleet } from '../../testing/fleet.ts';
import { tempHome } from '../../testing/home.ts';
import { NoAnswer } from '../bus.ts';
import { bodyOf, readEnvelope, seal } from '../envelope.ts';
import { hashOf, proofOf } from './invitation.ts';
import { Invitations } from './invitations.ts';
import { Joined } from './requests.ts';
import { serveEnrolment } from './serve-enrolment.ts';

/** An admin. `publish` runs before an entry counts. */
const enrolling = async (
  publish: (entry: RosterEntry) => Promise<void> = async () => {},
  isCopy = () => false,
) => {
  const all = aFleet();
  const admin = all.stranger('laptop', 'admin');
  const { bus, roster, rejected, onRejected } = await all.open(admin.host, [admin.entry]);
  const invitations = new Invitations(join(tempHome().home, 'invitations.json'), Date.now);
  serveEnrolment({
    bus,
    subjects: all.subjects,
    fleet: all.fleet,
    host: admin.host,
    fleetSecret: all.fleetSecret,
    roster,
    invitations,
    enrol: async entry => {
      await publish(entry);
      return roster.take(all.sealed(entry));
    },
    isCopy,
    now: Date.now,
    onRejected,
    onError: () => {},
  });
  /** Joins with a new invitation; returns the name that it got, or why it was refused. */
  const joinAs = async (name: string, login: string | null = null) => {
    const { host, key, stored } = all.stranger(name);
    const { id, secret } = invitations.add('worker', null);
    const proof = proofOf(hashOf(secret), [id, stored.public, login, name]);
    const request = { action: 'join', admin: admin.host, invitation: id, key: stored.public, login };
    const answers: string[] = [];
    await bus.request(
      all.subjects.join,
      seal(all.fleet, 'join', host, key.secret, { ...request, name, proof }),
      part => {
        const envelope = readEnvelope(part);
        answers.push((envelope && bodyOf(Joined, envelope)?.refusal) ?? roster.get(host)?.name ?? '?');
        return 'done';
      },
      1_000,
    );
    return answers[0];
  };
  return { admin, roster, joinAs, rejected };
};

test('hosts that join at the same moment get different names', async () => {
  const pending: (() => void)[] = [];
  const { joinAs } = await enrolling(() => new Promise(resolve => void pending.push(resolve)));
  const joined = [joinAs('ci'), joinAs('ci'), joinAs('ci')];
  await expect.poll(() => pending.length).toBe(3);
  for (const resolve of pending) resolve();
  expect((await Promise.all(joined)).sort()).toEqual(['ci', 'ci-2', 'ci-3']);
});

test('no host gets the id of another as its name, or the word for this machine', async () => {
  const { admin, joinAs } = await enrolling();
  expect(await joinAs(admin.host)).toBe(`${admin.host}-2`);
  expect(await joinAs('local')).toBe('local-2');
  expect(await joinAs('laptop')).toBe('laptop-2');
});

test('no host joins with the login of another', async () => {
  const { joinAs } = await enrolling();
  expect(await joinAs('ci', 'UCI')).toBe('ci');
  expect(await joinAs('devbox', 'UCI')).toBe('wrong');
  expect(await joinAs('devbox', 'UDEVBOX')).toBe('devbox');
});

test('a copy of the admin leaves the answer to the original', async () => {
  const { joinAs, roster } = await enrolling(undefined, () => true);
  await expect(joinAs('ci')).rejects.toBeInstanceOf(NoAnswer);
  expect(roster.byName('ci')).toBeNull();
});
