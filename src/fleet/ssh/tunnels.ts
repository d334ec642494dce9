/** The SSH tunnels of this machine: to a broker on another machine, and from each host that reaches our broker only through one. */
import type { Clock } from '../../clock.ts';
import type { Env } from '../../paths.ts';
import { localAddressOf } from '../broker/broker-process.ts';
import { tunnelTo } from '../broker/remote-broker.ts';
import type { FleetStatus } from '../../contract/fleet.ts';
import type { Membership } from '../membership.ts';
import { TunnelSupervisor } from './tunnel-supervisor.ts';

export interface TunnelsDeps {
  env: Env;
  clock: Clock;
  onChange: () => void;
  /** The tunnel to the broker is up again. */
  onBroker: () => void;
}

export class Tunnels {
  private readonly kept = new Map<string, { supervisor: TunnelSupervisor; wanted: string }>();
  private toBroker: { supervisor: TunnelSupervisor; destination: string } | null = null;

  constructor(private readonly deps: TunnelsDeps) {}

  /** Opens the tunnels that the membership names, and closes all others. */
  set(membership: Pick<Membership, 'ssh' | 'broker'>): void {
    const { ssh, broker } = membership;
    this.openToBroker(membership);
    const wanted = broker ? Object.entries(ssh).filter(([, place]) => place.tunnelPort !== null) : [];
    for (const [host, { supervisor, wanted: before }] of this.kept)
      if (before !== JSON.stringify(wanted.find(([id]) => id === host)?.[1])) {
        supervisor.close();
        this.kept.delete(host);
      }
    for (const [host, place] of wanted) {
      if (this.kept.has(host) || place.tunnelPort === null || !broker) continue;
      const here = { address: localAddressOf(broker.listen), port: broker.port };
      const supervisor = new TunnelSupervisor({
        ...this.deps,
        target: place,
        tunnel: { leads: 'here', there: place.tunnelPort, here },
      });
      this.kept.set(host, { supervisor, wanted: JSON.stringify(place) });
    }
  }

  stateOf(host: string): { tunnel: 'none' | 'up' | 'down'; problem: string | null } {
    const supervisor = this.kept.get(host)?.supervisor;
    if (!supervisor) return { tunnel: 'none', problem: null };
    return {
      tunnel: supervisor.isUp ? 'up' : 'down',
      problem: supervisor.problem && `Tunnel: ${supervisor.problem}`,
    };
  }

  /** The tunnel to a broker on another machine; null where there is none. */
  brokerState(): FleetStatus['brokerHost'] {
    if (!this.toBroker) return null;
    const { supervisor, destination } = this.toBroker;
    return { destination, tunnel: supervisor.isUp ? 'up' : 'down', problem: supervisor.problem };
  }

  private openToBroker({ broker }: Pick<Membership, 'broker'>): void {
    const tunnel = tunnelTo({ broker });
    // Where the broker runs stays the same as long as the fleet is open.
    if (!broker?.on || !tunnel || this.toBroker) return;
    const { env, clock, onChange, onBroker } = this.deps;
    const supervisor = new TunnelSupervisor({
      env,
      clock,
      target: broker.on,
      tunnel,
      onChange: () => {
        if (supervisor.isUp) onBroker();
        onChange();
      },
    });
    this.toBroker = { supervisor, destination: broker.on.destination };
  }

  close(): void {
    this.toBroker?.supervisor.close();
    for (const { supervisor } of this.kept.values()) supervisor.close();
    this.kept.clear();
  }
}
