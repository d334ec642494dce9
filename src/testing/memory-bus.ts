/** A broker in memory with buses to it, which can lose its data, go back to an earlier state, or be out of reach. */
import {
  type Bus,
  type BusState,
  type Followed,
  NoAnswer,
  NoReceiver,
  type Stored,
  WrongLastSequence,
} from '../fleet/bus.ts';

type Listener = (message: Stored) => void | Promise<void>;
type Server = (bytes: Uint8Array, reply: (part: Uint8Array) => void) => void;

export class MemoryBroker {
  stored = new Map<string, Stored>();
  /** Every message, in order. */
  all: Stored[] = [];
  private seq = 0;
  private readonly followers = new Set<{ pattern: RegExp; listener: Listener }>();
  private readonly servers = new Map<string, Set<{ pattern: RegExp; serve: Server }>>();
  private readonly buses = new Set<MemoryBus>();

  constructor(readonly now: () => number = Date.now) {}

  bus(): Bus & { setConnected: (isConnected: boolean) => void } {
    const bus = new MemoryBus(this);
    this.buses.add(bus);
    return bus;
  }

  /** Puts a message on a subject, whoever sends it. */
  async put(subject: string, bytes: Uint8Array, expectLast?: number): Promise<number> {
    if (expectLast !== undefined && (this.stored.get(subject)?.seq ?? 0) !== expectLast)
      throw new WrongLastSequence();
    const message = { subject, bytes, seq: ++this.seq, at: this.now() };
    this.stored.set(subject, message);
    this.all.push(message);
    for (const { pattern, listener } of this.followers) if (pattern.test(subject)) await listener(message);
    return message.seq;
  }

  follow(subject: string, listener: Listener, isAll = false): Followed {
    const follower = { pattern: patternOf(subject), listener };
    this.followers.add(follower);
    const caughtUp = (async () => {
      const before = isAll ? this.all.slice() : Array.from(this.stored.values());
      for (const message of before)
        if (follower.pattern.test(message.subject)) await listener({ ...message, isOld: true });
    })();
    return { caughtUp, settled: () => caughtUp, stop: () => void this.followers.delete(follower) };
  }

  serve(subject: string, serve: Server): () => void {
    const server = { pattern: patternOf(subject), serve };
    const all = this.servers.get('') ?? new Set();
    this.servers.set('', all.add(server));
    return () => void all.delete(server);
  }

  serverOf(subject: string): Server | null {
    const found = [...(this.servers.get('') ?? [])].find(({ pattern }) => pattern.test(subject));
    return found?.serve ?? null;
  }

  /** Loses everything. */
  wipe(): void {
    this.stored = new Map();
    this.all = [];
    this.seq = 0;
  }
}

class MemoryBus implements Bus {
  state: BusState = {
    connection: 'connected',
    since: 0,
    server: '127.0.0.1:4222',
    version: '2.12.7',
    problem: null,
  };
  private readonly listeners: ((state: BusState) => void)[] = [];
  private readonly stops: (() => void)[] = [];

  constructor(private readonly broker: MemoryBroker) {}

  setConnected(isConnected: boolean): void {
    this.state = { ...this.state, connection: isConnected ? 'connected' : 'unreachable' };
    for (const listener of this.listeners) listener(this.state);
  }

  onState(listener: (state: BusState) => void): void {
    this.listeners.push(listener);
  }

  ensureStream(): Promise<void> {
    return Promise.resolve();
  }

  async store(subject: string, bytes: Uint8Array, { expectLast }: { expectLast?: number } = {}) {
    if (this.state.connection !== 'connected') throw new NoReceiver();
    return { seq: await this.broker.put(subject, bytes, expectLast), isDuplicate: false };
  }

  last(_: string, subject: string): Promise<Stored | null> {
    return Promise.resolve(this.broker.stored.get(subject) ?? null);
  }

  follow(_: string, subject: string, onMessage: Listener) {
    const followed = this.broker.follow(subject, message =>
      this.state.connection === 'connected' ? onMessage(message) : undefined,
    );
    this.stops.push(followed.stop);
    return followed;
  }

  replay(_: string, subject: string, onMessage: Listener) {
    const followed = this.broker.follow(subject, onMessage, true);
    this.stops.push(followed.stop);
    return followed;
  }

  serve(subject: string, onRequest: Server): () => void {
    const stop = this.broker.serve(subject, onRequest);
    this.stops.push(stop);
    return stop;
  }

  async request(
    subject: string,
    bytes: Uint8Array,
    onPart: (part: Uint8Array) => 'more' | 'done' | Promise<'more' | 'done'>,
    timeoutMs: number,
  ): Promise<void> {
    const serve = this.broker.serverOf(subject);
    if (!serve) throw new NoReceiver();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new NoAnswer()), timeoutMs);
      let last: Promise<void> = Promise.resolve();
      const take = async (part: Uint8Array) => {
        if ((await onPart(part)) === 'more') return;
        clearTimeout(timer);
        resolve();
      };
      serve(bytes, part => {
        last = last.then(() => take(part)).catch(reject);
      });
    });
  }

  giveUp(problem: string): void {
    this.state = { ...this.state, connection: 'refused', problem };
    for (const listener of this.listeners) listener(this.state);
  }

  close(): Promise<void> {
    for (const stop of this.stops) stop();
    return Promise.resolve();
  }
}

const patternOf = (subject: string): RegExp =>
  new RegExp(`^${subject.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`);
