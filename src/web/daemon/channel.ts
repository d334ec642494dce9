/**
 * The channel of this page to the daemon. The daemon proves first that it knows the key of this browser: another program on the port
 * is sent nothing that is worth anything. Each request then carries a proof that works once, and each answer one that the daemon
 * has received it.
 */
import type { InputOf, PathOf } from '../../client/route-call.ts';
import type { PageChannel } from '../../contract/page.ts';
import {
  answerProofHeader,
  type PageProof,
  pageProofHeader,
  proofTexts,
  writeProof,
} from '../../contract/page-proof.ts';
import { DaemonError, errorIn, hasCode } from './daemon-error.ts';
import { type BrowserKey, browserKey } from './key.ts';
import { digest, mac, newNonce } from './mac.ts';

interface Channel extends BrowserKey {
  channel: string;
  openedAt: number;
  count: number;
}

interface Sent extends Omit<RequestInit, 'headers' | 'body'> {
  headers: Record<string, string>;
  body?: string;
}

let current: Promise<Channel> | null = null;

/** Ends the channel: the connection broke, and whoever answers next has to prove itself. */
export const dropChannel = (): void => {
  current = null;
};

/** Sends a request with its proof; throws unless the daemon of this browser answers. */
export const sendProved = async (path: string, init: Sent): Promise<Response> => {
  for (let isAgain = false; ; isAgain = true) {
    const opening = (current ??= openChannel());
    try {
      const channel = await opening;
      const count = ++channel.count;
      const proof = await prove(channel, count, path, init);
      const response = await reach(path, {
        ...init,
        headers: { ...init.headers, [pageProofHeader]: writeProof(proof) },
      });
      const wanted = await mac(channel.key, proofTexts.answer(proof));
      if (response.headers.get(answerProofHeader) === wanted) return response;
      // The daemon was restarted, or the machine has slept. It has not executed the request.
      if (isAgain) throw strangerError();
    } catch (error) {
      if (current === opening) current = null;
      throw error;
    }
    if (current === opening) current = null;
  }
};

const openChannel = async (): Promise<Channel> => {
  const own = await browserKey();
  if (!own) throw new DaemonError('unauthorized', 'This browser is not signed in.');
  const nonce = newNonce();
  const openedAt = performance.now();
  const path = '/page/channel' satisfies PathOf<'openChannel'>;
  const response = await reach(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ key: own.id, nonce } satisfies InputOf<'openChannel'>['body']),
    cache: 'no-store',
  });
  const text = await response.text();
  const error = response.ok ? null : errorIn(text);
  if (hasCode(error, 'unauthorized') || hasCode(error, 'starting')) throw error;
  const { channel, proof } = channelIn(text);
  if (proof !== (await mac(own.key, proofTexts.channel(location.host, nonce, channel))))
    throw strangerError();
  return { ...own, channel, openedAt, count: 0 };
};

const channelIn = (text: string): Partial<PageChannel> & { channel: string } => {
  try {
    const found = JSON.parse(text) as Partial<PageChannel> | null;
    return { ...found, channel: String(found?.channel) };
  } catch {
    return { channel: '' };
  }
};

const prove = async (
  { key, channel, openedAt }: Channel,
  count: number,
  path: string,
  { method = 'GET', body }: Sent,
): Promise<PageProof> => {
  const { pathname, search } = new URL(path, location.href);
  const at = Math.round(performance.now() - openedAt);
  const made = { channel, count, at, body: body ? await digest(body) : '', mac: '' };
  return { ...made, mac: await mac(key, proofTexts.request(made, location.host, method, pathname + search)) };
};

const reach = (path: string, init: RequestInit): Promise<Response> =>
  fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new DaemonError('daemon_down', 'The daemon does not answer.', '`drover up` starts it.');
  });

const strangerText = 'Another program answers at this address, not Drover.';

/** Nothing was sent to it that it could use. */
export const strangerError = (): DaemonError =>
  new DaemonError('daemon_down', strangerText, 'Do not reload this page. `drover up` says who has the port.');

export const isStranger = (error: unknown): boolean =>
  error instanceof DaemonError && error.message === strangerText;
