/**
 * Checks where a push notification goes. A browser names the address, so it is not trusted: it must be https, at a service that
 * the config names, and must not resolve to a private address, from where the daemon could reach what a browser cannot.
 */
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { DroverError } from '../../contract/error.ts';

/** Returns the parsed address; throws `refused` when it may not be used. `isTest` also permits http and private addresses. */
export const checkEndpoint = (endpoint: string, services: readonly string[], isTest: boolean): URL => {
  const url = new URL(endpoint);
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  if (!services.some(service => host === service || host.endsWith(`.${service}`)))
    throw new DroverError(
      'refused',
      `\`push.services\` in config.json does not name ${host}.`,
      'Add the host if you want notifications to be sent there.',
    );
  if (isTest) return url;
  if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '')
    throw new DroverError('refused', `The push address at ${host} is not a plain https address.`);
  if (isPrivate(host)) throw new DroverError('refused', `${host} is a private address.`);
  return url;
};

/** Resolves a host for a connection, and fails when one of its addresses is private. */
export const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, []);
    const found = addresses.find(({ address }) => isPrivate(address));
    if (found) return done(new Error(`${host} has the private address ${found.address}`), []);
    const [first] = addresses;
    if (options.all || !first) return done(null, addresses);
    return done(null, first.address, first.family);
  });
};

/** Whether an address belongs to this machine or a local network. False for a host name. */
export const isPrivate = (address: string): boolean => {
  const family = isIP(address);
  if (family === 0) return false;
  const embedded = family === 6 ? translatedAddress(address) : null;
  return embedded === null
    ? privateAddresses.check(address, family === 6 ? 'ipv6' : 'ipv4')
    : isPrivate(embedded);
};

/** The IPv4 address inside an address of a NAT64 gateway; null for any other address. */
const translatedAddress = (address: string): string | null => {
  const groups = /^\[64:ff9b::([0-9a-f]+):([0-9a-f]+)\]$/.exec(new URL(`http://[${address}]`).hostname);
  if (!groups) return null;
  const [high, low] = groups.slice(1).map(group => Number.parseInt(group, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

const privateAddresses = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Shared by carriers, and by Tailscale.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, with the metadata services of clouds.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  privateAddresses.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  // Unspecified, loopback, and IPv4 addresses in their old form.
  ['::', 96],
  ['64:ff9b::', 32],
  // Teredo and 6to4 carry an IPv4 address.
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const)
  privateAddresses.addSubnet(net, prefix, 'ipv6');
