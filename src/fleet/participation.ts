/**
 * The part that this host takes in the fleet while the broker is connected: it publishes, executes calls of other hosts and, as a
 * seat, watches them. A revoked host ends it for good.
 */
import type { Bus, Followed } from './bus.ts';
import type { Hosts } from './hosts.ts';
import type { Membership } from './membership.ts';
import type { Publishing } from './publish/publishing.ts';
import type { RosterPublisher } from './publish/roster-publisher.ts';
import { retry } from './retry.ts';
import type { Member, Roster } from './roster.ts';
import { streamsOf } from './streams.ts';
import type { Subjects } from './subjects.ts';

export interface ParticipationDeps {
  membership: Membership;
  bus: Bus;
  subjects: Subjects;
  roster: Roster;
  /** Reads the roster of the broker. */
  followRoster: Pick<Followed, 'caughtUp'>;
  hosts: Hosts;
  publishing: Publishing;
  rosterPublisher: RosterPublisher;
  /** Starts to execute calls of other hosts; returns a function that stops it. */
  serveCommands: () => () => void;
  onChange: () => void;
  onError: (message: string, error: unknown) => void;
}

export class Participation {
  private stopServing: (() => void) | null = null;
  private isConnected = false;
  private isClosed = false;

  constructor(private readonly deps: ParticipationDeps) {}

  start(): void {
    if (this.isRevoked()) this.endRevoked();
    this.deps.bus.onState(({ connection }) => this.onConnection(connection === 'connected'));
  }

  /** Called when an entry of the roster has changed. */
  onMember({ host, isRevoked }: Member): void {
    if (host === this.deps.membership.host.id && isRevoked) this.endRevoked();
  }

  stopCommands(): void {
    this.stopServing?.();
    this.stopServing = null;
  }

  close(): void {
    this.isClosed = true;
    this.stopCommands();
  }

  private onConnection(isConnected: boolean): void {
    const { bus, publishing, onError, onChange } = this.deps;
    const wasConnected = this.isConnected;
    this.isConnected = isConnected;
    if (isConnected && !wasConnected)
      void retry(
        () => this.takePart(),
        () => !this.isClosed && bus.state.connection === 'connected',
        error => onError('The fleet could not be joined', error),
      );
    if (!isConnected && wasConnected) publishing.stop();
    onChange();
  }

  private async takePart(): Promise<void> {
    const { membership, bus, subjects, followRoster, hosts, publishing, rosterPublisher } = this.deps;
    if (membership.fleetSecret !== null || membership.broker) {
      for (const stream of streamsOf(subjects, membership.replicas)) await bus.ensureStream(stream);
      await rosterPublisher.restore();
    }
    await followRoster.caughtUp;
    if (this.isClosed || this.isRevoked()) return;
    if (membership.role !== 'worker') hosts.start();
    // Execute nothing until it is known that this home is not a copy.
    const isPublishing = await publishing.start();
    if (!isPublishing || this.isClosed || publishing.problem !== null) return;
    this.stopServing ??= this.deps.serveCommands();
  }

  private isRevoked(): boolean {
    return this.deps.roster.isRevoked(this.deps.membership.host.id);
  }

  /** A revoked host stops taking part and leaves the broker for good. */
  private endRevoked(): void {
    this.deps.publishing.stopPublishing(removed);
    this.stopCommands();
    this.deps.bus.giveUp(removed);
  }
}

const removed =
  'This host was removed from the fleet. Run `drover fleet leave`, then `drover fleet join` with a new token.';
