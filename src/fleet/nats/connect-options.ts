/** How to connect to a broker: addresses, TLS, sign-in, and when to try again. */
import { type ConnectionOptions, credsAuthenticator, nkeyAuthenticator } from '@nats-io/transport-node';
import { checkIdentityOf } from '../broker-identity.ts';
import { limits } from '../../limits.ts';
import type { Login } from '../membership.ts';
import { pinnedTo } from '../pinned-certificate.ts';

export interface BrokerAddress {
  servers: string[];
  login: Login;
  /** The only certificate that is accepted, PEM. */
  certificate: string | null;
  /** Certificates of authorities, PEM. */
  authorities: string | null;
  /** Names this connection at the broker. */
  name: string;
  inbox: string;
}

/** `delay`: how long to wait before the next attempt, ms. */
export const connectOptions = (address: BrokerAddress, delay: () => number): ConnectionOptions => {
  const { servers, certificate, authorities, name, inbox, login } = address;
  const isTls =
    certificate !== null || authorities !== null || servers.some(server => server.startsWith('tls:'));
  // Its type does not list this option, which it passes on to Node.
  const identity: object = { checkServerIdentity: checkIdentityOf(servers) };
  return {
    servers,
    name,
    inboxPrefix: inbox,
    noAsyncTraces: true,
    timeout: limits.fleet.connectTimeout,
    pingInterval: limits.fleet.ping,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: delay,
    // Without this, TLS is used where the broker asks for it.
    ...(isTls && {
      tls: {
        ...(authorities !== null && { ca: authorities }),
        ...identity,
        ...pinnedTo(certificate),
      },
    }),
    ...signIn(login),
  };
};

const signIn = (login: Login): Partial<ConnectionOptions> => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  if (login.kind === 'nkey') return { authenticator: nkeyAuthenticator(bytes(login.seed)) };
  if (login.kind === 'creds') return { authenticator: credsAuthenticator(bytes(login.text)) };
  if (login.kind === 'password') return { user: login.user, pass: login.password };
  return {};
};
