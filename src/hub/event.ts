/** What the hub does is an event like everything else. */
import type { Context, Draft } from '../contract/event.ts';

export const hubDraft = (
  name: string,
  sessionId: string,
  at: number,
  fields: object,
  context: Context = {},
): Draft => ({
  at,
  source: 'drover',
  name,
  sessionId,
  context,
  raw: Buffer.from(JSON.stringify({ session_id: sessionId, ...fields })),
});
