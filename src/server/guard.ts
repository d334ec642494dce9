/**
 * Who makes a request. On TCP: a bearer token, or a page that is signed in; a known Host, and no foreign origin. The Unix
 * socket is the user's own.
 */
import type { IncomingMessage } from 'node:http';
import { type Caller, clientHeader, mayUse, surfaces, type Surface } from '../contract/caller.ts';
import { DroverError } from '../contract/error.ts';
import { type Inside, insideError, insideOf, sessionHeader } from '../contract/inside.ts';
import type { Level } from '../contract/rights.ts';
import { sha256 } from '../sha256.ts';
import type { TokenHolder } from './tokens.ts';

/** What a request from inside a Claude Code session may do. */
export interface InsideRules {
  /** The config lets sessions do everything. */
  isAllowed: boolean;
  /** Whether the registry names the first session as an agent of the second. */
  isAgentOf: (own: string, target: string) => boolean;
}

export interface Gate {
  /** Whose token this is; null for none that counts. */
  tokenOf: (given: string) => TokenHolder | null;
  /** Whether a browser's cookie and its page's key belong together. */
  knows: (cookie: string, key: string) => boolean;
  inside: InsideRules;
  /** The port that is bound. */
  port: () => number;
  /** Further Host values, `name` or `name:port`: a container's name for this machine, a mapped port. */
  allowHosts?: readonly string[];
}

/** The caller of a request over TCP; throws when Host, Origin or credentials are wrong. */
export const authenticate = (request: IncomingMessage, isOpen: boolean, gate: Gate): Caller => {
  checkAddress(request, gate);
  const caller = tokenCaller(request, gate) ?? pageCaller(request, gate);
  if (caller) return caller;
  if (!isOpen) throw new DroverError('unauthorized');
  return { kind: 'anonymous', name: null, session: null, rights: [] };
};

/** The caller of a request over the Unix socket. */
export const localCaller = ({ headers }: IncomingMessage): Caller => {
  const given = headers[clientHeader.toLowerCase()];
  const kind = typeof given === 'string' && surfaces.includes(given) ? (given as Surface) : 'socket';
  return { kind, name: null, session: insideOf(headers[sessionHeader.toLowerCase()]), rights: [] };
};

/** Throws unless the caller may use a route of this level. */
export const authorize = (caller: Caller, level: Level): void => {
  if (mayUse(caller, level)) return;
  if (level === 'local')
    throw new DroverError(
      'forbidden',
      'This works over the Unix socket only: neither a token nor the page may do it.',
      'Run the `drover` command on the machine of the daemon.',
    );
  if (level === 'person')
    throw new DroverError(
      'forbidden',
      'No token may do this: it takes a person.',
      'Run the command of the same name, or use the page.',
    );
  throw new DroverError(
    'forbidden',
    `The token ${caller.name} lacks the right \`${level}\`.`,
    `It has: ${caller.rights.join(', ')}.`,
  );
};

/** Throws where a request from inside a Claude Code session asks for what is left to people. */
export const refuseInside = (
  { session }: Caller,
  inside: Inside,
  target: string,
  rules: InsideRules,
): void => {
  if (session === null || rules.isAllowed) return;
  if (inside === 'agents' && rules.isAgentOf(session, target)) return;
  throw insideError(session, inside === 'agents');
};

const checkAddress = (request: IncomingMessage, gate: Gate): void => {
  const hosts = [...ownHosts(gate.port()), ...allowed(gate)];
  const host = request.headers.host?.toLowerCase();
  if (!host || !hosts.includes(host))
    throw new DroverError('bad_host', `Host ${JSON.stringify(host ?? '')} is not allowed.`);
  const { origin } = request.headers;
  // A proxy with TLS stands in front of further Hosts alone.
  const origins = [...hosts.map(name => `http://${name}`), ...allowed(gate).map(name => `https://${name}`)];
  if (origin !== undefined && !origins.includes(origin))
    throw new DroverError('bad_origin', `Origin ${JSON.stringify(origin)} is not allowed.`);
  const site = request.headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none' || isVisit(request)) return;
  throw new DroverError('bad_origin');
};

/** A link to the page, followed in a tab of its own: the page has nothing in it before it asks, and then it is our own. */
const isVisit = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  url === '/' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

/** The cookie of the page on this port. Cookies ignore ports, so two daemons need two names. */
export const cookieName = (port: number): string => `drover-${port}`;

export const cookieOf = (request: IncomingMessage, port: number): string | undefined =>
  request.headers.cookie
    ?.split(/; */)
    .find(part => part.startsWith(`${cookieName(port)}=`))
    ?.slice(cookieName(port).length + 1);

/** The name of a browser, as the audit shows it. Nothing that it holds can be learned from it. */
export const browserName = (cookie: string): string => sha256(cookie).slice(0, 8);

/** A page that is signed in: its cookie, its key, and a browser that says it is our own page that asks. */
const pageCaller = (request: IncomingMessage, gate: Gate): Caller | null => {
  const cookie = cookieOf(request, gate.port());
  const key = request.headers['x-drover-page'];
  if (cookie === undefined || typeof key !== 'string') return null;
  if (request.headers['sec-fetch-site'] !== 'same-origin' || !gate.knows(cookie, key)) return null;
  return { kind: 'page', name: browserName(cookie), session: null, rights: [] };
};

const tokenCaller = (request: IncomingMessage, gate: Gate): Caller | null => {
  const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const holder = given === undefined ? null : gate.tokenOf(given);
  const session = insideOf(request.headers[sessionHeader.toLowerCase()]);
  return holder && { kind: 'token', name: holder.name, session, rights: holder.rights };
};

const ownHosts = (port: number): string[] => {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return port === 80 ? [...names, ...names.map(name => `${name}:80`)] : names.map(name => `${name}:${port}`);
};

/** A name without a port stands for itself and for itself with the bound port. */
const allowed = ({ allowHosts = [], port }: Gate): string[] =>
  allowHosts
    .map(host => host.toLowerCase())
    .flatMap(host => (/:\d+$/.test(host) ? [host] : [host, `${host}:${port()}`]));
