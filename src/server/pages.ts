/**
 * Browsers that are signed in. A single-use ticket is exchanged for a cookie that no script can read and a key that the page
 * keeps. Cookies ignore ports: another program on this machine is sent ours too, so a cookie without its key is worth nothing.
 * Only digests are stored.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { Ticket } from '../contract/page.ts';
import { limits } from '../limits.ts';
import { writePrivate } from '../private-file.ts';

interface Page {
  cookie: string;
  /** One for each tab that signed in. */
  keys: string[];
  at: number;
}

export class Pages {
  /** When each ticket expires, by its digest. */
  private readonly tickets = new Map<string, number>();
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
    this.pages = kept(file);
  }

  /** Creates a ticket. */
  ticket(): Ticket {
    const ticket = secret();
    const id = digest(ticket);
    const until = this.clock.now() + limits.page.ticketAge;
    this.tickets.set(id, until);
    for (const old of [...this.tickets.keys()].slice(0, -limits.page.tickets)) this.spend(old);
    setTimeout(() => this.spend(id), limits.page.ticketAge).unref();
    return { ticket, id, until };
  }

  /** Resolves whether a browser has used this ticket, or uses it within `ms`. */
  isUsed(id: string, ms: number): Promise<boolean> {
    if (!this.tickets.has(id)) return Promise.resolve(this.used.includes(id));
    return new Promise(resolve => {
      const timer = setTimeout(() => done(false), ms);
      timer.unref();
      const done = (used: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve(used);
      };
      this.waiting.set(done, id);
    });
  }

  /** Exchanges a ticket for the key of a tab, and a cookie unless the browser has a valid one. Null: used or expired. */
  use(ticket: string, cookie: string | undefined): { key: string; cookie: string | null } | null {
    const id = digest(ticket);
    const until = this.tickets.get(id);
    const isGood = until !== undefined && until >= this.clock.now();
    this.spend(id, isGood);
    if (!isGood) return null;
    const key = secret();
    const known = cookie === undefined ? undefined : this.find(cookie);
    const fresh = known ? null : secret();
    const page = known ?? { cookie: digest(fresh as string), keys: [], at: 0 };
    page.keys = [...page.keys, digest(key)].slice(-limits.page.tabs);
    page.at = this.clock.now();
    this.keep([...this.pages.filter(other => other !== page), page].slice(-limits.page.browsers));
    return { key, cookie: fresh };
  }

  /** Whether cookie and key belong together and are still valid. */
  isSignedIn(cookie: string, key: string): boolean {
    return this.find(cookie)?.keys.includes(digest(key)) ?? false;
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
    return this.pages.find(page => page.cookie === name && page.at + limits.page.age > this.clock.now());
  }

  private keep(pages: Page[]): void {
    this.pages = pages;
    writePrivate(this.file, `${JSON.stringify({ pages })}\n`);
  }
}

const kept = (file: string): Page[] => {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { pages: Page[] }).pages;
  } catch {
    return [];
  }
};

const secret = (): string => randomBytes(32).toString('base64url');

// Looked up by digest, so that timing says nothing about the secret.
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
