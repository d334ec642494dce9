/**
 * The members of the fleet. Each entry is signed with the key of the fleet, and the one with the highest revision counts. The
 * newest known entries are kept in a file, so that a broker that loses data or is rolled back cannot restore a revoked host.
 */
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { RosterEntry } from '../contract/fleet.ts';
import { writePrivate } from '../files/private-file.ts';
import { limits } from '../limits.ts';
import type { Followed } from './bus.ts';
import { bodyOf, fleetSender, isSignedBy, readEnvelope } from './envelope.ts';
import { idOfKey, publicKeyOf } from './keys.ts';
import { pause } from './retry.ts';

export interface Member extends RosterEntry {
  publicKey: KeyObject;
}

/** The file: the signed bytes, so that nobody can change it unnoticed. */
interface Kept {
  entries: string[];
}

export class Roster {
  private readonly members = new Map<string, Member>();
  private readonly signed = new Map<string, Buffer>();
  private readonly listeners: ((member: Member) => void)[] = [];
  private settled: () => Promise<void> = () => Promise.resolve();

  private constructor(
    private readonly fleet: string,
    private readonly fleetKey: KeyObject,
    private readonly file: string,
  ) {}

  /** Reads what is kept. */
  static async open(fleet: string, fleetKey: KeyObject, file: string): Promise<Roster> {
    const roster = new Roster(fleet, fleetKey, file);
    for (const entry of keptEntries(file)) await roster.take(Buffer.from(entry, 'base64'), false);
    return roster;
  }

  /** Calls back for each entry that is new or has changed. */
  onChange(listener: (member: Member) => void): void {
    this.listeners.push(listener);
  }

  /** Adds a signed entry. Returns false when it is invalid or not newer than what is known. */
  async take(bytes: Uint8Array, isKept = true): Promise<boolean> {
    const envelope = readEnvelope(bytes);
    if (envelope?.kind !== 'roster' || envelope.from !== fleetSender) return false;
    const known = this.signed.get(hostOf(envelope.text));
    if (known?.equals(bytes)) return true;
    if (!(await isSignedBy(this.fleet, envelope, this.fleetKey))) return false;
    const entry = bodyOf(RosterEntry, envelope);
    const publicKey = entry && publicKeyOf(entry.key);
    if (!entry || !publicKey || idOfKey(entry.key) !== entry.host) return false;
    if ((this.members.get(entry.host)?.revision ?? -1) >= entry.revision) return false;
    const member = { ...entry, publicKey };
    this.members.set(entry.host, member);
    this.signed.set(entry.host, Buffer.from(bytes));
    if (isKept) this.keep();
    for (const listener of this.listeners) listener(member);
    return true;
  }

  /** Returns a member that has not been revoked. */
  get(host: string): Member | null {
    const member = this.members.get(host);
    return member && !member.isRevoked ? member : null;
  }

  isRevoked(host: string): boolean {
    return this.members.get(host)?.isRevoked ?? false;
  }

  /** `settled` resolves once the entries on the broker have been read. */
  readFrom({ settled }: Pick<Followed, 'settled'>): void {
    this.settled = settled;
  }

  /**
   * Like `get`, for the sender of a message. After a reconnect everything is read at once, so the entry of a new member may arrive after
   * its first messages.
   */
  async sender(host: string): Promise<Member | null> {
    if (!this.members.has(host)) await Promise.race([this.settled(), pause(limits.fleet.rosterWait)]);
    return this.get(host);
  }

  /** Every member, including revoked ones. */
  all(): Member[] {
    return [...this.members.values()];
  }

  byName(name: string): Member | null {
    return this.all().find(member => !member.isRevoked && member.name === name) ?? null;
  }

  /** The signed entry of a host, to publish it again. */
  entryOf(host: string): Buffer | null {
    return this.signed.get(host) ?? null;
  }

  /** Whether these bytes are an entry that is known, or an older one of a known host. */
  isKnown(bytes: Uint8Array): boolean {
    const envelope = readEnvelope(bytes);
    const known = envelope && this.signed.get(hostOf(envelope.text));
    if (!envelope || !known) return false;
    return (
      known.equals(bytes) || (bodyOf(RosterEntry, envelope)?.revision ?? Number.NaN) <= revisionOf(known)
    );
  }

  /** Writes the file. */
  keep(): void {
    const kept: Kept = { entries: [...this.signed.values()].map(bytes => bytes.toString('base64')) };
    writePrivate(this.file, JSON.stringify(kept));
  }
}

const keptEntries = (file: string): string[] => {
  try {
    const { entries } = JSON.parse(readFileSync(file, 'utf8')) as Kept;
    return Array.isArray(entries) ? entries.filter(entry => typeof entry === 'string') : [];
  } catch {
    return [];
  }
};

const revisionOf = (bytes: Uint8Array): number => {
  const envelope = readEnvelope(bytes);
  return (envelope && bodyOf(RosterEntry, envelope)?.revision) ?? -1;
};

/** The host of an entry that may not be valid. */
const hostOf = (text: string): string => /"host":"([a-z2-7]{16})"/.exec(text)?.[1] ?? '';
