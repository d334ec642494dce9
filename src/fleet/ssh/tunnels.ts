/** The SSH tunnels of this machine: one for each host that reaches our broker only through one. */
import type { Env } from '../../paths.ts';
import { ownAddress } from '../broker/broker-process.ts';
import type { Membership } from '../membership.ts';
import { TunnelKeeper } from './tunnel.ts';

export interface TunnelsDeps {
  env: Env;
  onChange: () => void;
}

export class Tunnels {
  private readonly kept = new Map<string, { keeper: TunnelKeeper; wanted: string }>();

  constructor(private readonly deps: TunnelsDeps) {}

  /** Opens the tunnels that the membership names, and closes all others. */
  set({ ssh, broker }: Pick<Membership, 'ssh' | 'broker'>): void {
    const wanted = broker ? Object.entries(ssh).filter(([, place]) => place.tunnelPort !== null) : [];
    for (const [host, { keeper, wanted: before }] of this.kept)
      if (before !== JSON.stringify(wanted.find(([id]) => id === host)?.[1])) {
        keeper.close();
        this.kept.delete(host);
      }
    for (const [host, place] of wanted) {
      if (this.kept.has(host) || place.tunnelPort === null || !broker) continue;
      const here = { address: ownAddress(broker.listen), port: broker.port };
      const keeper = new TunnelKeeper({
        ...this.deps,
        target: place,
        tunnel: { there: place.tunnelPort, here },
      });
      this.kept.set(host, { keeper, wanted: JSON.stringify(place) });
    }
  }

  stateOf(host: string): { tunnel: 'none' | 'up' | 'down'; problem: string | null } {
    const keeper = this.kept.get(host)?.keeper;
    if (!keeper) return { tunnel: 'none', problem: null };
    return { tunnel: keeper.isUp ? 'up' : 'down', problem: keeper.problem && `Tunnel: ${keeper.problem}` };
  }

  close(): void {
    for (const { keeper } of this.kept.values()) keeper.close();
    this.kept.clear();
  }
}
