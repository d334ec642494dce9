/** Builds server-sent events as bytes. A frame is built once and shared by all readers. */
import { isUtf8 } from 'node:buffer';
import type { Event } from '../contract/event.ts';
import type { FleetSummary } from '../contract/fleet.ts';
import type { Session } from '../contract/session.ts';

/** Builds a frame with a verbatim hook payload. A payload with CR or bad UTF-8, which SSE cannot carry, goes as `raw` in base64. */
export const hookFrame = (event: Event, withId: boolean): Buffer => {
  const payload = withoutLastNewline(event.raw);
  const id = withId ? event.seq : null;
  if (!isUtf8(payload) || payload.includes(0x0d))
    return frame('raw', Buffer.from(event.raw).toString('base64'), id);
  return frame('hook', Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString('utf8'), id);
};

/** Builds a frame with the state of sessions: all that a stream covers, or those that changed. */
export const stateFrame = (sessions: Session[], id: number | null): Buffer =>
  frame('state', JSON.stringify({ sessions }), id);

/** Builds a frame with the hosts of the fleet, and whether it can be reached. */
export const fleetFrame = (summary: FleetSummary): Buffer => frame('fleet', JSON.stringify(summary), null);

/** Builds an id line, to be sent before a frame without an id. */
export const idLine = (id: number): Buffer => Buffer.from(`id: ${id}\n`);

/** Builds the last frame of a session's stream. */
export const endFrame = (session: Session, id: number | null): Buffer =>
  frame('end', JSON.stringify({ sessionId: session.id, reason: session.reason, next: session.next }), id);

/** Builds a frame that says that the events between the cursor and `first` are gone. */
export const gapFrame = (after: number, first: number): Buffer =>
  frame('gap', JSON.stringify({ after, first }), null);

export const keepAlive = Buffer.from(': keep-alive\n\n');

const frame = (event: string, data: string, id: number | null): Buffer => {
  const lines = data.includes('\n') ? data.replaceAll('\n', '\ndata: ') : data;
  return Buffer.from(`${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${lines}\n\n`);
};

// Claude Code ends each payload with a newline, which is not part of the JSON.
const withoutLastNewline = (raw: Uint8Array): Uint8Array => (raw.at(-1) === 0x0a ? raw.subarray(0, -1) : raw);
