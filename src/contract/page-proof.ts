/**
 * What a page and the daemon prove to each other. Each text is authenticated with HMAC-SHA256: under the ticket while the page
 * signs in, then under the key that both sides derive from the ticket. Neither ticket nor key is ever sent.
 */

/** The texts under each MAC. `host` is the address in the browser, so that nobody can relay a proof to another port. */
export const proofTexts = {
  /** The page knows the ticket. */
  enter: (host: string, nonce: string) => textOf('enter', host, nonce),
  /** Its MAC under the ticket is the key. `id` is chosen by the daemon. */
  key: (nonce: string, id: string) => textOf('key', nonce, id),
  /** The daemon knows the ticket. */
  entered: (host: string, id: string) => textOf('entered', host, id),
  /** The daemon knows the key, and has opened a channel. */
  channel: (host: string, nonce: string, channel: string) => textOf('channel', host, nonce, channel),
  /** The page makes this request. `body` is the digest of its body. */
  request: ({ channel, count, at, body }: PageProof, host: string, method: string, path: string) =>
    textOf('request', host, channel, count, at, method, path, body),
  /** The daemon has received this request. */
  answer: ({ channel, count }: Pick<PageProof, 'channel' | 'count'>) => textOf('answer', channel, count),
};

const textOf = (...parts: (string | number)[]): string => JSON.stringify(['drover', ...parts]);

/** The proof of one request, in the header `X-Drover-Page`. */
export interface PageProof {
  channel: string;
  /** Each number is used once in its channel. */
  count: number;
  /** Ms since the channel was opened. Both sides measure it, so their clocks may differ. */
  at: number;
  /** The SHA-256 of the body; empty without one. */
  body: string;
  mac: string;
}

export const pageProofHeader = 'X-Drover-Page';
export const answerProofHeader = 'X-Drover-Proof';

export const writeProof = ({ channel, count, at, body, mac }: PageProof): string =>
  [channel, count, at, body, mac].join('.');

/** Null for a header of another form. */
export const readProof = (header: string): PageProof | null => {
  const found = /^([\w-]{22})\.(\d{1,15})\.(\d{1,15})\.([\w-]{43})?\.([\w-]{43})$/.exec(header);
  if (!found) return null;
  const [, channel = '', count, at, body = '', mac = ''] = found;
  return { channel, count: Number(count), at: Number(at), body, mac };
};
