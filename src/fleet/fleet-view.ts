/**
 * The sessions of the other hosts. Their rows are read only while somebody looks. They live apart from this machine's own
 * sessions: nothing here is ever used as a local pane, process or file.
 */
import { FleetRow } from '../contract/fleet.ts';
import { startsWithId } from '../contract/short-id.ts';
import type { FleetPlace, Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import type { Followed } from './bus.ts';
import type { FleetContext } from './context.ts';
import { bodyOf, isSignedBy, readEnvelope } from './envelope.ts';
import type { Hosts } from './hosts.ts';
import type { Member, Roster } from './roster.ts';
import { sessionFromHost, sessionOfRow } from './row.ts';

export interface FleetViewDeps extends FleetContext {
  roster: Roster;
  hosts: Hosts;
  onRejected: () => void;
  /** Reads the waiting sessions of a host in full, with their open requests; null if the host does not answer. */
  details: (host: string) => Promise<Session[] | null>;
  /** These sessions have changed. */
  onSessions: (sessions: Session[]) => void;
}

interface Shown {
  row: FleetRow;
  host: string;
  /** Number in the stream: of two rows with the same seq the later one counts. */
  stored: number;
  session: Session;
  /** The complete session as read from its host, for exactly this row. */
  full: Session | null;
}

export class FleetView {
  readonly counts = { received: 0 };
  private readonly rows = new Map<string, Shown>();
  private readonly byHost = new Map<string, Set<string>>();
  private followed: Followed | null = null;
  private lease: NodeJS.Timeout | null = null;
  private viewerCount = 0;
  private changed = new Set<string>();
  private isScheduled = false;
  private verifying: Promise<void>[] = [];
  private readonly wanted = new Map<string, NodeJS.Timeout>();
  /** Hosts that are being asked for details: true when something has changed since. */
  private readonly asked = new Map<string, boolean>();

  constructor(private readonly deps: FleetViewDeps) {}

  /** Starts to read the rows for a while. Resolves once they are complete, or after a timeout with what has arrived. */
  async startReading(): Promise<void> {
    const caughtUp = this.follow();
    this.extendLease();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, limits.fleet.firstRowsWait);
    });
    await Promise.race([caughtUp.then(() => Promise.all(this.verifying)), late]);
    clearTimeout(timer);
  }

  /** Reads the rows until the returned function is called. */
  watch(): () => void {
    this.viewerCount++;
    void this.follow();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.viewerCount--;
      this.extendLease();
    };
  }

  stop(): void {
    this.followed?.stop();
    this.followed = null;
    if (this.lease) clearTimeout(this.lease);
    this.lease = null;
    for (const timer of this.wanted.values()) clearTimeout(timer);
    this.wanted.clear();
    this.rows.clear();
    this.byHost.clear();
  }

  get isFollowing(): boolean {
    return this.followed !== null;
  }

  /** Every session of the other hosts, except those that ended for good. */
  sessions(): Session[] {
    return Array.from(this.rows.values(), shown);
  }

  /** Sessions by id or prefix: of one host, by its id, or of all. */
  named(own: string, host: string | null): Session[] {
    const found: Session[] = [];
    const exact: Session[] = [];
    for (const { row, host: of, session, full } of this.rows.values()) {
      if (host !== null && of !== host) continue;
      if (row.session === own) exact.push(full ?? session);
      if (startsWithId(row.session, own)) found.push(full ?? session);
    }
    return exact.length > 0 ? exact : found;
  }

  /** A host came, went away, or was revoked. */
  onHost(host: string): void {
    const member = this.deps.roster.get(host);
    for (const key of this.byHost.get(host) ?? []) {
      const known = this.rows.get(key);
      if (!known) continue;
      if (member) this.refresh(key, known, member);
      else this.remove(key, known);
    }
    if (member && this.isFollowing) this.scheduleDetails(host);
  }

  private follow(): Promise<void> {
    if (!this.followed) {
      const { bus, subjects } = this.deps;
      this.followed = bus.follow(subjects.rowStream, subjects.allRows, ({ bytes, seq }) =>
        this.onRow(bytes, seq),
      );
    }
    return this.followed.caughtUp;
  }

  private extendLease(): void {
    if (this.lease) clearTimeout(this.lease);
    this.lease = setTimeout(() => {
      this.lease = null;
      if (this.viewerCount > 0) return;
      // While the broker is unreachable, keep showing what is known.
      if (this.deps.bus.state.connection === 'connected') this.stop();
      else this.extendLease();
    }, limits.fleet.followPeriod).unref();
  }

  /** Verifies on other threads, a few rows at a time and those of one session in order. */
  private async onRow(bytes: Uint8Array, stored: number): Promise<void> {
    if (this.verifying.length >= limits.fleet.verifyBatch) await this.verifying.shift();
    const turn = this.verify(bytes, stored);
    this.verifying.push(turn);
    void turn.finally(() => {
      this.verifying = this.verifying.filter(one => one !== turn);
    });
  }

  private async verify(bytes: Uint8Array, stored: number): Promise<void> {
    const { fleet, host, roster, onRejected } = this.deps;
    this.counts.received++;
    const envelope = bytes.length > limits.fleet.messageBytes ? null : readEnvelope(bytes);
    if (!envelope) return onRejected();
    if (envelope.from === host) return;
    const member = await roster.sender(envelope.from);
    if (envelope.kind !== 'row' || !member) return onRejected();
    if (!(await isSignedBy(fleet, envelope, member.publicKey))) return onRejected();
    const row = bodyOf(FleetRow, envelope);
    // It may have been revoked in the meantime.
    const now = roster.get(envelope.from);
    if (row && now) this.apply(row, now, stored);
    else onRejected();
  }

  private apply(row: FleetRow, member: Member, stored: number): void {
    const key = `${member.host}/${row.session}`;
    const known = this.rows.get(key);
    if (known && !isNewer(row, stored, known)) return;
    if (row.isGone) {
      if (known) this.remove(key, known);
      return;
    }
    if (!known && !this.makeRoom(member.host)) return this.deps.onRejected();
    const session = sessionOfRow(row, this.placeOf(member), this.deps.hosts.skewOf(member.host));
    this.rows.set(key, { row, host: member.host, stored, session, full: null });
    const ofHost = this.byHost.get(member.host);
    if (ofHost) ofHost.add(key);
    else this.byHost.set(member.host, new Set([key]));
    this.reportLater(key);
    if (hasDetails(row)) this.scheduleDetails(member.host);
  }

  /**
   * A host that publishes more than anybody has sessions must not fill the memory of others. Its ended sessions stay on the broker for
   * days, so one of those goes first. False: there is none.
   */
  private makeRoom(host: string): boolean {
    const keys = this.byHost.get(host);
    if (!keys || keys.size < limits.fleet.rowsOfHost) return true;
    for (const key of keys) {
      const row = this.rows.get(key)?.row;
      if (row?.state !== 'ended' || row.parked) continue;
      this.rows.delete(key);
      keys.delete(key);
      return true;
    }
    return false;
  }

  /** Updates a row because its host went away or came back, or because its clock is known better. */
  private refresh(key: string, known: Shown, member: Member): void {
    const place = this.placeOf(member);
    const before = known.session;
    const session = sessionOfRow(known.row, place, this.deps.hosts.skewOf(member.host));
    const full = known.full && { ...known.full, fleet: place };
    this.rows.set(key, { ...known, session, full });
    const isOther =
      before.fleet?.isAway !== place.isAway ||
      Math.abs(before.since - session.since) > limits.fleet.shownSkew / 4;
    if (isOther) this.reportLater(key);
  }

  private remove(key: string, known: Shown): void {
    this.rows.delete(key);
    this.byHost.get(known.host)?.delete(key);
    this.deps.onSessions([{ ...known.session, state: 'ended', reason: 'lost', parked: false }]);
  }

  private placeOf({ host, name }: Member): FleetPlace {
    const { hosts } = this.deps;
    return { host, name, isAway: hosts.isAway(host), seenAt: hosts.get(host)?.seenAt ?? 0 };
  }

  /** Reports changes together, because hundreds may arrive at once. */
  private reportLater(key: string): void {
    this.changed.add(key);
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      const sessions = [...this.changed].flatMap(one => {
        const found = this.rows.get(one);
        return found ? [shown(found)] : [];
      });
      this.changed = new Set();
      if (sessions.length > 0) this.deps.onSessions(sessions);
    });
  }

  /** Schedules a fetch of the requests and questions of a host's waiting sessions, which are not on the broker. */
  private scheduleDetails(host: string): void {
    if (this.asked.has(host)) {
      // The answer may have been made before this request was opened.
      this.asked.set(host, true);
      return;
    }
    if (this.wanted.has(host) || this.deps.hosts.isAway(host)) return;
    const isMissing = [...(this.byHost.get(host) ?? [])].some(key => {
      const found = this.rows.get(key);
      return found && hasDetails(found.row) && found.full === null;
    });
    if (!isMissing) return;
    const timer = setTimeout(() => {
      this.wanted.delete(host);
      this.asked.set(host, false);
      void this.fetchDetails(host).finally(() => {
        const isOld = this.asked.get(host) === true;
        this.asked.delete(host);
        if (isOld && this.isFollowing) this.scheduleDetails(host);
      });
    }, limits.fleet.details);
    this.wanted.set(host, timer.unref());
  }

  private async fetchDetails(host: string): Promise<void> {
    const sessions = await this.deps.details(host).catch(() => null);
    const member = this.deps.roster.get(host);
    if (!sessions || !member) return;
    for (const session of sessions) {
      const key = `${host}/${session.id}`;
      const known = this.rows.get(key);
      // The row may be older or newer than the host's answer. The next row fetches details again.
      if (!known || session.since !== known.row.since || session.state !== known.row.state) continue;
      const full = sessionFromHost(session, this.placeOf(member), this.deps.hosts.skewOf(host));
      this.rows.set(key, { ...known, full });
      this.reportLater(key);
    }
  }
}

/** Whether the host has more to show than its row: requests, or the sentence that asks. */
const hasDetails = ({ requests, outcome }: FleetRow): boolean => requests > 0 || outcome === 'asks';

const shown = ({ full, session }: Shown): Session => full ?? session;

const isNewer = (row: FleetRow, stored: number, known: Shown): boolean =>
  row.epoch === known.row.epoch
    ? row.seq > known.row.seq || (row.seq === known.row.seq && stored > known.stored)
    : stored > known.stored;
