/**
 * Browsers that are signed in. With a single-use ticket a browser gets a cookie that no script can read, and both sides derive a
 * key from the ticket. Cookies ignore ports: another program on this machine is sent ours too, so a cookie without a proof that
 * its page knows the key is worth nothing. Cookies are stored as digests; a MAC needs the keys themselves.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Clock, schedule } from '../clock.ts';
import type { Device, PageChannel, Ticket, UseTicket } from '../contract/page.ts';
import { proofTexts } from '../contract/page-proof.ts';
import type { PushSubscription } from '../contract/push.ts';
import { limits } from '../limits.ts';
import { writePrivate } from '../files/private-file.ts';
import { PageChannels, type PageRequest } from './page-channels.ts';
import { isMac, macOf, newNonce } from './page-mac.ts';

interface Page {
  cookie: string;
  /** One for each tab that signed in. */
  keys: PageSecret[];
  /** When it signed in last. */
  at: number;
  /** Missing in files of earlier versions, like the next two. */
  name?: string;
  /** It was paired: it stays signed in when its browser is closed. */
  paired?: boolean;
  seen?: number;
  /** Where it gets push notifications. It goes with the device, however that is signed out. */
  push?: PushSubscription | undefined;
}

interface PageSecret {
  id: string;
  secret: string;
}

interface OpenTicket {
  ticket: string;
  until: number;
  /** It pairs a device. */
  pairs: boolean;
}

export class Pages {
  /** The tickets that can be used, by their digests. */
  private readonly tickets = new Map<string, OpenTicket>();
  /** The newest that a browser used. */
  private used: string[] = [];
  private readonly waiting = new Map<(used: boolean) => void, string>();
  private pages: Page[];
  private readonly channels: PageChannels;

  constructor(
    private readonly file: string,
    private readonly clock: Clock,
    /** Called with the id of a ticket that is used or has expired. */
    private readonly onSpent: (id: string) => void = () => {},
  ) {
    this.pages = readPages(file);
    this.channels = new PageChannels((cookie, keyId) => this.keyOf(cookie, keyId), clock);
  }

  /** Creates a ticket, for a browser or to pair a device. */
  ticket(pairs = false): Ticket {
    const ticket = newSecret();
    const id = digest(ticket);
    const until = this.clock.now() + limits.page.ticketAge;
    this.tickets.set(id, { ticket, until, pairs });
    for (const old of [...this.tickets.keys()].slice(0, -limits.page.tickets)) this.spend(old);
    schedule(this.clock, limits.page.ticketAge, () => this.spend(id));
    return { ticket, id, until };
  }

  /** Resolves whether a browser has used this ticket, or uses it within `ms`. */
  isUsed(id: string, ms: number): Promise<boolean> {
    if (!this.tickets.has(id)) return Promise.resolve(this.used.includes(id));
    return new Promise(resolve => {
      const cancel = schedule(this.clock, ms, () => done(false));
      const done = (used: boolean) => {
        cancel();
        this.waiting.delete(done);
        resolve(used);
      };
      this.waiting.set(done, id);
    });
  }

  /** Signs a tab in with a ticket, with a cookie unless the browser has a valid one. Null: used, expired, or not proved. */
  use(
    { ticket: id, nonce, proof }: UseTicket,
    host: string,
    cookie: string | undefined,
    name = 'A browser',
  ): SignedIn | null {
    const open = this.tickets.get(id);
    // The id is on the command line of a browser: whoever knows it alone must not be able to spend the ticket.
    if (!open || !isMac(open.ticket, proofTexts.enter(host, nonce), proof)) return null;
    const isGood = open.until >= this.clock.now();
    this.spend(id, isGood);
    if (!isGood) return null;
    const key = { id: newNonce(), secret: '' };
    key.secret = macOf(open.ticket, proofTexts.key(nonce, key.id));
    const known = cookie === undefined ? undefined : this.find(cookie);
    const fresh = known ? null : newSecret();
    const page = known ?? { cookie: digest(fresh as string), keys: [], at: 0 };
    page.keys = [...page.keys, key].slice(-limits.page.tabs);
    page.at = this.clock.now();
    page.seen = page.at;
    page.name = name;
    page.paired = open.pairs || (page.paired ?? false);
    this.keep([...this.pages.filter(other => other !== page), page].slice(-limits.page.browsers));
    const own = macOf(secretOf(key), proofTexts.entered(host, key.id));
    return { id: key.id, proof: own, cookie: fresh, paired: page.paired };
  }

  /** Proves to a page that this daemon knows its key, and opens a channel for its requests. Null: signed out. */
  openChannel(cookie: string, keyId: string, nonce: string, host: string): PageChannel | null {
    const opened = this.channels.open(cookie, keyId, nonce, host);
    if (opened) this.noteSeen(cookie);
    return opened;
  }

  /** Accepts a request of a signed-in page once, and returns the proof for its answer; null for any other request. */
  accept(cookie: string, request: PageRequest): string | null {
    const proof = this.channels.accept(cookie, request);
    if (proof !== null) this.noteSeen(cookie);
    return proof;
  }

  /** The browsers and devices that are signed in, last seen first. `cookie` is that of the browser that asks. */
  devices(cookie?: string): Device[] {
    const own = cookie === undefined ? undefined : this.find(cookie);
    return this.pages
      .filter(page => this.isValid(page))
      .map(page => ({
        id: idOf(page),
        name: page.name ?? 'A browser',
        paired: page.paired ?? false,
        since: page.at,
        seen: page.seen ?? page.at,
        push: page.push !== undefined,
        own: page === own,
      }))
      .sort((a, b) => b.seen - a.seen);
  }

  /** The id of the paired device with this cookie; null for any other browser. */
  pairedId(cookie: string | undefined): string | null {
    const page = cookie === undefined ? undefined : this.find(cookie);
    return page?.paired ? idOf(page) : null;
  }

  /** Stores where a paired device gets push notifications. */
  subscribe(id: string, push: PushSubscription): void {
    for (const page of this.pages) {
      if (idOf(page) === id) page.push = push;
      // The same browser was paired again: its earlier pairing gets no notifications any more.
      else if (page.push?.endpoint === push.endpoint) page.push = undefined;
    }
    this.keep(this.pages);
  }

  /** Removes the subscription of a device; with `endpoint` only if it is still this one. */
  unsubscribe(id: string, endpoint?: string): void {
    for (const page of this.pages)
      if (idOf(page) === id && (endpoint === undefined || page.push?.endpoint === endpoint))
        page.push = undefined;
    this.keep(this.pages);
  }

  /** The paired devices that subscribed to push notifications. */
  subscribers(): { id: string; name: string; subscription: PushSubscription }[] {
    return this.pages.flatMap(page =>
      page.push && page.paired && this.isValid(page)
        ? [{ id: idOf(page), name: page.name ?? 'A browser', subscription: page.push }]
        : [],
    );
  }

  /** Signs a device out and returns its id; null when the id fits none or several. */
  revoke(id: string): string | null {
    const [page, ...others] = this.pages.filter(one => idOf(one).startsWith(id));
    if (!page || others.length > 0) return null;
    this.keep(this.pages.filter(other => other !== page));
    return idOf(page);
  }

  /** Signs a browser out, with all its tabs. */
  leave(cookie: string): void {
    const page = this.find(cookie);
    if (page) this.keep(this.pages.filter(other => other !== page));
  }

  /** Signs every browser out. */
  clear(): void {
    for (const id of this.tickets.keys()) this.spend(id);
    this.keep([]);
  }

  /** Ends a ticket, and resolves whoever waits for it. */
  private spend(id: string, used = false): void {
    if (!this.tickets.delete(id)) return;
    if (used) this.used = [...this.used, id].slice(-limits.page.tickets);
    for (const [done, wanted] of this.waiting) if (wanted === id) done(used);
    this.onSpent(id);
  }

  private noteSeen(cookie: string): void {
    const page = this.find(cookie);
    const now = this.clock.now();
    if (!page || now - (page.seen ?? page.at) < limits.page.seenInterval) return;
    page.seen = now;
    this.keep(this.pages);
  }

  private keyOf(cookie: string, keyId: string): Buffer | null {
    const key = this.find(cookie)?.keys.find(({ id }) => id === keyId);
    return key ? secretOf(key) : null;
  }

  private find(cookie: string): Page | undefined {
    const name = digest(cookie);
    return this.pages.find(page => page.cookie === name && this.isValid(page));
  }

  private isValid({ at, seen = at, paired = false }: Page): boolean {
    return (paired ? seen + limits.page.deviceAge : at + limits.page.age) > this.clock.now();
  }

  private keep(pages: Page[]): void {
    this.pages = pages;
    writePrivate(this.file, `${JSON.stringify({ pages })}\n`);
  }
}

/** What a browser gets for a ticket. */
interface SignedIn {
  /** The id of the key. */
  id: string;
  proof: string;
  /** Null: it has a valid one. */
  cookie: string | null;
  paired: boolean;
}

/** The name that the audit gives this browser. */
const idOf = ({ cookie }: Page): string => Buffer.from(cookie, 'base64url').toString('hex').slice(0, 8);

const readPages = (file: string): Page[] => {
  try {
    const { pages } = JSON.parse(readFileSync(file, 'utf8')) as { pages: Page[] };
    // Earlier versions stored digests of keys that were sent: those browsers sign in again.
    return pages.map(page => ({ ...page, keys: page.keys.filter(key => typeof key === 'object') }));
  } catch {
    return [];
  }
};

const secretOf = ({ secret }: PageSecret): Buffer => Buffer.from(secret, 'base64url');

const newSecret = (): string => randomBytes(32).toString('base64url');

// Looked up by digest, so that timing says nothing about the secret.
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
