/** Where other machines reach the broker. */
import { networkInterfaces } from 'node:os';
import type { Membership } from '../membership.ts';

/** The addresses that others can use for our own broker; for another broker, those of the membership. */
export const reachableServers = ({ servers, broker }: Pick<Membership, 'servers' | 'broker'>): string[] => {
  if (!broker || !isAny(broker.listen)) return servers;
  const own = Object.values(networkInterfaces()).flatMap(addresses =>
    (addresses ?? []).flatMap(({ address, family, internal }) =>
      internal || family !== 'IPv4' ? [] : [`tls://${address}:${broker.port}`],
    ),
  );
  return own.length > 0 ? own : servers;
};

const isAny = (listen: string): boolean => listen === '0.0.0.0' || listen === '::';
