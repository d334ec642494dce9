import { expect, test } from 'vitest';
import type { PeerCertificate } from 'node:tls';
import { checkIdentityOf } from './broker-identity.ts';

const certificateFor = (subjectaltname: string) =>
  ({ subject: { CN: 'broker' }, subjectaltname }) as unknown as PeerCertificate;

test('the certificate of a broker that is given by its address must name that address', () => {
  const check = checkIdentityOf(['tls://10.0.0.5:4222', 'tls://[fd00::5]:4222']);
  expect(check('localhost', certificateFor('IP Address:10.0.0.5'))).toBeUndefined();
  expect(check('localhost', certificateFor('IP Address:fd00::5'))).toBeUndefined();
  expect(check('localhost', certificateFor('IP Address:10.0.0.6'))?.message).toContain('10.0.0.5');
  expect(check('localhost', certificateFor('DNS:localhost'))).toBeInstanceOf(Error);
});

test('a name is checked as such, and loopback may be called localhost', () => {
  const named = checkIdentityOf(['tls://nats.example:4222', 'tls://10.0.0.5:4222']);
  expect(named('nats.example', certificateFor('DNS:nats.example'))).toBeUndefined();
  expect(named('nats.example', certificateFor('IP Address:10.0.0.5'))).toBeInstanceOf(Error);
  const local = checkIdentityOf(['tls://127.0.0.1:4222']);
  expect(local('localhost', certificateFor('DNS:localhost'))).toBeUndefined();
  expect(
    checkIdentityOf(['tls://localhost:4222'])('localhost', certificateFor('DNS:localhost')),
  ).toBeUndefined();
});
