/** A browser that is signed in: it proves that it knows its key, as the page does. */
import type { PageChannel, PageKey, Ticket } from '../contract/page.ts';
import {
  answerProofHeader,
  pageProofHeader,
  type PageProof,
  proofTexts,
  writeProof,
} from '../contract/page-proof.ts';
import { bodyDigest, isMac, macOf } from '../server/page-mac.ts';
import type { Answer, TestServer } from './server.ts';

const nonce = 'n'.repeat(22);
const own = { 'Sec-Fetch-Site': 'same-origin', Authorization: '' };

export interface Browser {
  /** The first answer, with the cookie. */
  entered: Answer;
  Cookie: string;
  /** The headers of one request, which work once. */
  headers: (method: string, path: string, body?: string) => Promise<Record<string, string>>;
  /** Opens one more channel, as another tab does. */
  openAnother: () => Promise<string>;
  /** Sends a request as the page does, and checks that the daemon proves itself if it accepted the page. */
  ask: TestServer['ask'];
}

/** The body of a sign-in with a ticket. */
export const entryOf = (host: string, { ticket, id }: Ticket): string =>
  JSON.stringify({ ticket: id, nonce, proof: macOf(ticket, proofTexts.enter(host, nonce)) });

export const signIn = async (
  server: Pick<TestServer, 'ask' | 'askLocal' | 'port'>,
  device = false,
): Promise<Browser> => {
  const ticket = (await server.askLocal('POST', '/page/ticket', JSON.stringify({ device }))).json() as Ticket;
  return enter(server, ticket);
};

export const enter = async (
  { ask, port }: Pick<TestServer, 'ask' | 'port'>,
  ticket: Ticket,
): Promise<Browser> => {
  const host = `127.0.0.1:${port}`;
  const entered = await ask('POST', '/page/session', entryOf(host, ticket), own);
  const Cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const { id, proof } = entered.json() as PageKey;
  const key = Buffer.from(macOf(ticket.ticket, proofTexts.key(nonce, id)), 'base64url');
  if (!isMac(key, proofTexts.entered(host, id), proof)) throw new Error('the daemon did not prove itself');
  let channel: string | undefined;
  let count = 0;
  const openChannel = async (): Promise<string> => {
    const opened = await ask('POST', '/page/channel', JSON.stringify({ key: id, nonce }), { ...own, Cookie });
    if (opened.status !== 200) return 'c'.repeat(22);
    const found = opened.json() as PageChannel;
    if (!isMac(key, proofTexts.channel(host, nonce, found.channel), found.proof))
      throw new Error('the daemon did not prove itself');
    return found.channel;
  };
  const prove = async (method: string, path: string, body = ''): Promise<PageProof> => {
    channel ??= await openChannel();
    count++;
    const made: PageProof = { channel, count, at: 0, body: bodyDigest(Buffer.from(body)), mac: '' };
    return { ...made, mac: macOf(key, proofTexts.request(made, host, method, path)) };
  };
  const headersWith = (proof: PageProof) => ({ ...own, Cookie, [pageProofHeader]: writeProof(proof) });
  return {
    entered,
    Cookie,
    openAnother: openChannel,
    headers: async (method, path, body) => headersWith(await prove(method, path, body)),
    ask: async (method, path, body, more = {}) => {
      const proof = await prove(method, path, body?.toString());
      const answer = await ask(method, path, body, { ...headersWith(proof), ...more });
      const theirs = answer.headers[answerProofHeader.toLowerCase()];
      if (typeof theirs === 'string' && !isMac(key, proofTexts.answer(proof), theirs))
        throw new Error('the daemon answered with a wrong proof');
      return answer;
    },
  };
};
