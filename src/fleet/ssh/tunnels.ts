/** The SSH tunnels of this machine: to a broker on another machine, and from each host that reaches our broker only through one. */
import type { Env } from '../../paths.ts';
import { ownAddress } from '../broker/broker-process.ts';
import { tunnelTo } from '../broker/remote-broker.ts';
import type { FleetStatus } from '../../contract/fleet.ts';
import type { Membership } from '../membership.ts';
import { TunnelKeeper } from './tunnel.ts';

export interface TunnelsDeps {
  env: Env;
  onChange: () => void;
  /** The tunnel to the broker is up again. */
  onBroker: () => void;
}

export class Tunnels {
  private readonly kept = new Map<string, { keeper: TunnelKeeper; wanted: string }>();
  private toBroker: { keeper: TunnelKeeper; destination: string } | null = null;

  constructor(private readonly deps: TunnelsDeps) {}

  /** Opens the tunnels that the membership names, and closes all others. */
  set(membership: Pick<Membership, 'ssh' | 'broker'>): void {
    const { ssh, broker } = membership;
    this.openToBroker(membership);
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
        tunnel: { leads: 'here', there: place.tunnelPort, here },
      });
      this.kept.set(host, { keeper, wanted: JSON.stringify(place) });
    }
  }

  stateOf(host: string): { tunnel: 'none' | 'up' | 'down'; problem: string | null } {
    const keeper = this.kept.get(host)?.keeper;
    if (!keeper) return { tunnel: 'none', problem: null };
    return { tunnel: keeper.isUp ? 'up' : 'down', problem: keeper.problem && `Tunnel: ${keeper.problem}` };
  }

  /** The tunnel to a broker on another machine; null where there is none. */
  brokerState(): FleetStatus['brokerHost'] {
    if (!this.toBroker) return null;
    const { keeper, destination } = this.toBroker;
    return { destination, tunnel: keeper.isUp ? 'up' : 'down', problem: keeper.problem };
  }

  private openToBroker({ broker }: Pick<Membership, 'broker'>): void {
    const tunnel = tunnelTo({ broker });
    // Where the broker runs stays the same as long as the fleet is open.
    if (!broker?.on || !tunnel || this.toBroker) return;
    const { env, onChange, onBroker } = this.deps;
    const keeper = new TunnelKeeper({
      env,
      target: broker.on,
      tunnel,
      onChange: () => {
        if (keeper.isUp) onBroker();
        onChange();
      },
    });
    this.toBroker = { keeper, destination: broker.on.destination };
  }

  close(): void {
    this.toBroker?.keeper.close();
    for (const { keeper } of this.kept.values()) keeper.close();
    this.kept.clear();
  }
}
