/**
 * Reads the outlines of all hosts, each once: drops what was read before, and reports gaps. A cursor holds the position in the
 * log of every host, so it stays valid when the broker loses its data.
 */
import type { Bus, Followed } from '../bus.ts';
import { bodyOf, isSignedBy, readEnvelope } from '../envelope.ts';
import type { Roster } from '../roster.ts';
import type { Subjects } from '../subjects.ts';
import { OutlineBatch, type OutlineLine } from './outline.ts';

/** The position in the log of each host. */
export type Cursor = Record<string, { epoch: string; seq: number }>;

export interface ReadBatch {
  host: string;
  name: string;
  epoch: string;
  events: OutlineLine[];
  /** Events of this host between these are missing. */
  gap: { after: number; first: number } | null;
  /** The position at which a reader that has this batch continues. */
  cursor: Cursor;
}

export interface OutlineReaderDeps {
  bus: Bus;
  subjects: Subjects;
  fleet: string;
  roster: Roster;
  onRejected: () => void;
  onBatch: (batch: ReadBatch) => void | Promise<void>;
}

export class OutlineReader {
  private followed: Followed | null = null;
  private readonly places: Map<string, { epoch: string; seq: number }>;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly deps: OutlineReaderDeps,
    cursor: Cursor,
  ) {
    this.places = new Map(Object.entries(cursor));
  }

  start(): Promise<void> {
    const { bus, subjects } = this.deps;
    this.followed = bus.replay(subjects.logStream, subjects.allLogs, ({ bytes }) => {
      // One after the other: the order of a host's batches is that of its events.
      this.last = this.last.then(() => this.onMessage(bytes));
      return this.last;
    });
    return this.followed.caughtUp;
  }

  stop(): void {
    this.followed?.stop();
  }

  private async onMessage(bytes: Uint8Array): Promise<void> {
    const { fleet, roster, onRejected, onBatch } = this.deps;
    const envelope = readEnvelope(bytes);
    const member = envelope && (await roster.sender(envelope.from));
    if (envelope?.kind !== 'log' || !member || !(await isSignedBy(fleet, envelope, member.publicKey)))
      return onRejected();
    const batch = bodyOf(OutlineBatch, envelope);
    if (batch?.host !== envelope.from) return onRejected();
    const { host, epoch, from, to, events } = batch;
    const known = this.places.get(host);
    const before = known?.epoch === epoch ? known.seq : null;
    if (before !== null && to <= before) return;
    const gap = before !== null && from > before ? { after: before, first: from + 1 } : null;
    this.places.set(host, { epoch, seq: to });
    await onBatch({
      host,
      name: member.name,
      epoch,
      events: before === null ? events : events.filter(([seq]) => seq > before),
      gap,
      // A cursor travels in a header, which must not grow with every host that ever was a member.
      cursor: Object.fromEntries([...this.places].filter(([id]) => !roster.isRevoked(id))),
    });
  }
}
