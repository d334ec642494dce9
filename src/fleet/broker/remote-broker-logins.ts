/** Keeps the logins of a broker on another machine equal to the members of the roster, over SSH. */
import type { RosterEntry } from '../../contract/fleet.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Env, Paths } from '../../paths.ts';
import type { BrokerHost, Membership } from '../membership.ts';
import type { Fleet } from '../open-fleet.ts';
import { brokerRequestOf, configureRemoteBroker } from './remote-broker.ts';

export interface RemoteBrokerLoginsDeps {
  paths: Paths;
  env: Env;
  fleet: { roster: Pick<Fleet['roster'], 'all' | 'onChange'> };
  membership: Membership;
  on: BrokerHost;
  /** False in a copy of another DROVER_HOME, whose roster may be old. It sends logins only after a change that was made here. */
  isAtHome: boolean;
  /** `problem` has changed. */
  onChange: () => void;
  /** Sends the settings: for tests. */
  send?: typeof configureRemoteBroker;
}

export class RemoteBrokerLogins {
  /** Why the logins there differ from the roster; null while they are equal. */
  problem: string | null = null;
  /** The settings that were sent last. */
  private sent: string | null = null;
  private readonly joining = new Set<RosterEntry>();
  private last: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private failures = 0;
  private isClosed = false;

  constructor(private readonly deps: RemoteBrokerLoginsDeps) {
    // A removed host must learn of its removal before the broker ends its connection.
    deps.fleet.roster.onChange(({ isRevoked }) => this.schedule(isRevoked ? limits.fleet.broker.removed : 0));
  }

  /** The machine of the broker can be reached again. */
  onReachable(): void {
    if (this.deps.isAtHome || this.problem !== null) this.schedule(0);
  }

  /** Adds the login of a new member there, then enrols it. If either fails, nothing has changed. */
  async admit(entry: RosterEntry, enrol: () => Promise<boolean>): Promise<boolean> {
    // A revocation counts by the roster, even while the broker cannot be reached.
    if (entry.isRevoked) return enrol();
    this.joining.add(entry);
    try {
      await this.send();
      return await enrol();
    } catch (error) {
      this.schedule(limits.fleet.tunnelRetry);
      throw error;
    } finally {
      this.joining.delete(entry);
    }
  }

  close(): void {
    this.isClosed = true;
    if (this.timer) clearTimeout(this.timer);
  }

  private schedule(ms: number): void {
    if (this.isClosed) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.sendUntilStored(), ms).unref();
  }

  /** Sends the logins, and retries until that works. */
  private async sendUntilStored(): Promise<void> {
    try {
      await this.send();
    } catch {
      const { tunnelRetry, maxTunnelRetry } = limits.fleet;
      const delay = Math.min(maxTunnelRetry, tunnelRetry * 2 ** Math.min(this.failures, 10));
      this.schedule(delay / 2 + (Math.random() * delay) / 2);
    }
  }

  /** One at a time: a later one is more complete. */
  private send(): Promise<void> {
    const done = this.last.catch(() => {}).then(() => this.sendNow());
    this.last = done;
    return done;
  }

  private async sendNow(): Promise<void> {
    const { paths, env, fleet, membership, on, onChange, send = configureRemoteBroker } = this.deps;
    if (this.isClosed) throw new DroverError('fleet_down');
    try {
      const members = [...fleet.roster.all(), ...this.joining];
      const request = brokerRequestOf(paths, membership, unique(members), 'update');
      const text = JSON.stringify(request);
      if (text === this.sent) return;
      await send(on, request, { env, isUnattended: true });
      this.sent = text;
      this.failures = 0;
      this.problem = null;
    } catch (error) {
      // It may have arrived anyway.
      this.sent = null;
      this.failures++;
      this.problem = `The logins of the broker on ${on.destination} could not be changed: ${(error as Error).message}`;
      throw new DroverError('fleet_down', this.problem, (error as DroverError).hint);
    } finally {
      onChange();
    }
  }
}

/** Each host once: a joining host may be in the roster by now. */
const unique = (members: RosterEntry[]): RosterEntry[] => [
  ...new Map(members.map(member => [member.host, member])).values(),
];
