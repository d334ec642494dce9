/** A nats-server with accounts of an operator, as `nsc` sets them up: users sign in with credentials files, over TLS with a certificate of an authority. */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

const utf8 = (text: string) => new TextEncoder().encode(text);
const part = (value: object | Uint8Array): string =>
  Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString('base64url');

/** A JWT of NATS about a key, signed by another. */
const claim = (issuer: KeyPair, subject: KeyPair, type: string, nats: object): string => {
  const [sub, iss, iat] = [subject.getPublicKey(), issuer.getPublicKey(), Math.floor(Date.now() / 1_000)];
  const body = { jti: `${sub}${iat}`, iat, iss, name: type, sub, nats: { ...nats, type, version: 2 } };
  const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(body)}`;
  return `${text}.${part(issuer.sign(utf8(text)))}`;
};

/** The text of a credentials file. */
const credentials = (jwt: string, user: KeyPair): string => `-----BEGIN NATS USER JWT-----
${jwt}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${new TextDecoder().decode(user.getSeed())}
------END USER NKEY SEED------
`;

/** Accounts with JetStream of one operator: settings for nats-server, and credentials of one user that it knows and one that it does not. */
export const operatorAccounts = () => {
  const operator = nkeys.createOperator();
  const [system, account, stranger] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createAccount()];
  const unlimited = (names: string[]) => Object.fromEntries(names.map(name => [name, -1]));
  const basic = unlimited(['subs', 'data', 'payload', 'imports', 'exports', 'conn', 'leaf']);
  const stored = unlimited(['mem_storage', 'disk_storage', 'streams', 'consumer']);
  const accountOf = (key: KeyPair, limits: object) =>
    `${key.getPublicKey()}: ${claim(operator, key, 'account', { limits: { ...limits, wildcards: true } })}`;
  const userOf = (issuer: KeyPair): string => {
    const user = nkeys.createUser();
    const all = { pub: {}, sub: {}, ...unlimited(['subs', 'data', 'payload']) };
    return credentials(claim(issuer, user, 'user', all), user);
  };
  return {
    // JetStream needs an account of the system.
    config: `operator: ${claim(operator, operator, 'operator', {})}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload: {
  ${accountOf(system, basic)}
  ${accountOf(account, { ...basic, ...stored })}
}`,
    known: userOf(account),
    unknown: userOf(stranger),
  };
};

/** An authority and a certificate that it has issued for 127.0.0.1, as files of the folder. */
export const authorityIn = async (folder: string) => {
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe', cwd: folder });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '1',
    '-subj',
    '/CN=authority',
  );
  openssl('req', ...key, '-keyout', 'broker.key', '-out', 'broker.csr', '-subj', '/CN=broker');
  await writeFile(file('names'), 'subjectAltName=IP:127.0.0.1\n');
  const issue = ['-in', 'broker.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  openssl('x509', '-req', ...issue, '-out', 'broker.pem', '-days', '1', '-extfile', 'names');
  return { authority: file('ca.pem'), certificate: file('broker.pem'), key: file('broker.key') };
};

/** Why no certificate can be issued here; undefined where it can. With CI set it is tried, and fails. */
export const noAuthority = ((): string | undefined => {
  if (process.env.CI) return undefined;
  try {
    execFileSync('openssl', ['version'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'openssl is not installed';
  }
})();
