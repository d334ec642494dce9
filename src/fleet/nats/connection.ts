/** The connection to the broker: opened in the background, reopened after every loss, refused when the broker has known vulnerabilities. */
import { jetstream, type JetStreamClient, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { limits } from '../../limits.ts';
import { isAllowedVersion } from '../broker-version.ts';
import { type BusState, NoReceiver } from '../bus.ts';
import { pause } from '../retry.ts';
import { type BrokerAddress, connectOptions } from './connect-options.ts';

/** What a connection to an accepted broker offers. It stays usable across reconnects. */
export interface Broker {
  connection: NatsConnection;
  streams: JetStreamClient;
  manager: JetStreamManager;
}

export interface ConnectionDeps extends BrokerAddress {
  now: () => number;
  onError: (message: string, error: unknown) => void;
  /** It is connected, for the first time or again. */
  onConnected: (broker: Broker) => void;
}

export class Connection {
  /** Null until the first connection. */
  broker: Broker | null = null;
  private current: BusState;
  private client: NatsConnection | null = null;
  private readonly listeners: ((state: BusState) => void)[] = [];
  private isClosed = false;
  /** How often in a row the broker has not accepted the login. */
  private refusals = 0;
  private readonly opened: Promise<void>;

  constructor(private readonly deps: ConnectionDeps) {
    this.current = {
      connection: 'connecting',
      since: deps.now(),
      server: null,
      version: null,
      problem: null,
    };
    this.opened = this.open();
  }

  get state(): BusState {
    return this.current;
  }

  onState(listener: (state: BusState) => void): void {
    this.listeners.push(listener);
  }

  /** The broker; throws `NoReceiver` while it is not connected. */
  connected(): Broker {
    if (!this.broker || this.current.connection !== 'connected') throw new NoReceiver();
    return this.broker;
  }

  /** Closes the connection for good. */
  giveUp(problem: string): void {
    this.set({ connection: 'refused', server: null, problem });
    this.isClosed = true;
    void this.client?.close();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.race([this.opened, this.client?.close()]);
    await this.client?.close();
  }

  private set(change: Partial<BusState>): void {
    if (this.isClosed) return;
    const isOther = change.connection !== undefined && change.connection !== this.current.connection;
    this.current = { ...this.current, ...change, ...(isOther && { since: this.deps.now() }) };
    for (const listener of this.listeners) listener(this.current);
  }

  /** Tries until it is connected. Afterwards the client reconnects by itself. */
  private async open(): Promise<void> {
    // The caller may close the connection right after it has opened it.
    await Promise.resolve();
    for (let tries = 0; !this.isClosed; tries++) {
      try {
        const client = await connect(connectOptions(this.deps, () => this.delay(1)));
        if (this.isClosed) await client.close();
        else this.watch(client);
        return;
      } catch (error) {
        if (isLoginRefused(error)) this.onLoginRefused();
        else
          this.set({
            connection: 'unreachable',
            server: null,
            problem: (error as Error).message,
            fault: isUntrusted(error) ? 'certificate' : null,
          });
        await pause(this.delay(tries));
      }
    }
  }

  /** How long to wait before the next attempt. A broker that refuses the login writes a line into its log for each. */
  private delay(tries: number): number {
    const { reconnect, maxReconnect, maxRefusedReconnect } = limits.fleet;
    const delay =
      this.refusals > 0
        ? Math.min(maxRefusedReconnect, reconnect * 2 ** Math.min(this.refusals, 16))
        : Math.min(maxReconnect, reconnect * 2 ** Math.min(tries, 6));
    return delay / 2 + (Math.random() * delay) / 2;
  }

  /** A login that was just made may be refused for a moment. */
  private onLoginRefused(): void {
    this.refusals++;
    const connection = this.refusals < limits.fleet.refusedAfter ? 'unreachable' : 'refused';
    const why = ' It was revoked, or its login has changed. Drover tries again every few minutes.';
    const problem = `The broker does not accept the login of this host.${connection === 'refused' ? why : ''}`;
    this.set({ connection, server: null, problem, fault: 'login' });
  }

  private watch(client: NatsConnection): void {
    this.client = client;
    void this.followStatus(client);
    void this.accept(client);
    void this.awaitClose(client);
  }

  private async awaitClose(client: NatsConnection): Promise<void> {
    const error = await client.closed();
    if (!this.isClosed && this.current.connection !== 'refused')
      this.set({ connection: 'unreachable', problem: error ? error.message : 'closed' });
  }

  private async followStatus(client: NatsConnection): Promise<void> {
    for await (const status of client.status()) {
      if (status.type === 'disconnect') this.onDisconnected();
      else if (status.type === 'reconnect') await this.accept(client);
      else if (status.type !== 'error') continue;
      else if (isLoginRefused(status.error)) this.onLoginRefused();
      else if (this.current.connection === 'connected')
        this.deps.onError('The broker reports an error', status.error);
      else this.set({ problem: status.error.message });
    }
  }

  private onDisconnected(): void {
    if (this.refusals === 0)
      this.set({ connection: 'unreachable', server: null, problem: 'The connection was lost.' });
  }

  /** Accepts the broker, or refuses it: after a reconnect it may be another one. */
  private async accept(client: NatsConnection): Promise<void> {
    const server = client.getServer();
    const version = client.info?.version ?? '0';
    if (!isAllowedVersion(version, server)) {
      const problem = `nats-server ${version} has known vulnerabilities and is allowed over loopback, a tunnel or WireGuard only.`;
      this.broker = null;
      this.client = null;
      this.set({ connection: 'refused', server, version, problem });
      await client.close();
      return;
    }
    const timeout = limits.fleet.apiTimeout;
    const broker: Broker = {
      connection: client,
      streams: jetstream(client, { timeout }),
      manager: await jetstreamManager(client, { checkAPI: false, timeout }),
    };
    this.broker = broker;
    this.refusals = 0;
    this.set({ connection: 'connected', server, version, problem: null, fault: null });
    this.deps.onConnected(broker);
  }
}

const isLoginRefused = (error: unknown): boolean =>
  error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;

/** Whether the certificate of the broker is not trusted, by the codes of TLS. */
const isUntrusted = (error: unknown): boolean => untrusted.has((error as { code?: string }).code ?? '');

const untrusted = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_HAS_EXPIRED',
  'CERT_UNTRUSTED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);
