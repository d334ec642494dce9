/** Events that Drover records about its own doing. */
import type { Context, Draft } from '../contract/event.ts';

/** Builds such an event. The payload names its session, then holds `fields`. */
export const ownEvent = (
  name: string,
  sessionId: string | null,
  at: number,
  fields: object = {},
  context: Context = {},
): Draft => ({
  at,
  source: 'drover',
  name,
  sessionId,
  context,
  raw: encoder.encode(JSON.stringify(sessionId === null ? fields : { session_id: sessionId, ...fields })),
});

const encoder = new TextEncoder();
