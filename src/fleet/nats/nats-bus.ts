/** The bus on NATS JetStream. No file outside this folder knows the client. */
import { DeliverPolicy, JetStreamApiError } from '@nats-io/jetstream';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import {
  type Bus,
  type BusState,
  type Followed,
  NoAnswer,
  NoReceiver,
  type Stored,
  type StreamSettings,
  WrongLastSequence,
} from '../bus.ts';
import { StreamFollower } from '../stream-follower.ts';
import type { BrokerAddress } from './connect-options.ts';
import { type Broker, Connection } from './connection.ts';
import { openReader, streamConfig } from './streams.ts';

export interface BusOptions extends BrokerAddress {
  now: () => number;
  onError: (message: string, error: unknown) => void;
}

/** Connects in the background, and again after every loss. */
export const openBus = (options: BusOptions): Bus => new NatsBus(options);

class NatsBus implements Bus {
  private readonly connection: Connection;
  private readonly served = new Set<Served>();
  private readonly follows = new Set<StreamFollower>();

  constructor(private readonly options: BusOptions) {
    this.connection = new Connection({
      ...options,
      onConnected: ({ connection }) => {
        for (const served of this.served) this.subscribe(served, connection);
        for (const follow of this.follows) follow.start();
      },
    });
  }

  get state(): BusState {
    return this.connection.state;
  }

  onState(listener: (state: BusState) => void): void {
    this.connection.onState(listener);
  }

  async ensureStream(settings: StreamSettings): Promise<void> {
    const { streams } = this.broker().manager;
    const known = await streams.info(settings.name).catch(() => null);
    if (!known) await streams.add(streamConfig(settings));
  }

  async store(
    subject: string,
    bytes: Uint8Array,
    { id, expectLast }: { id?: string; expectLast?: number } = {},
  ): Promise<{ seq: number; isDuplicate: boolean }> {
    try {
      const { seq, duplicate } = await this.broker().streams.publish(subject, bytes, {
        timeout: limits.fleet.storeTimeout,
        ...(id !== undefined && { msgID: id }),
        ...(expectLast !== undefined && { expect: { lastSubjectSequence: expectLast } }),
      });
      return { seq, isDuplicate: duplicate };
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === wrongLastCode) throw new WrongLastSequence();
      throw error;
    }
  }

  async last(stream: string, subject: string): Promise<Stored | null> {
    const found = await this.broker().manager.direct.getMessage(stream, { last_by_subj: subject });
    return found && { subject, bytes: found.data, seq: found.seq, at: found.time.getTime() };
  }

  follow(stream: string, subject: string, onMessage: (message: Stored) => void | Promise<void>): Followed {
    return this.read(stream, subject, DeliverPolicy.LastPerSubject, onMessage);
  }

  replay(stream: string, subject: string, onMessage: (message: Stored) => void | Promise<void>): Followed {
    return this.read(stream, subject, DeliverPolicy.All, onMessage);
  }

  serve(
    subject: string,
    onRequest: (bytes: Uint8Array, reply: (part: Uint8Array) => void) => void,
  ): () => void {
    const served: Served = { subject, onRequest, stop: null };
    this.served.add(served);
    if (this.connection.broker) this.subscribe(served, this.connection.broker.connection);
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
    const { connection } = this.broker();
    const maxPayload = connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    if (bytes.length > maxPayload)
      throw new DroverError(
        'too_large',
        `The broker accepts at most ${maxPayload} bytes.`,
        'Send less at once.',
      );
    const inbox = createInbox(this.options.inbox);
    const subscription = connection.subscribe(inbox);
    const timer = setTimeout(() => subscription.unsubscribe(), timeoutMs);
    try {
      connection.publish(subject, bytes, { reply: inbox });
      for await (const message of subscription) {
        if (message.headers?.code === 503) throw new NoReceiver();
        if ((await onPart(message.data)) === 'done') return;
      }
      throw new NoAnswer();
    } finally {
      clearTimeout(timer);
      subscription.unsubscribe();
    }
  }

  giveUp(problem: string): void {
    for (const follow of this.follows) follow.stop();
    this.connection.giveUp(problem);
  }

  async close(): Promise<void> {
    for (const follow of this.follows) follow.stop();
    await this.connection.close();
  }

  private broker(): Broker {
    return this.connection.connected();
  }

  private read(
    stream: string,
    subject: string,
    policy: DeliverPolicy,
    onMessage: (message: Stored) => void | Promise<void>,
  ): Followed {
    const open = () => openReader(this.broker().streams, stream, subject, policy);
    const follow = new StreamFollower(stream, open, onMessage, this.options.onError);
    this.follows.add(follow);
    if (this.connection.broker) follow.start();
    return {
      caughtUp: follow.caughtUp,
      settled: () => follow.settled(),
      stop: () => {
        follow.stop();
        this.follows.delete(follow);
      },
    };
  }

  private subscribe(served: Served, connection: NatsConnection): void {
    // The client subscribes again after a reconnect.
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

/** JetStream: "wrong last sequence". */
const wrongLastCode = 10071;
