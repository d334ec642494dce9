/**
 * The checks of `drover doctor --at URL`: whether a phone reaches the page there, and nothing but the page. They ask as a
 * browser without a cookie would, and never send a token: whoever answers there may be somebody else.
 */
import { randomUUID } from 'node:crypto';
import { routePaths } from '../../client/routes.generated.ts';
import { DroverError } from '../../contract/error.ts';
import { type Route, routes } from '../../contract/routes.ts';
import { probeName } from '../../hook/payload.ts';
import type { Check } from '../output/print-checks.ts';
import { probeAddress, type Probe, type Probed } from './probe-address.ts';

export interface ReachOptions {
  /** The port of the daemon of this home; null when it does not run. */
  daemonPort: number | null;
  /** Further certificate authorities, for tests. */
  ca?: string;
}

export const reachChecks = async (address: string, options: ReachOptions): Promise<Check[]> => {
  const base = baseOf(address);
  const ask = (probe: Probe) => probeAddress(base, probe, options.ca);
  const first = await ask({ path: routePaths.health[1] }).catch((error: Error) => error);
  if (first instanceof Error)
    return [scheme(base), { name: 'reachable', ok: false, says: first.message, fix: fixes.reachable }];
  const found = [
    scheme(base),
    { name: 'reachable', ok: true, says: `${base.origin} answers` },
    ...certificate(first),
  ];
  const identity = drover(first, base);
  if (identity.ok === false) return [...found, identity];
  return [
    ...found,
    identity,
    await pageCheck(ask),
    await checkSignIn(ask, base),
    await checkForeignOrigin(ask),
    await checkRoutes(ask),
    await ingest(ask),
    await checkPlainHttp(base, options.daemonPort),
  ];
};

type Ask = (probe: Probe) => Promise<Probed>;

const fixes = {
  reachable: 'check that the tunnel or the proxy runs; see docs/guides/phone.md',
  proxy: 'let the proxy pass Host, Origin and Sec-Fetch-Site unchanged, and forward every path',
};

const baseOf = (address: string): URL => {
  try {
    const url = new URL(address);
    if (/^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search) return url;
  } catch {
    /* reported below */
  }
  throw new DroverError(
    'usage',
    `${JSON.stringify(address)} is not a valid address.`,
    'Use an address without a path, such as https://drover.example.',
  );
};

const isLoopback = ({ hostname }: URL): boolean => /^(?:127\.[\d.]+|localhost|\[::1\])$/.test(hostname);

const scheme = (base: URL): Check => {
  if (base.protocol === 'https:') return { name: 'https', ok: true, says: 'a phone accepts this address' };
  if (isLoopback(base))
    return {
      name: 'https',
      ok: null,
      says: 'without TLS; a browser accepts that only for localhost, on the device itself',
    };
  return {
    name: 'https',
    ok: false,
    says: 'without TLS: anyone in between can read it, and the page does not work',
    fix: 'use an https address; see docs/guides/phone.md',
  };
};

const certificate = ({ certificate: found }: Probed): Check[] => {
  if (!found) return [];
  const { problem, issuer, validTo } = found;
  return [
    {
      name: 'certificate',
      ok: problem === null,
      says: problem ?? `valid until ${validTo}, issued by ${issuer}`,
      fix: 'get a certificate that phones trust, such as by Tailscale or Let’s Encrypt',
    },
  ];
};

const drover = (probed: Probed, { host }: URL): Check => {
  const version = probed.headers['x-drover-version'];
  if (version === undefined)
    return {
      name: 'drover',
      ok: false,
      says: `something else answers there (HTTP status ${probed.status})`,
      fix: fixes.reachable,
    };
  if (codeOf(probed) === 'bad_host')
    return {
      name: 'host',
      ok: false,
      says: `Drover answers, but does not accept the Host ${host}`,
      fix: `add "${host}" to \`allowHosts\` with \`drover config edit\``,
    };
  if (probed.status !== 200)
    return { name: 'drover', ok: false, says: `/healthz: HTTP status ${probed.status}`, fix: fixes.proxy };
  return { name: 'host', ok: true, says: `Drover ${String(version)} accepts the Host ${host}` };
};

const pageCheck = async (ask: Ask): Promise<Check> => {
  const { status, headers } = await ask({ path: '/' });
  const isWhole = String(headers['content-security-policy']).includes("default-src 'none'");
  return {
    name: 'page',
    ok: status === 200 && isWhole,
    says:
      status !== 200
        ? `HTTP status ${status}`
        : isWhole
          ? 'loads, with its security headers'
          : 'loads, but something removed its security headers',
    fix: status === 200 ? 'let the proxy pass Content-Security-Policy unchanged' : fixes.proxy,
  };
};

/** Tries a wrong ticket: the right answer shows that a phone could pair there, and that it needs a ticket. */
const checkSignIn = async (ask: Ask, { origin }: URL): Promise<Check> => {
  const probed = await ask({
    method: 'POST',
    path: routePaths.enterPage[1],
    headers: { 'Content-Type': 'application/json', Origin: origin, 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify({ ticket: randomUUID(), nonce: randomUUID(), proof: randomUUID() }),
  });
  const code = codeOf(probed);
  return {
    name: 'pairing',
    ok: code === 'bad_ticket',
    says:
      code === 'bad_ticket'
        ? 'a device can pair, and needs `drover open --qr` for it'
        : `a device could not pair: ${code ?? `HTTP status ${probed.status}`}`,
    fix: fixes.proxy,
  };
};

const checkForeignOrigin = async (ask: Ask): Promise<Check> => {
  const probed = await ask({ path: routePaths.health[1], headers: { Origin: 'https://elsewhere.invalid' } });
  const isRefused = probed.status === 403;
  return {
    name: 'other sites',
    ok: isRefused,
    says: isRefused ? 'are refused' : `are not refused: HTTP status ${probed.status}`,
    fix: fixes.proxy,
  };
};

/** Calls every route that cannot change anything by being called: those that read, and those that name a session. */
const checkRoutes = async (ask: Ask): Promise<Check> => {
  const closed = (routes as readonly Route[]).filter(
    ({ level, method, path }) => level !== 'open' && (method === 'GET' || path.includes(':id')),
  );
  const open: string[] = [];
  for (const { method, path } of closed) {
    const called = path.replace(':id', randomUUID()).replace(':request', '1');
    const { status } = await ask({ method, path: called, ...(method === 'POST' && { body: '{}' }) });
    if (!isRefusal(status)) open.push(`${method} ${path} (HTTP status ${status})`);
  }
  return {
    name: 'signed out',
    ok: open.length === 0,
    says:
      open.length === 0
        ? `${closed.length} routes refuse a caller without a key`
        : `open without a key: ${open.slice(0, 5).join(', ')}${open.length > 5 ? ` and ${open.length - 5} more` : ''}`,
    fix: 'the proxy adds a token or a cookie: remove that, every visitor has it',
  };
};

const ingest = async (ask: Ask): Promise<Check> => {
  const body = JSON.stringify({ hook_event_name: probeName, probe: randomUUID() });
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await ask({ method: 'POST', path: routePaths.postEvent[1], headers, body });
  return {
    name: 'events',
    ok: isRefusal(status),
    says: isRefusal(status) ? 'need a token' : `anyone who reaches it can post events: HTTP status ${status}`,
    fix: 'run `drover config set ingest token`',
  };
};

/** Whether the daemon's own port, or port 80, serves Drover at the same name without TLS. */
const checkPlainHttp = async (base: URL, daemonPort: number | null): Promise<Check> => {
  const name = 'without TLS';
  if (base.protocol === 'http:' || isLoopback(base))
    return { name, ok: null, says: 'not checked for this address' };
  const ports = [80, daemonPort].filter(port => port !== null && port !== Number(base.port || 443));
  const open: string[] = [];
  for (const port of ports) {
    const url = new URL(`http://${base.hostname}:${port}`);
    const probed = await probeAddress(url, { path: routePaths.health[1] }).catch(() => null);
    if (probed?.headers['x-drover-version'] !== undefined) open.push(`${base.hostname}:${port}`);
  }
  return {
    name,
    ok: open.length === 0,
    says: open.length === 0 ? 'Drover does not answer there' : `Drover answers at ${open.join(' and ')}`,
    fix: 'let the daemon listen on 127.0.0.1 only, and redirect port 80 to https',
  };
};

/** A proxy with its own login may redirect instead. */
const isRefusal = (status: number): boolean =>
  status === 401 || status === 403 || (status >= 300 && status < 400);

const codeOf = ({ text }: Probed): string | null => {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? null;
  } catch {
    return null;
  }
};
