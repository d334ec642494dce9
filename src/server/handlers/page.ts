/** The page: its files, and how a browser comes in and leaves. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Caller, isToken, ownerName } from '../../contract/caller.ts';
import { DroverError } from '../../contract/error.ts';
import { UseTicket } from '../../contract/page.ts';
import { limits } from '../../limits.ts';
import type { Handler, Handlers } from '../app.ts';
import { bodyOf } from '../body.ts';
import { browserName, cookieName, cookieOf } from '../guard.ts';
import { iconOf } from '../icon.ts';
import type { Pages } from '../pages.ts';

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
    pageIcon: ({ response, query }) => {
      response.writeHead(200, {
        ...headers,
        'Content-Type': 'image/svg+xml',
        'Cache-Control': 'max-age=86400',
      });
      response.end(iconOf(Number(query.get('count')) || 0));
    },
    makeTicket: () => {
      // A browser is about to come: what it will ask for is packed while it starts.
      setImmediate(() => files.warm());
      return pages.ticket();
    },
    awaitTicket: async ({ id }) => ({ used: await pages.isUsed(id, limits.page.signIn) }),
    enterPage: async ({ request, response, action }) => {
      // No other page may even try a ticket, and no browser that does not say who asks.
      if (request.headers['sec-fetch-site'] !== 'same-origin') throw new DroverError('bad_origin');
      const { ticket } = await bodyOf(request, UseTicket);
      const entered = pages.use(ticket, cookieOf(request, port()));
      if (!entered) throw new DroverError('bad_ticket');
      const name = browserName(entered.cookie ?? cookieOf(request, port()) ?? '');
      action.caller = { kind: 'page', name, session: null };
      if (entered.cookie) {
        const isSecure = request.headers.origin?.startsWith('https:') ?? false;
        const text = cookieText(port(), entered.cookie, limits.page.age);
        response.setHeader('Set-Cookie', isSecure ? `${text}; Secure` : text);
      }
      return { key: entered.key };
    },
    leavePage: ({ request, response }) => {
      const cookie = cookieOf(request, port());
      if (cookie) {
        pages.leave(cookie);
        cut(({ kind, name }) => kind === 'page' && name === browserName(cookie));
      }
      response.setHeader('Set-Cookie', cookieText(port(), '', 0));
      return { ok: true };
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

const cookieText = (port: number, value: string, age: number): string =>
  `${cookieName(port)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.round(age / 1_000)}`;

/** Nothing from outside, nothing inline, nobody around it. */
const headers = {
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

/** The built files, read and packed when they are first wanted. */
class PageFiles {
  private readonly built = new Map<string, Built>();

  constructor(private readonly folder: string) {}

  warm(): void {
    for (const name of ['index.html', 'app.js', 'app.css'])
      if (existsSync(join(this.folder, name))) this.read(name);
  }

  handler(name: string, type: string): Handler {
    return ({ request, response }) => {
      const { body, packed, tag } = this.read(name);
      const fixed = { ...headers, ETag: tag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
      if (request.headers['if-none-match'] === tag) {
        response.writeHead(304, fixed).end();
        return;
      }
      const packs = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
      const sent = packs ? packed : body;
      response.writeHead(200, {
        ...fixed,
        'Content-Type': `${type}; charset=utf-8`,
        'Content-Length': sent.length,
        ...(packs && { 'Content-Encoding': 'gzip' }),
      });
      response.end(sent);
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
