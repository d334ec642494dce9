/** Server-sent events, as bytes. A frame is built once and shared by all its readers. */
import { isUtf8 } from 'node:buffer';
import type { Event } from '../contract/event.ts';
import type { Session } from '../contract/session.ts';

/** A hook payload, verbatim. SSE ends lines at CR and is UTF-8: what it cannot carry goes as `raw`, in base64. */
export const hookFrame = (event: Event, withId: boolean): Buffer => {
  const payload = withoutLastNewline(event.raw);
  const id = withId ? event.seq : null;
  if (!isUtf8(payload) || payload.includes(0x0d))
    return frame('raw', Buffer.from(event.raw).toString('base64'), id);
  return frame('hook', Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString('utf8'), id);
};

/** Sessions in their present state: all that a stream covers, or the ones that changed. */
export const stateFrame = (sessions: Session[], id: number | null): Buffer =>
  frame('state', JSON.stringify({ sessions }), id);

/** Goes before a frame without an id, and gives it one. */
export const idLine = (id: number): Buffer => Buffer.from(`id: ${id}\n`);

/** The last frame of a session's stream. */
export const endFrame = (session: Session, id: number | null): Buffer =>
  frame('end', JSON.stringify({ sessionId: session.id, reason: session.reason, next: session.next }), id);

/** History between the cursor and `first` is gone. */
export const gapFrame = (after: number, first: number): Buffer =>
  frame('gap', JSON.stringify({ after, first }), null);

export const keepAlive = Buffer.from(': keep-alive\n\n');

const frame = (event: string, data: string, id: number | null): Buffer => {
  const lines = data.includes('\n') ? data.replaceAll('\n', '\ndata: ') : data;
  return Buffer.from(`${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${lines}\n\n`);
};

// Claude Code ends each payload with a newline; it belongs to the line, not to the JSON.
const withoutLastNewline = (raw: Uint8Array): Uint8Array => (raw.at(-1) === 0x0a ? raw.subarray(0, -1) : raw);
