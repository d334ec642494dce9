/** Which broker listens on a port of this machine: the certificate that it shows. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { limits } from '../../limits.ts';

/** The fingerprint of the certificate of what listens on this port of loopback; null where that is no broker with TLS. */
export const shownCertificate = async (port: number): Promise<string | null> => {
  const socket = connect(port, '127.0.0.1');
  const timer = setTimeout(() => socket.destroy(new Error('no answer')), limits.fleet.broker.probe);
  try {
    return await handshake(socket);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
};

/** As `shownCertificate` says it. */
export const fingerprintOf = (certificate: string): string => new X509Certificate(certificate).fingerprint256;

/** A nats-server says who it is before TLS begins. */
const handshake = async (socket: Socket): Promise<string | null> => {
  const [first] = (await once(socket, 'data')) as [Buffer];
  if (!first.toString('latin1').startsWith('INFO ')) return null;
  // Nothing is sent to it, so that it need not be trusted.
  const secure = connectTls({ socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  const { fingerprint256 } = secure.getPeerCertificate();
  secure.destroy();
  return fingerprint256;
};
