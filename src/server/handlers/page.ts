/** The page: its files, and signing a browser in and out. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Caller, isToken, ownerName } from '../../contract/caller.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import { type Call, type Handlers, headerOf } from '../call.ts';
import { iconOf } from '../icon.ts';
import { browserName, cookieOf, cookieText } from '../page-cookie.ts';
import type { Pages } from '../pages.ts';
import { Reply } from '../reply.ts';

export interface PageParts {
  /** Where the built files of the page are. */
  folder: string;
  pages: Pages;
  port: () => number;
  /** Replaces the owner's token. */
  rotate: () => void;
  /** Ends the streams of these callers. */
  cut: (fits: (caller: Caller) => boolean) => void;
}

export const pageHandlers = ({
  folder,
  pages,
  port,
  rotate,
  cut,
}: PageParts): Pick<
  Handlers,
  | 'pageHtml'
  | 'pageScript'
  | 'pageStyle'
  | 'pageIcon'
  | 'makeTicket'
  | 'awaitTicket'
  | 'enterPage'
  | 'leavePage'
  | 'rotateToken'
> => {
  const files = new PageFiles(folder);
  return {
    pageHtml: files.handler('index.html', 'text/html'),
    pageScript: files.handler('app.js', 'text/javascript'),
    pageStyle: files.handler('app.css', 'text/css'),
    pageIcon: ({ query }) =>
      new Reply({
        headers: { ...pageHeaders, 'Content-Type': 'image/svg+xml', 'Cache-Control': 'max-age=86400' },
        bytes: iconOf(Number(query.get('count')) || 0),
      }),
    makeTicket: () => {
      // A browser will load the page soon: its files are compressed while the browser starts.
      setImmediate(() => files.warm());
      return pages.ticket();
    },
    awaitTicket: async ({ params: { id } }) => ({ used: await pages.isUsed(id, limits.page.signIn) }),
    enterPage: ({ headers, body: { ticket }, action }) => {
      // Only our own page may try a ticket, in a browser that says so.
      if (headers['sec-fetch-site'] !== 'same-origin') throw new DroverError('bad_origin');
      const cookie = cookieOf(headers, port());
      const entered = pages.use(ticket, cookie);
      if (!entered) throw new DroverError('bad_ticket');
      const name = browserName(entered.cookie ?? cookie ?? '');
      action.caller = { kind: 'page', name, session: null };
      const key = { key: entered.key };
      if (!entered.cookie) return key;
      const isSecure = headerOf(headers, 'origin')?.startsWith('https:') ?? false;
      const text = cookieText(port(), entered.cookie, limits.page.age);
      return new Reply({ headers: { 'Set-Cookie': isSecure ? `${text}; Secure` : text }, json: key });
    },
    leavePage: ({ headers }) => {
      const cookie = cookieOf(headers, port());
      if (cookie) {
        pages.leave(cookie);
        cut(({ kind, name }) => kind === 'page' && name === browserName(cookie));
      }
      return new Reply({ headers: { 'Set-Cookie': cookieText(port(), '', 0) }, json: { ok: true } });
    },
    rotateToken: ({ action }) => {
      action.text = `rotate ${ownerName}`;
      rotate();
      pages.clear();
      cut(caller => caller.kind === 'page' || isToken(ownerName)(caller));
      return { ok: true };
    },
  };
};

/** Nothing from outside, nothing inline, no frame around it. */
const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

interface Built {
  body: Buffer;
  packed: Buffer;
  tag: string;
}

/** The built files, read and compressed on first use. */
class PageFiles {
  private readonly built = new Map<string, Built>();

  constructor(private readonly folder: string) {}

  warm(): void {
    for (const name of ['index.html', 'app.js', 'app.css'])
      if (existsSync(join(this.folder, name))) this.read(name);
  }

  handler(name: string, type: string): (call: Call<undefined>) => Reply {
    return ({ headers }) => {
      const { body, packed, tag } = this.read(name);
      const fixed = { ...pageHeaders, ETag: tag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
      if (headers['if-none-match'] === tag) return new Reply({ status: 304, headers: fixed });
      const packs = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
      return new Reply({
        headers: {
          ...fixed,
          'Content-Type': `${type}; charset=utf-8`,
          ...(packs && { 'Content-Encoding': 'gzip' }),
        },
        bytes: packs ? packed : body,
      });
    };
  }

  private read(name: string): Built {
    const known = this.built.get(name);
    if (known) return known;
    const body = readFileSync(join(this.folder, name));
    const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const built = { body, packed: gzipSync(body), tag };
    this.built.set(name, built);
    return built;
  }
}
