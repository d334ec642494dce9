/** `drover open`: the page, in the browser. */
import { spawn } from 'node:child_process';
import { call as ask } from '../client/call.ts';
import { ensureDaemon } from '../client/start.ts';
import { DroverError } from '../contract/error.ts';
import type { Ticket } from '../contract/page.ts';
import type { Env, Paths } from '../paths.ts';
import { type Call, flag, text } from './verb.ts';

export const run = async (call: Call): Promise<number> => {
  const { url } = await ensureDaemon(call.paths, call.env);
  const base = checkedBase(text(call, 'at')) ?? url ?? '';
  const { address, until } = await pageAddress(call.paths, base);
  const json = flag(call, 'json');
  const opened = !json && !flag(call, 'print') && (await openBrowser(address, call.env));
  if (json) call.out(JSON.stringify({ url: address, until }));
  else if (opened) call.out(`opened ${base} in your browser`);
  else call.out(address);
  if (!json && !opened && call.tty) call.err('It works once, within two minutes.');
  return 0;
};

/** An address that lets one browser in, once. */
export const pageAddress = async (
  paths: Paths,
  base: string,
): Promise<{ address: string; until: number }> => {
  const { ticket, until } = await ask<Ticket>(paths, 'POST', '/page/ticket');
  // Behind the `#`: a browser sends that part to nobody, and the page takes it out of the address at once.
  return { address: `${base}/#ticket=${ticket}`, until };
};

const checkedBase = (given: string | undefined): string | undefined => {
  if (given === undefined) return undefined;
  try {
    const { protocol, origin, pathname } = new URL(given);
    if (/^https?:$/.test(protocol) && pathname === '/') return origin;
  } catch {
    /* told below */
  }
  throw new DroverError(
    'usage',
    `${JSON.stringify(given)} is no address of the page.`,
    'An address such as http://127.0.0.1:8080 or https://drover.example, without a path.',
  );
};

/** Hands an address to the browser of this desktop; false where there is none. */
export const openBrowser = (address: string, env: Env): Promise<boolean> => {
  const program = browserOf(env);
  if (!program) return Promise.resolve(false);
  return new Promise(resolve => {
    const child = spawn(program, [address], { detached: true, stdio: 'ignore', env });
    child.once('error', () => resolve(false));
    // An opener hands over and ends; a browser that was named itself stays.
    const stays = setTimeout(() => resolve(true), openerTime);
    child.once('exit', code => {
      clearTimeout(stays);
      resolve(code === 0);
    });
    child.unref();
  });
};

const openerTime = 1_500;

const browserOf = (env: Env): string | null => {
  if (env.BROWSER) return env.BROWSER;
  if (process.platform === 'darwin') return 'open';
  return env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME ? 'xdg-open' : null;
};
