/** The page: its files, and how a browser comes in and leaves. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DroverError } from '../../contract/error.ts';
import { UseTicket } from '../../contract/page.ts';
import { limits } from '../../limits.ts';
import type { Handler, Handlers } from '../app.ts';
import { bodyOf } from '../body.ts';
import { cookieName, cookieOf } from '../guard.ts';
import { iconOf } from '../icon.ts';
import type { Pages } from '../pages.ts';

export interface PageParts {
  /** Where the built files of the page are. */
  folder: string;
  pages: Pages;
  port: () => number;
  /** Makes a new token. */
  rotate: () => void;
  /** Ends every stream; who may still read comes back. */
  cut: () => void;
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
  | 'enterPage'
  | 'leavePage'
  | 'rotateToken'
> => ({
  pageHtml: fileHandler(folder, 'index.html', 'text/html'),
  pageScript: fileHandler(folder, 'app.js', 'text/javascript'),
  pageStyle: fileHandler(folder, 'app.css', 'text/css'),
  pageIcon: ({ response, query }) => {
    response.writeHead(200, {
      ...headers,
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'max-age=86400',
    });
    response.end(iconOf(Number(query.get('count')) || 0));
  },
  makeTicket: () => pages.ticket(),
  enterPage: async ({ request, response }) => {
    // No other page may even try a ticket, and no browser that does not say who asks.
    if (request.headers['sec-fetch-site'] !== 'same-origin') throw new DroverError('bad_origin');
    const { ticket } = await bodyOf(request, UseTicket);
    const entered = pages.use(ticket, cookieOf(request, port()));
    if (!entered) throw new DroverError('bad_ticket');
    if (entered.cookie) response.setHeader('Set-Cookie', cookieText(port(), entered.cookie, limits.pageAge));
    return { key: entered.key };
  },
  leavePage: ({ request, response }) => {
    const cookie = cookieOf(request, port());
    if (cookie) pages.leave(cookie);
    response.setHeader('Set-Cookie', cookieText(port(), '', 0));
    cut();
    return { ok: true };
  },
  rotateToken: () => {
    rotate();
    pages.clear();
    cut();
    return { ok: true };
  },
});

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

/** A file of the page, read and packed when it is first asked for. */
const fileHandler = (folder: string, name: string, type: string): Handler => {
  let built: Built | null = null;
  return ({ request, response }) => {
    built ??= read(join(folder, name));
    const fixed = { ...headers, ETag: built.tag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
    if (request.headers['if-none-match'] === built.tag) {
      response.writeHead(304, fixed).end();
      return;
    }
    const packs = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const body = packs ? built.packed : built.body;
    response.writeHead(200, {
      ...fixed,
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Length': body.length,
      ...(packs && { 'Content-Encoding': 'gzip' }),
    });
    response.end(body);
  };
};

const read = (file: string): Built => {
  const body = readFileSync(file);
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, packed: gzipSync(body, { level: 9 }), tag };
};
