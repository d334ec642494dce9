/** TLS to our own broker: its certificate is known, so neither names nor authorities are needed. */
import { X509Certificate } from 'node:crypto';
import type { PeerCertificate } from 'node:tls';

/** Options of `tls.connect` that accept this one certificate; none without one. */
export const pinnedTo = (certificate: string | null): object => {
  if (certificate === null) return {};
  const wanted = new X509Certificate(certificate).fingerprint256;
  return {
    ca: certificate,
    servername: 'drover',
    checkServerIdentity: (_: string, { fingerprint256 }: PeerCertificate) =>
      fingerprint256 === wanted
        ? undefined
        : new Error('The certificate of the broker is not the one that the fleet knows.'),
  };
};
