/** `drover open`: opens the page in a browser. */
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { call as ask } from '../../client/call.ts';
import { ensureDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Env, Paths } from '../../paths.ts';
import { writeRedirect } from '../../redirect-file.ts';
import { type Call, flag, text } from '../verb.ts';

/** An address with which one browser can sign in once. */
export interface PageAddress {
  address: string;
  /** Id of its ticket. */
  id: string;
  until: number;
}

export const run = async (call: Call): Promise<number> => {
  const { url } = await ensureDaemon(call.paths, call.env);
  const base = checkedBase(text(call, 'at')) ?? url ?? '';
  const page = await pageAddress(call.paths, base);
  if (flag(call, 'json')) {
    call.out(JSON.stringify({ url: page.address, until: page.until }));
    return 0;
  }
  const wait = () => call.tty && call.err('Waiting for your browser …');
  const outcome = flag(call, 'print') ? 'no browser' : await openInBrowser(call.paths, call.env, page, wait);
  if (outcome === 'signed in') {
    call.out(`Opened ${base} in your browser`);
    return 0;
  }
  if (outcome === 'silent')
    call.err(`No browser signed in within ${limits.page.signIn / 1_000} s. Open this address yourself:`);
  call.out(page.address);
  if (call.tty || outcome === 'silent') call.err('It works once, within two minutes.');
  return 0;
};

export const pageAddress = async (paths: Paths, base: string): Promise<PageAddress> => {
  const { ticket, id, until } = await ask(paths, 'makeTicket');
  // After the `#`, because browsers do not send that part; the page removes it from the address at once.
  return { address: `${base}/#ticket=${ticket}`, id, until };
};

const checkedBase = (given: string | undefined): string | undefined => {
  if (given === undefined) return undefined;
  try {
    const { protocol, origin, pathname } = new URL(given);
    if (/^https?:$/.test(protocol) && pathname === '/') return origin;
  } catch {
    /* reported below */
  }
  throw new DroverError(
    'usage',
    `${JSON.stringify(given)} is not a valid address.`,
    'Use an address without a path, such as http://127.0.0.1:8080 or https://drover.example.',
  );
};

/**
 * Opens the page in the desktop's browser. Other users can read command lines, so the browser gets a private file that
 * redirects to the address. Some browsers cannot read that file (snap, WSL): the outcome is then `silent`.
 */
export const openInBrowser = async (
  paths: Paths,
  env: Env,
  { address, id }: PageAddress,
  onWait: () => void = () => {},
): Promise<'signed in' | 'silent' | 'no browser'> => {
  const program = browserOf(env);
  if (!program) return 'no browser';
  const file = writeRedirect(paths.opening, id, address);
  const child = spawn(program, [pathToFileURL(file).href], { detached: true, stdio: 'ignore', env });
  child.unref();
  const failed = new Promise<'no browser'>(resolve => {
    child.once('error', () => resolve('no browser'));
    child.once('exit', code => code !== 0 && resolve('no browser'));
  });
  onWait();
  const waiting = new AbortController();
  const used = isUsed(paths, id, waiting.signal);
  const outcome = await Promise.race([failed, used]);
  waiting.abort();
  return outcome;
};

/** Waits until a browser signs in with this ticket. */
const isUsed = async (paths: Paths, id: string, signal: AbortSignal): Promise<'signed in' | 'silent'> => {
  const timeout = limits.page.signIn + limits.daemon.answerTimeout;
  const answer = await ask(paths, 'awaitTicket', { id, timeout, signal }).catch(() => null);
  return answer?.used ? 'signed in' : 'silent';
};

const browserOf = (env: Env): string | null => {
  if (env.BROWSER) return env.BROWSER;
  if (process.platform === 'darwin') return 'open';
  return env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME ? 'xdg-open' : null;
};
