/**
 * Who may speak: on TCP a bearer token, or a page that is signed in; a known Host, and no foreign origin. The Unix socket is
 * the user's own.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { DroverError } from '../contract/error.ts';

export interface Gate {
  token: () => string;
  /** Whether a browser's cookie and its page's key belong together. */
  knows: (cookie: string, key: string) => boolean;
  /** The port that is bound. */
  port: () => number;
  /** Further Host values, `name` or `name:port`: a container's name for this machine, a mapped port. */
  allowHosts?: readonly string[];
}

/** Throws what is wrong with a request that came over TCP. */
export const guard = (request: IncomingMessage, open: boolean, gate: Gate): void => {
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
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new DroverError('bad_origin');
  if (!open && !holdsToken(request, gate.token()) && !isPage(request, gate))
    throw new DroverError('unauthorized');
};

/** The cookie of the page on this port. Cookies ignore ports, so two daemons need two names. */
export const cookieName = (port: number): string => `drover-${port}`;

export const cookieOf = (request: IncomingMessage, port: number): string | undefined =>
  request.headers.cookie
    ?.split(/; */)
    .find(part => part.startsWith(`${cookieName(port)}=`))
    ?.slice(cookieName(port).length + 1);

/** A page that is signed in: its cookie, its key, and a browser that says it is our own page that asks. */
export const isPage = (request: IncomingMessage, gate: Gate): boolean => {
  const cookie = cookieOf(request, gate.port());
  const key = request.headers['x-drover-page'];
  if (cookie === undefined || typeof key !== 'string') return false;
  return request.headers['sec-fetch-site'] === 'same-origin' && gate.knows(cookie, key);
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

const holdsToken = (request: IncomingMessage, token: string): boolean => {
  const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
};

// Equal length whatever was sent, so that the comparison takes the same time.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
