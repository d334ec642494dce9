/** Recognises the broker that listens on a port of this machine by its certificate. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { limits } from '../../limits.ts';

/** The fingerprint of the certificate on this port of loopback; null if no broker with TLS listens there. */
export const readFingerprint = async (port: number): Promise<string | null> => {
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

/** The fingerprint of a certificate in PEM. */
export const fingerprintOf = (certificate: string): string => new X509Certificate(certificate).fingerprint256;

/** nats-server sends a greeting before TLS begins. */
const handshake = async (socket: Socket): Promise<string | null> => {
  const [first] = (await once(socket, 'data')) as [Buffer];
  if (!first.toString('latin1').startsWith('INFO ')) return null;
  // Nothing is sent through it, so it need not be trusted.
  const secure = connectTls({ socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  const { fingerprint256 } = secure.getPeerCertificate();
  secure.destroy();
  return fingerprint256;
};
