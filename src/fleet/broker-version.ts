/** Which brokers may be used where: older ones have known vulnerabilities and must not be reachable from other machines. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { platform } from '../platform/choose.ts';

/** Whether a broker of this version may be used at this address (`host:port`). */
export const isAllowedVersion = (version: string, server: string): boolean =>
  isCurrent(version) || isPrivateAddress(hostOf(server));

/** 2.11.16, 2.12.7 and 2.14.0 have the fixes. */
export const isCurrent = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  if (major !== 2) return major > 2;
  if (minor === 11) return patch >= 16;
  if (minor === 12) return patch >= 7;
  return minor >= 14;
};

/** Loopback, where a tunnel ends too, or an address that is reached through WireGuard. */
export const isPrivateAddress = (host: string): boolean => isLoopback(host) || isInWireGuard(host);

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Whether the address belongs to the network of a WireGuard interface of this machine. */
const isInWireGuard = (host: string): boolean => {
  if (isIP(host) !== 4) return false;
  return Object.entries(networkInterfaces()).some(
    ([name, addresses]) =>
      platform.network.isWireGuard(name) &&
      addresses?.some(
        ({ family, address, netmask }) => family === 'IPv4' && isInNetwork(host, address, netmask),
      ),
  );
};

const isInNetwork = (host: string, address: string, netmask: string): boolean =>
  (numberOf(host) & numberOf(netmask)) === (numberOf(address) & numberOf(netmask));

const numberOf = (address: string): number =>
  address.split('.').reduce((number, part) => (number << 8) | Number(part), 0);

/** The host of `host:port`, `[v6]:port` or a URL. */
export const hostOf = (server: string): string => {
  const bare = server.replace(/^[a-z]+:\/\//, '').replace(/^[^@]*@/, '');
  return /^\[([^\]]+)\]/.exec(bare)?.[1] ?? bare.replace(/:\d+$/, '');
};
