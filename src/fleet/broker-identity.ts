/** Checks that a certificate belongs to a broker of others, which may be given by its address instead of a name. */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { isLoopback } from './broker-version.ts';

/** For a broker that is given by its address, the client names no host, and Node would check for `localhost` only. */
export const checkIdentityOf = (servers: string[]) => {
  const hosts = servers.map(server => new URL(server).hostname.replace(/^\[|\]$/g, ''));
  const addresses = hosts.filter(host => isIP(host) > 0);
  const isLocal = hosts.includes('localhost') || addresses.some(isLoopback);
  return (host: string, certificate: PeerCertificate): Error | undefined => {
    const tried =
      host === 'localhost' && addresses.length > 0 ? [...addresses, ...(isLocal ? [host] : [])] : [host];
    const problems = tried.map(one => checkServerIdentity(one, certificate));
    return problems.includes(undefined) ? undefined : problems[0];
  };
};
