/** Opens the page in a browser, signed in. */
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { limits } from '../limits.ts';
import type { Env, Paths } from '../paths.ts';
import { platform } from '../platform/choose.ts';
import { writeRedirect } from '../files/redirect-file.ts';
import { call } from './call.ts';

/** An address with which one browser can sign in once. */
export interface PageAddress {
  address: string;
  /** Id of its ticket. */
  id: string;
  until: number;
}

export interface PageOptions {
  /** The browser that signs in becomes a paired device. */
  pairs?: boolean;
  /** The session that the page opens. */
  session?: string | null;
}

export const pageAddress = async (
  paths: Paths,
  base: string,
  { pairs = false, session = null }: PageOptions = {},
): Promise<PageAddress> => {
  const { ticket, id, until } = await call(paths, 'makeTicket', { body: { device: pairs } });
  // After the `#`, because browsers do not send that part; the page removes it from the address at once.
  return { address: `${base}/#ticket=${ticket}${session === null ? '' : `/s/${session}`}`, id, until };
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
  const answer = await call(paths, 'awaitTicket', { id, timeout, signal }).catch(() => null);
  return answer?.used ? 'signed in' : 'silent';
};

const browserOf = (env: Env): string | null => {
  if (env.BROWSER) return env.BROWSER;
  return platform.desktop.browser(env);
};
