import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '../../limits.ts';
import { tempHome } from '../../testing/home.ts';
import { hashOf, type InvitationText, proofOf, readInvitation, writeInvitation } from './invitation.ts';
import { Invitations } from './invitations.ts';
import { asName, uniqueName } from './host-name.ts';

const opened = () => {
  let time = 1_000_000;
  const file = join(tempHome().home, 'invitations.json');
  const open = () => new Invitations(file, () => time);
  return { file, open, later: (ms: number) => (time += ms) };
};

const requestFor = (id: string, secret: string, name = 'devbox', key = 'key') => ({
  action: 'join' as const,
  admin: 'a'.repeat(16),
  invitation: id,
  key,
  login: null,
  name,
  proof: proofOf(hashOf(secret), [id, key, null, name]),
});

test('an invitation can be used once, even after a restart', () => {
  const { open } = opened();
  const { id, secret } = open().add('worker', null);
  expect(open().use(requestFor(id, secret))).toMatchObject({ id, role: 'worker' });
  expect(open().use(requestFor(id, secret))).toBe('used');
});

test('one that enrolled nobody is used again', () => {
  const { open } = opened();
  const { id, secret } = open().add('worker', null);
  const invitations = open();
  expect(invitations.use(requestFor(id, secret))).toMatchObject({ id });
  invitations.release(id);
  expect(open().use(requestFor(id, secret))).toMatchObject({ id });
  expect(open().use(requestFor(id, secret))).toBe('used');
});

test('an invitation cannot be used late, without its secret, or for another key or name', () => {
  const { open, later } = opened();
  const invitations = open();
  const { id, secret } = invitations.add('seat', null);
  const request = requestFor(id, secret);
  expect(invitations.use({ ...request, invitation: 'other' })).toBe('unknown');
  expect(invitations.use(requestFor(id, 'guess'))).toBe('wrong');
  expect(invitations.use({ ...request, key: 'another' })).toBe('wrong');
  expect(invitations.use({ ...request, name: 'another' })).toBe('wrong');
  expect(invitations.use({ ...request, proof: '' })).toBe('wrong');
  later(limits.fleet.invitation);
  expect(invitations.use(request)).toBe('expired');
});

test('the file of invitations contains no secret, and only its user can read it', () => {
  const { file, open } = opened();
  const { secret } = open().add('worker', 'devbox');
  expect(readFileSync(file, 'utf8')).not.toContain(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a token can be read however a terminal has wrapped it', () => {
  const invitation: InvitationText = {
    fleet: 'a'.repeat(16),
    fleetKey: 'key',
    admin: { id: 'b'.repeat(16), name: 'laptop' },
    servers: ['tls://127.0.0.1:4222'],
    certificate: 'certificate',
    authorities: null,
    replicas: 1,
    login: { kind: 'nkey', seed: 'SU' },
    id: 'id',
    secret: 's'.repeat(43),
    role: 'worker',
    rights: ['read'],
    name: null,
  };
  const token = writeInvitation(invitation);
  expect(readInvitation(`${token.slice(0, 80)}\n  ${token.slice(80)}\n`)).toEqual(invitation);
  for (const wrong of ['', 'x', token.slice(0, -9), token.replace('drover-fleet-1.', 'drover-fleet-2.')])
    expect(() => readInvitation(wrong)).toThrow(/not a complete token|newer drover/);
});

test.each([
  ['devbox', 'devbox'],
  ['Me & Co/box!', 'Me-Co-box-'],
  ['-_x', 'x'],
  ['ü', 'host'],
  ['', 'host'],
])('%s is called %s', (given, name) => {
  expect(asName(given)).toBe(name);
});

test('a name that is taken gets the next free number', () => {
  expect(uniqueName('devbox', new Set())).toBe('devbox');
  expect(uniqueName('devbox', new Set(['devbox', 'devbox-2']))).toBe('devbox-3');
});
