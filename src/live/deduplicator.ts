/**
 * Recognises copies of one hook firing. Where the plugin and a settings file both register the emitter, Claude Code runs it
 * once for each registration, with the same payload. Two deliveries are one firing only if their bytes are equal and their
 * registrations differ, and each copy is paired with one firing. Equal deliveries of one registration are two firings:
 * two identical parallel requests send equal payloads. Nobody can tell which copy belongs to which of two equal firings, because
 * they come in any order. So only the hooks of one registration wait for answers.
 */
import { createHash } from 'node:crypto';
import type { Draft, Event } from '../contract/event.ts';
import { limits } from '../limits.ts';
import type { Log } from '../store/log.ts';

interface Firing {
  seq: number;
  at: number;
  /** The registrations that have delivered it; `undefined` is a settings file without a tag. */
  registrations: (string | undefined)[];
}

/** Firings with one payload, oldest first. */
interface EqualFirings {
  firings: Firing[];
  /** The registration whose hooks wait: the one that delivered first. */
  waitingRegistration: string | undefined;
  /** For each registration, the first firing that it may not have delivered yet. */
  next: Map<string | undefined, number>;
}

export class Deduplicator {
  /** Recent firings by session, event name and payload, and the generation before them. Older ones are forgotten. */
  private recent = new Map<string, EqualFirings>();
  private older = new Map<string, EqualFirings>();
  private count = 0;
  /** The event of each delivery whose hook may wait for an answer. */
  private readonly deliveries = new Map<string, number>();
  /** Undoes what the running transaction has changed. */
  private undo: (() => void)[] = [];

  constructor(log: Log) {
    const recent = log.read({ after: Math.max(0, log.lastSeq() - 1_000), rows: 1_000, bytes: 16_000_000 });
    for (const event of recent) this.note(event);
    this.commit();
  }

  /** Returns the seq of the event that a delivery became; undefined when its hook has nothing to wait for. */
  eventOf(delivery: string): number | undefined {
    return this.deliveries.get(delivery);
  }

  /** Whether another registration has already delivered this firing. If so, the two are paired. */
  isCopy(draft: Draft): boolean {
    if (draft.source !== 'hook' || !draft.sessionId) return false;
    const { via, delivery } = draft.context;
    const key = keyOf(draft);
    for (const equal of [this.older.get(key), this.recent.get(key)]) {
      const firing = this.unpaired(equal, via, draft.at);
      if (!equal || !firing) continue;
      firing.registrations.push(via);
      this.undo.push(() => firing.registrations.splice(firing.registrations.indexOf(via), 1));
      if (via === equal.waitingRegistration) this.remember(delivery, firing.seq);
      return true;
    }
    return false;
  }

  /** Remembers a firing that was appended to the log. */
  note(event: Event): void {
    if (event.source !== 'hook' || !event.sessionId) return;
    const key = keyOf(event);
    const { via, delivery } = event.context;
    const before = this.recent.get(key) ?? this.older.get(key);
    const waitingRegistration = before ? before.waitingRegistration : via;
    const equal: EqualFirings = this.recent.get(key) ?? { firings: [], waitingRegistration, next: new Map() };
    const last = before?.firings.at(-1);
    // The last equal firing was long ago: the registration that is first now decides.
    if (!last || last.at < event.at - limits.duplicates.window) equal.waitingRegistration = via;
    equal.firings.push({ seq: event.seq, at: event.at, registrations: [via] });
    this.recent.set(key, equal);
    this.count++;
    this.undo.push(() => {
      equal.firings.pop();
      equal.waitingRegistration = waitingRegistration;
      this.count--;
    });
    if (via === equal.waitingRegistration) this.remember(delivery, event.seq);
  }

  begin(): void {
    this.undo = [];
  }

  /** Keeps the changes: the transaction is durable. */
  commit(): void {
    this.undo = [];
    if (this.count >= limits.duplicates.events) {
      this.older = this.recent;
      this.recent = new Map();
      this.count = 0;
    }
    for (const delivery of this.deliveries.keys()) {
      if (this.deliveries.size <= limits.duplicates.events) break;
      this.deliveries.delete(delivery);
    }
  }

  /** Reverts the changes: the transaction failed. */
  rollback(): void {
    for (const step of this.undo.toReversed()) step();
    this.undo = [];
  }

  /** Returns the oldest firing of about this time that a registration has not delivered yet. */
  private unpaired(equal: EqualFirings | undefined, via: string | undefined, at: number): Firing | undefined {
    if (!equal) return undefined;
    const { firings, next } = equal;
    const before = next.get(via) ?? 0;
    let index = before;
    while (
      index < firings.length &&
      ((firings[index] as Firing).registrations.includes(via) ||
        (firings[index] as Firing).at < at - limits.duplicates.window)
    )
      index++;
    next.set(via, index);
    this.undo.push(() => next.set(via, Math.min(before, next.get(via) ?? 0)));
    const found = firings[index];
    return found && found.at <= at + limits.duplicates.window ? found : undefined;
  }

  private remember(delivery: string | undefined, seq: number): void {
    if (delivery === undefined) return;
    this.deliveries.set(delivery, seq);
    this.undo.push(() => this.deliveries.delete(delivery));
  }
}

const keyOf = ({ sessionId, name, raw }: Draft): string =>
  `${sessionId}\0${name}\0${createHash('sha256').update(raw).digest('base64')}`;
