/** The bus on NATS JetStream. No other file imports the client. */
import {
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import {
  connect,
  credsAuthenticator,
  type ConnectionOptions,
  type NatsConnection,
  nkeyAuthenticator,
  createInbox,
} from '@nats-io/transport-node';
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import {
  type Bus,
  type BusState,
  type Followed,
  NoAnswer,
  NobodyThere,
  type Stored,
  type StreamSettings,
  WrongLast,
} from './bus.ts';
import { isAllowedVersion } from './broker-version.ts';
import { pinnedTo } from './pinned-certificate.ts';
import { Follow, type Reader } from './follow.ts';
import type { Login } from './membership.ts';

export interface BusOptions {
  servers: string[];
  login: Login;
  /** The only certificate that is accepted, PEM. */
  certificate: string | null;
  /** Certificates of authorities, PEM. */
  authorities: string | null;
  /** Names this connection at the broker. */
  name: string;
  inbox: string;
  now: () => number;
  onError: (message: string, error: unknown) => void;
}

/** Connects in the background, and again after every loss. */
export const openBus = (options: BusOptions): Bus => new NatsBus(options);

class NatsBus implements Bus {
  private current: BusState;
  private connection: NatsConnection | null = null;
  private stream: JetStreamClient | null = null;
  private manager: JetStreamManager | null = null;
  private readonly listeners: ((state: BusState) => void)[] = [];
  private readonly served = new Set<Served>();
  private readonly follows = new Set<Follow>();
  private isClosed = false;
  private readonly opened: Promise<void>;

  constructor(private readonly options: BusOptions) {
    this.current = {
      connection: 'connecting',
      since: options.now(),
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

  async ensureStream(settings: StreamSettings): Promise<void> {
    const { name, subjects, lastOnly, maxAgeMs, maxBytes, replicas } = settings;
    const wanted = {
      name,
      subjects,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      storage: StorageType.File,
      max_msgs_per_subject: lastOnly ? 1 : -1,
      max_age: maxAgeMs * 1_000_000,
      max_bytes: maxBytes,
      num_replicas: replicas,
      allow_direct: true,
      duplicate_window: Math.min(120_000, maxAgeMs || 120_000) * 1_000_000,
    };
    const manager = this.need(this.manager);
    const known = await manager.streams.info(name).catch(() => null);
    if (!known) await manager.streams.add(wanted);
  }

  async store(
    subject: string,
    bytes: Uint8Array,
    { id, expectLast }: { id?: string; expectLast?: number } = {},
  ): Promise<{ seq: number; isDuplicate: boolean }> {
    try {
      const { seq, duplicate } = await this.need(this.stream).publish(subject, bytes, {
        timeout: limits.fleet.storeTimeout,
        ...(id !== undefined && { msgID: id }),
        ...(expectLast !== undefined && { expect: { lastSubjectSequence: expectLast } }),
      });
      return { seq, isDuplicate: duplicate };
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === wrongLastCode) throw new WrongLast();
      throw error;
    }
  }

  async last(stream: string, subject: string): Promise<Stored | null> {
    const found = await this.need(this.manager).direct.getMessage(stream, { last_by_subj: subject });
    return found && { subject, bytes: found.data, seq: found.seq, at: found.time.getTime() };
  }

  follow(stream: string, subject: string, onMessage: (message: Stored) => void | Promise<void>): Followed {
    return this.read(stream, subject, DeliverPolicy.LastPerSubject, onMessage);
  }

  replay(stream: string, subject: string, onMessage: (message: Stored) => void | Promise<void>): Followed {
    return this.read(stream, subject, DeliverPolicy.All, onMessage);
  }

  private read(
    stream: string,
    subject: string,
    policy: DeliverPolicy,
    onMessage: (message: Stored) => void | Promise<void>,
  ): Followed {
    const open = () => openReader(this.need(this.stream), stream, subject, policy);
    const follow = new Follow(stream, open, onMessage, this.options.onError);
    this.follows.add(follow);
    if (this.stream) follow.start();
    return {
      caughtUp: follow.caughtUp,
      stop: () => {
        follow.stop();
        this.follows.delete(follow);
      },
    };
  }

  serve(
    subject: string,
    onRequest: (bytes: Uint8Array, reply: (part: Uint8Array) => void) => void,
  ): () => void {
    const served: Served = { subject, onRequest, stop: null };
    this.served.add(served);
    if (this.connection) this.subscribe(served, this.connection);
    return () => {
      served.stop?.();
      this.served.delete(served);
    };
  }

  async request(
    subject: string,
    bytes: Uint8Array,
    onPart: (part: Uint8Array) => 'more' | 'done' | Promise<'more' | 'done'>,
    timeoutMs: number,
  ): Promise<void> {
    const connection = this.need(this.connection);
    const most = connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    if (bytes.length > most)
      throw new DroverError('too_large', `The broker takes ${most} bytes at most.`, 'Send less at once.');
    const inbox = createInbox(this.options.inbox);
    const subscription = connection.subscribe(inbox);
    const timer = setTimeout(() => subscription.unsubscribe(), timeoutMs);
    try {
      connection.publish(subject, bytes, { reply: inbox });
      for await (const message of subscription) {
        if (message.headers?.code === 503) throw new NobodyThere();
        if ((await onPart(message.data)) === 'done') return;
      }
      throw new NoAnswer();
    } finally {
      clearTimeout(timer);
      subscription.unsubscribe();
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const follow of this.follows) follow.stop();
    await Promise.race([this.opened, this.connection?.close()]);
    await this.connection?.close();
  }

  private need<T>(part: T | null): T {
    if (part === null || this.current.connection !== 'connected') throw new NobodyThere();
    return part;
  }

  private set(change: Partial<BusState>): void {
    const isOther = change.connection !== undefined && change.connection !== this.current.connection;
    this.current = { ...this.current, ...change, ...(isOther && { since: this.options.now() }) };
    for (const listener of this.listeners) listener(this.current);
  }

  /** Tries until it is connected. Afterwards the client reconnects by itself. */
  private async open(): Promise<void> {
    for (let tries = 0; !this.isClosed; tries++) {
      try {
        const connection = await connect(this.settings());
        if (this.isClosed) await connection.close();
        else this.watch(connection);
        return;
      } catch (error) {
        this.set({ connection: 'unreachable', server: null, problem: (error as Error).message });
        const most = Math.min(limits.fleet.reconnectMost, limits.fleet.reconnect * 2 ** Math.min(tries, 6));
        await pause(most / 2 + (Math.random() * most) / 2);
      }
    }
  }

  private settings(): ConnectionOptions {
    const { servers, certificate, authorities, name, inbox } = this.options;
    const isTls = certificate !== null || servers.some(server => server.startsWith('tls:'));
    return {
      servers,
      name,
      inboxPrefix: inbox,
      noAsyncTraces: true,
      timeout: limits.fleet.connectTimeout,
      pingInterval: limits.fleet.ping,
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      ignoreAuthErrorAbort: true,
      reconnectDelayHandler: () =>
        limits.fleet.reconnect + Math.random() * (limits.fleet.reconnectMost - limits.fleet.reconnect) * 0.3,
      tls: isTls ? { ...(authorities !== null && { ca: authorities }), ...pinnedTo(certificate) } : null,
      ...signIn(this.options.login),
    };
  }

  private watch(connection: NatsConnection): void {
    this.connection = connection;
    void this.followStatus(connection);
    void this.onConnected(connection);
    void this.awaitClose(connection);
  }

  private async awaitClose(connection: NatsConnection): Promise<void> {
    const error = await connection.closed();
    if (!this.isClosed && this.current.connection !== 'refused')
      this.set({ connection: 'unreachable', problem: error ? error.message : 'closed' });
  }

  private async followStatus(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect')
        this.set({ connection: 'unreachable', server: null, problem: 'The connection was lost.' });
      else if (status.type === 'reconnect') await this.onConnected(connection);
      else if (status.type !== 'error') continue;
      else if (this.current.connection === 'connected')
        this.options.onError('The broker reports an error', status.error);
      else this.set({ problem: status.error.message });
    }
  }

  private async onConnected(connection: NatsConnection): Promise<void> {
    const server = connection.getServer();
    const version = connection.info?.version ?? '0';
    if (!isAllowedVersion(version, server)) {
      const problem = `nats-server ${version} has known holes and may be used over loopback, a tunnel or WireGuard only.`;
      this.connection = null;
      this.set({ connection: 'refused', server, version, problem });
      await connection.close();
      return;
    }
    this.stream = jetstream(connection, { timeout: limits.fleet.apiTimeout });
    this.manager = await jetstreamManager(connection, { checkAPI: false, timeout: limits.fleet.apiTimeout });
    for (const served of this.served) this.subscribe(served, connection);
    this.set({ connection: 'connected', server, version, problem: null });
    for (const follow of this.follows) follow.start();
  }

  private subscribe(served: Served, connection: NatsConnection): void {
    // The client subscribes anew after a reconnect.
    if (served.stop) return;
    const subscription = connection.subscribe(served.subject, {
      callback: (error, message) => {
        if (error) this.options.onError(`${served.subject} failed`, error);
        else served.onRequest(message.data, part => void message.respond(part));
      },
    });
    served.stop = () => subscription.unsubscribe();
  }
}

interface Served {
  subject: string;
  onRequest: (bytes: Uint8Array, reply: (part: Uint8Array) => void) => void;
  stop: (() => void) | null;
}

const openReader = async (
  client: JetStreamClient,
  stream: string,
  subject: string,
  policy: DeliverPolicy,
): Promise<Reader> => {
  const consumer = await client.consumers.get(stream, {
    // A list needs a newer broker than Debian has.
    filter_subjects: subject,
    deliver_policy: policy,
  });
  const { num_pending: waiting } = await consumer.info(true);
  const messages = await consumer.consume({ max_messages: limits.fleet.readAhead });
  const read = async function* () {
    for await (const { subject: of, data: bytes, seq, info } of messages)
      yield {
        // Times are whole milliseconds everywhere.
        message: { subject: of, bytes, seq, at: Math.round(info.timestampNanos / 1e6) },
        left: info.pending,
      };
  };
  return { waiting, messages: read(), stop: () => messages.stop() };
};

const signIn = (login: Login): Partial<ConnectionOptions> => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  if (login.kind === 'nkey') return { authenticator: nkeyAuthenticator(bytes(login.seed)) };
  if (login.kind === 'creds') return { authenticator: credsAuthenticator(bytes(login.text)) };
  if (login.kind === 'password') return { user: login.user, pass: login.password };
  return {};
};

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref());

/** JetStream: "wrong last sequence". */
const wrongLastCode = 10071;
