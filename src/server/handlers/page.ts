/** The page: its files, and signing a browser in and out. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Caller, isToken, ownerName } from '../../contract/caller.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import { hostOf } from '../authenticate.ts';
import { type Call, type Handlers, headerOf } from '../call.ts';
import { iconOf } from '../icon.ts';
import { browserName, cookieOf, cookieText } from '../page-cookie.ts';
import { deviceName } from '../device-name.ts';
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
  disconnect: (fits: (caller: Caller) => boolean) => void;
}

export const pageHandlers = ({
  folder,
  pages,
  port,
  rotate,
  disconnect,
}: PageParts): Pick<
  Handlers,
  | 'pageHtml'
  | 'pageScript'
  | 'pageChunk'
  | 'pageStyle'
  | 'pageIcon'
  | 'makeTicket'
  | 'awaitTicket'
  | 'enterPage'
  | 'openChannel'
  | 'leavePage'
  | 'rotateToken'
  | 'pageManifest'
  | 'serviceWorker'
  | 'appIcon'
  | 'largeAppIcon'
  | 'listDevices'
  | 'revokeDevice'
> => {
  const files = new PageFiles(folder);
  return {
    pageHtml: files.handler('index.html', 'text/html'),
    pageScript: files.handler('app.js', 'text/javascript'),
    pageChunk: call => files.chunk(call.params.id)(call),
    pageStyle: files.handler('app.css', 'text/css'),
    pageIcon: ({ query }) =>
      new Reply({
        headers: { ...pageHeaders, 'Content-Type': 'image/svg+xml', 'Cache-Control': 'max-age=86400' },
        bytes: iconOf(Number(query.get('count')) || 0),
      }),
    pageManifest: files.handler('manifest.webmanifest', 'application/manifest+json'),
    serviceWorker: files.handler('sw.js', 'text/javascript'),
    appIcon: files.handler('icon-192.png', 'image/png'),
    largeAppIcon: files.handler('icon-512.png', 'image/png'),
    listDevices: ({ headers }) => ({ devices: pages.devices(cookieOf(headers, port())) }),
    revokeDevice: ({ params: { id }, action }) => {
      action.text = id;
      const revoked = pages.revoke(id);
      if (revoked === null)
        throw new DroverError('no_device', `No device has the id ${id}, or several have.`);
      disconnect(({ kind, name }) => kind === 'page' && name === revoked);
      return { ok: true };
    },
    makeTicket: ({ body: { device = false }, action }) => {
      if (device) action.text = 'pair a device';
      // A browser will load the page soon: its files are compressed while the browser starts.
      setImmediate(() => files.warm());
      return pages.ticket(device);
    },
    awaitTicket: async ({ params: { id } }) => ({ used: await pages.isUsed(id, limits.page.signIn) }),
    enterPage: ({ headers, body, action }) => {
      // Only our own page may try a ticket, in a browser that says so.
      if (headers['sec-fetch-site'] !== 'same-origin') throw new DroverError('bad_origin');
      const cookie = cookieOf(headers, port());
      const browser = deviceName(headerOf(headers, 'user-agent'));
      const entered = pages.use(body, hostOf(headers), cookie, browser);
      if (!entered) throw new DroverError('bad_ticket');
      const name = browserName(entered.cookie ?? cookie ?? '');
      action.caller = { kind: 'page', name, session: null };
      const key = { id: entered.id, proof: entered.proof, device: entered.paired };
      const given = entered.cookie ?? (entered.paired ? cookie : undefined);
      if (!given) return key;
      const isSecure = headerOf(headers, 'origin')?.startsWith('https:') ?? false;
      const age = entered.paired ? limits.page.deviceAge : limits.page.age;
      const text = cookieText(port(), given, age);
      return new Reply({ headers: { 'Set-Cookie': isSecure ? `${text}; Secure` : text }, json: key });
    },
    openChannel: ({ headers, body: { key, nonce } }) => {
      if (headers['sec-fetch-site'] !== 'same-origin') throw new DroverError('bad_origin');
      const cookie = cookieOf(headers, port());
      const opened = cookie === undefined ? null : pages.openChannel(cookie, key, nonce, hostOf(headers));
      if (!opened) throw new DroverError('unauthorized');
      return opened;
    },
    leavePage: ({ headers }) => {
      const cookie = cookieOf(headers, port());
      if (cookie) {
        pages.leave(cookie);
        disconnect(({ kind, name }) => kind === 'page' && name === browserName(cookie));
      }
      return new Reply({ headers: { 'Set-Cookie': cookieText(port(), '', 0) }, json: { ok: true } });
    },
    rotateToken: ({ action }) => {
      action.text = `rotate ${ownerName}`;
      rotate();
      pages.clear();
      disconnect(caller => caller.kind === 'page' || isToken(ownerName)(caller));
      return { ok: true };
    },
  };
};

/** Forbid scripts and connections from outside, inline code, and framing. */
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
    // The one policy gives the address of the service worker, and nothing else.
    'trusted-types drover-service-worker',
    "worker-src 'self'",
    "manifest-src 'self'",
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

/**
 * The built files, read and compressed on first use: all of them, because a chunk fits only the script it was built with, and an
 * update replaces the files while the daemon runs.
 */
class PageFiles {
  private readonly built = new Map<string, Built>();

  constructor(private readonly folder: string) {}

  warm(): void {
    if (this.built.size > 0) return;
    const chunks = join(this.folder, 'chunks');
    const names = existsSync(chunks) ? readdirSync(chunks).map(name => `chunks/${name}`) : [];
    for (const name of ['index.html', 'app.js', 'app.css', 'sw.js', ...names])
      if (existsSync(join(this.folder, name))) this.load(name);
  }

  /** Serves a chunk of this build; no other name is looked up on the disk. */
  chunk(name: string): (call: Call<undefined>) => Reply {
    this.warm();
    if (!this.built.has(`chunks/${name}`))
      throw new DroverError('not_found', `There is no /page/chunks/${name}.`, 'Reload the page.');
    return this.handler(`chunks/${name}`, 'text/javascript', 'max-age=31536000, immutable');
  }

  handler(name: string, type: string, caching = 'no-cache'): (call: Call<undefined>) => Reply {
    return ({ headers }) => {
      const { body, packed, tag } = this.read(name);
      const fixed = { ...pageHeaders, ETag: tag, 'Cache-Control': caching, Vary: 'Accept-Encoding' };
      if (headers['if-none-match'] === tag) return new Reply({ status: 304, headers: fixed });
      const packs = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
      return new Reply({
        headers: {
          ...fixed,
          'Content-Type': type.startsWith('image/') ? type : `${type}; charset=utf-8`,
          ...(packs && { 'Content-Encoding': 'gzip' }),
        },
        bytes: packs ? packed : body,
      });
    };
  }

  private read(name: string): Built {
    this.warm();
    return this.built.get(name) ?? this.load(name);
  }

  private load(name: string): Built {
    const body = readFileSync(join(this.folder, name));
    const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const built = { body, packed: gzipSync(body), tag };
    this.built.set(name, built);
    return built;
  }
}
