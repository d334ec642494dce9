/** Events that no hook delivers: what Drover does itself, and what it reads in files, transcripts and panes. */
import type { Context, Draft, Source } from '../contract/event.ts';

/** Builds an event of a source. The payload names its session, then holds `fields`. */
export const eventFrom = (
  source: Exclude<Source, 'hook'>,
  name: string,
  sessionId: string | null,
  at: number,
  fields: object = {},
  context: Context = {},
): Draft => ({
  at,
  source,
  name,
  sessionId,
  context,
  raw: encoder.encode(JSON.stringify(sessionId === null ? fields : { session_id: sessionId, ...fields })),
});

/** Builds an event about something that Drover did. */
export const ownEvent = (
  name: string,
  sessionId: string | null,
  at: number,
  fields?: object,
  context?: Context,
): Draft => eventFrom('drover', name, sessionId, at, fields, context);

const encoder = new TextEncoder();
