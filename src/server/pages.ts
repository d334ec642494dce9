/**
 * Browsers that are signed in. A single-use ticket is exchanged for a cookie that no script can read and a key that the page
 * keeps. Cookies ignore ports: another program on this machine is sent ours too, so a cookie without its key is worth nothing.
 * Only digests are stored.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Clock, schedule } from '../clock.ts';
import type { Device, Ticket } from '../contract/page.ts';
import type { PushSubscription } from '../contract/push.ts';
import { limits } from '../limits.ts';
import { writePrivate } from '../files/private-file.ts';

interface Page {
  cookie: string;
  /** One for each tab that signed in. */
  keys: string[];
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

interface OpenTicket {
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

  constructor(
    private readonly file: string,
    private readonly clock: Clock,
    /** Called with the id of a ticket that is used or has expired. */
    private readonly onSpent: (id: string) => void = () => {},
  ) {
    this.pages = readPages(file);
  }

  /** Creates a ticket, for a browser or to pair a device. */
  ticket(pairs = false): Ticket {
    const ticket = newSecret();
    const id = digest(ticket);
    const until = this.clock.now() + limits.page.ticketAge;
    this.tickets.set(id, { until, pairs });
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

  /** Exchanges a ticket for the key of a tab, and a cookie unless the browser has a valid one. Null: used or expired. */
  use(ticket: string, cookie: string | undefined, name = 'A browser'): SignedIn | null {
    const id = digest(ticket);
    const open = this.tickets.get(id);
    const isGood = open !== undefined && open.until >= this.clock.now();
    this.spend(id, isGood);
    if (!isGood) return null;
    const key = newSecret();
    const known = cookie === undefined ? undefined : this.find(cookie);
    const fresh = known ? null : newSecret();
    const page = known ?? { cookie: digest(fresh as string), keys: [], at: 0 };
    page.keys = [...page.keys, digest(key)].slice(-limits.page.tabs);
    page.at = this.clock.now();
    page.seen = page.at;
    page.name = name;
    page.paired = open.pairs || (page.paired ?? false);
    this.keep([...this.pages.filter(other => other !== page), page].slice(-limits.page.browsers));
    return { key, cookie: fresh, paired: page.paired };
  }

  /** Whether cookie and key belong together and are still valid. */
  isSignedIn(cookie: string, key: string): boolean {
    const page = this.find(cookie);
    if (!page?.keys.includes(digest(key))) return false;
    const now = this.clock.now();
    if (now - (page.seen ?? page.at) >= limits.page.seenInterval) {
      page.seen = now;
      this.keep(this.pages);
    }
    return true;
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
  key: string;
  /** Null: it has a valid one. */
  cookie: string | null;
  paired: boolean;
}

/** The name that the audit gives this browser. */
const idOf = ({ cookie }: Page): string => Buffer.from(cookie, 'base64url').toString('hex').slice(0, 8);

const readPages = (file: string): Page[] => {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { pages: Page[] }).pages;
  } catch {
    return [];
  }
};

const newSecret = (): string => randomBytes(32).toString('base64url');

// Looked up by digest, so that timing says nothing about the secret.
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
