/** Returns the headers of a signed-in browser. */
import type { PageKey, Ticket } from '../contract/page.ts';
import type { TestServer } from './server.ts';

export const signIn = async (server: TestServer): Promise<Record<string, string>> => {
  const own = { 'Sec-Fetch-Site': 'same-origin', Authorization: '' };
  const { ticket } = (await server.askLocal('POST', '/page/ticket')).json() as Ticket;
  const entered = await server.ask('POST', '/page/session', JSON.stringify({ ticket }), own);
  const Cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return { ...own, Cookie, 'X-Drover-Page': (entered.json() as PageKey).key };
};
