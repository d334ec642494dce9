/** `drover open`: opens the page in a browser. */
import { openInBrowser, pageAddress } from '../../client/open-page.ts';
import { ensureDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import { qrText } from '../output/qr-text.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const { url } = await ensureDaemon(call.paths, call.env);
  const base = checkedBase(text(call, 'at')) ?? url ?? '';
  if (flag(call, 'qr') && text(call, 'at') === undefined) checkPhoneAddress(base);
  const page = await pageAddress(call.paths, base, { pairs: flag(call, 'qr') });
  if (flag(call, 'json')) {
    call.out(JSON.stringify({ url: page.address, until: page.until }));
    return 0;
  }
  if (flag(call, 'qr')) {
    // Not through `out`, which removes colours.
    process.stdout.write(`${qrText(page.address)}\n`);
    call.err(`Scan it with the device to pair. It works once, within two minutes, and opens ${base}`);
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

/** Throws for an address that only this machine can open. */
const checkPhoneAddress = (base: string): void => {
  if (!/^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::|$)/.test(base)) return;
  throw new DroverError(
    'usage',
    `A phone cannot open ${base}: that address is this machine itself.`,
    'Give the https address at which the phone reaches the daemon, such as `drover open --qr --at https://drover.example`.',
  );
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
