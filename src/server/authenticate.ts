/**
 * Identifies the caller of a request. TCP needs a bearer token or a signed-in page, a known Host and no foreign Origin. The
 * Unix socket belongs to the user.
 */
import type { IncomingMessage } from 'node:http';
import { type Caller, clientHeader, surfaces, type Surface } from '../contract/caller.ts';
import { DroverError } from '../contract/error.ts';
import { type PageProof, pageProofHeader, readProof } from '../contract/page-proof.ts';
import type { Level } from '../contract/rights.ts';
import { insideOf, sessionHeader } from '../contract/inside.ts';
import { type Headers, headerOf } from './call.ts';
import { browserName, cookieOf } from './page-cookie.ts';
import { isWithinSubnets } from '../config/subnets.ts';
import type { AccessRules } from './access-rules.ts';

export interface Identified {
  caller: Caller;
  /** Proves to a page that this daemon has received its request; null for other callers. */
  proof: string | null;
}

/** Returns the caller of a request over TCP; throws when Host, Origin or credentials are wrong. */
export const authenticate = (
  request: IncomingMessage,
  level: Level | undefined,
  rules: AccessRules,
): Identified => {
  checkAddress(request, rules);
  const caller = tokenCaller(request, rules);
  if (caller) return { caller, proof: null };
  const page = identifyPage(request, rules);
  if (page) return page;
  if (level === 'ingest' && rules.openIngest && isLocalEmitter(request, rules))
    return { caller: { kind: 'unverified', name: null, session: null, rights: ['ingest'] }, proof: null };
  if (level !== 'open') throw new DroverError('unauthorized');
  return { caller: { kind: 'anonymous', name: null, session: null, rights: [] }, proof: null };
};

/** Returns the caller of a request over the Unix socket: the user, unless the request brings a token. */
export const localCaller = (request: IncomingMessage, rules: AccessRules): Caller => {
  const { headers } = request;
  if (headers.authorization !== undefined) {
    const caller = tokenCaller(request, rules);
    if (!caller) throw new DroverError('unauthorized');
    return caller;
  }
  const given = headers[clientHeader.toLowerCase()];
  const kind = typeof given === 'string' && surfaces.includes(given) ? (given as Surface) : 'socket';
  return { kind, name: null, session: insideOf(headers[sessionHeader.toLowerCase()]), rights: [] };
};

/**
 * A program on this machine that has no token to give: over loopback, by a name of this machine, not through a proxy, and not
 * from a browser, which sends an Origin or says where a request comes from. Where this machine is a container, the config names
 * the addresses from which its host reaches it, and a Host that is allowed is a name of it.
 */
const isLocalEmitter = ({ headers, socket }: IncomingMessage, rules: AccessRules): boolean => {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw new DroverError('bad_origin', 'A browser needs a token to post events.');
  const isForwarded = ['forwarded', 'x-forwarded-for', 'via'].some(name => headers[name] !== undefined);
  if (headers.authorization !== undefined || isForwarded) return false;
  const isOwnName = ownHosts(rules.port()).includes(headers.host?.toLowerCase() ?? '');
  if (isLoopback(socket.remoteAddress)) return isOwnName;
  return isWithinSubnets(socket.remoteAddress ?? '', rules.ingestFrom ?? []);
};

const isLoopback = (address: string | undefined): boolean =>
  address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address ?? '');

const checkAddress = (request: IncomingMessage, rules: AccessRules): void => {
  const hosts = [...ownHosts(rules.port()), ...allowed(rules)];
  const host = request.headers.host?.toLowerCase();
  if (!host || !hosts.includes(host))
    throw new DroverError('bad_host', `Host ${JSON.stringify(host ?? '')} is not allowed.`);
  const { origin } = request.headers;
  // Only the further Hosts may have a proxy with TLS in front of them.
  const origins = [...hosts.map(name => `http://${name}`), ...allowed(rules).map(name => `https://${name}`)];
  if (origin !== undefined && !origins.includes(origin))
    throw new DroverError('bad_origin', `Origin ${JSON.stringify(origin)} is not allowed.`);
  const site = request.headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none' || isVisit(request)) return;
  throw new DroverError('bad_origin');
};

/** A link to the page, opened in a tab. The page has no data before it asks for it, and then the request is same-origin. */
const isVisit = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  url === '/' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

/** A signed-in page: needs its cookie, a proof of this request, and `Sec-Fetch-Site: same-origin`. Null for any other request. */
const identifyPage = (
  { headers, method = '', url: path = '' }: IncomingMessage,
  rules: AccessRules,
): Identified | null => {
  const cookie = cookieOf(headers, rules.port());
  const proof = proofIn(headers);
  if (cookie === undefined || !proof || headers['sec-fetch-site'] !== 'same-origin') return null;
  const accepted = rules.acceptPage(cookie, { proof, host: hostOf(headers), method, path });
  if (accepted === null) return null;
  return {
    caller: { kind: 'page', name: browserName(cookie), session: null, rights: [] },
    proof: accepted,
  };
};

/** The proof that a request of a page carries. */
export const proofIn = (headers: Headers): PageProof | null =>
  readProof(headerOf(headers, pageProofHeader.toLowerCase()) ?? '');

/** The address that a request was sent to. */
export const hostOf = (headers: Headers): string => (headerOf(headers, 'host') ?? '').toLowerCase();

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

/** A name without a port is allowed with the bound port too. */
const allowed = ({ allowHosts = [], port }: AccessRules): string[] =>
  allowHosts
    .map(host => host.toLowerCase())
    .flatMap(host => (/:\d+$/.test(host) ? [host] : [host, `${host}:${port()}`]));
