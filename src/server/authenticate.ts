/**
 * Who makes a request. On TCP: a bearer token, or a page that is signed in; a known Host, and no foreign origin. The Unix
 * socket is the user's own.
 */
import type { IncomingMessage } from 'node:http';
import { type Caller, clientHeader, surfaces, type Surface } from '../contract/caller.ts';
import { DroverError } from '../contract/error.ts';
import { insideOf, sessionHeader } from '../contract/inside.ts';
import { browserName, cookieOf } from './page-cookie.ts';
import type { AccessRules } from './access-rules.ts';

/** The caller of a request over TCP; throws when Host, Origin or credentials are wrong. */
export const authenticate = (request: IncomingMessage, isOpen: boolean, rules: AccessRules): Caller => {
  checkAddress(request, rules);
  const caller = tokenCaller(request, rules) ?? pageCaller(request, rules);
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

const checkAddress = (request: IncomingMessage, rules: AccessRules): void => {
  const hosts = [...ownHosts(rules.port()), ...allowed(rules)];
  const host = request.headers.host?.toLowerCase();
  if (!host || !hosts.includes(host))
    throw new DroverError('bad_host', `Host ${JSON.stringify(host ?? '')} is not allowed.`);
  const { origin } = request.headers;
  // A proxy with TLS stands in front of further Hosts alone.
  const origins = [...hosts.map(name => `http://${name}`), ...allowed(rules).map(name => `https://${name}`)];
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

/** A page that is signed in: its cookie, its key, and a browser that says it is our own page that asks. */
const pageCaller = (request: IncomingMessage, rules: AccessRules): Caller | null => {
  const cookie = cookieOf(request.headers, rules.port());
  const key = request.headers['x-drover-page'];
  if (cookie === undefined || typeof key !== 'string') return null;
  if (request.headers['sec-fetch-site'] !== 'same-origin' || !rules.knows(cookie, key)) return null;
  return { kind: 'page', name: browserName(cookie), session: null, rights: [] };
};

const tokenCaller = (request: IncomingMessage, rules: AccessRules): Caller | null => {
  const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const holder = given === undefined ? null : rules.tokenOf(given);
  const session = insideOf(request.headers[sessionHeader.toLowerCase()]);
  return holder && { kind: 'token', name: holder.name, session, rights: holder.rights };
};

const ownHosts = (port: number): string[] => {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return port === 80 ? [...names, ...names.map(name => `${name}:80`)] : names.map(name => `${name}:${port}`);
};

/** A name without a port stands for itself and for itself with the bound port. */
const allowed = ({ allowHosts = [], port }: AccessRules): string[] =>
  allowHosts
    .map(host => host.toLowerCase())
    .flatMap(host => (/:\d+$/.test(host) ? [host] : [host, `${host}:${port()}`]));
