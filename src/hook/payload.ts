/** Turns the bytes of a hook payload into an event for the log. */
import type { Context, Draft } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';

export interface Delivery {
  payload: Uint8Array;
  /** The event's own time, ms. */
  at: number;
  context: Context;
  /** Event name and session id from the emitter, for a payload without them. */
  hook?: string | undefined;
  sessionId?: string | null | undefined;
}

/** The stored payload of an event whose hook got none. */
const nothing = new Uint8Array();

/** Returns an event, or null when the payload is not a JSON object. */
export const draftOf = ({ payload, at, context, hook, sessionId }: Delivery): Draft | null => {
  if (payload.length === 0 && !hook) return null;
  const body = payload.length === 0 ? {} : parseObject(payload);
  if (!body) return null;
  const name = shortText(body.hook_event_name) ?? shortText(hook) ?? 'unknown';
  return {
    at,
    source: name === probeName ? 'drover' : 'hook',
    name,
    sessionId: shortText(body.session_id) ?? shortText(sessionId),
    context,
    raw: payload.length ? payload : nothing,
  };
};

/** `drover doctor` sends this through the registered command to check that hooks reach the daemon. */
export const probeName = 'DroverProbe';

/** Parses a payload; null when it is not a JSON object. */
export const parseObject = (payload: Uint8Array): Hook | null => {
  try {
    return parseText(decoder.decode(payload));
  } catch {
    return null;
  }
};

/** Parses the text of a payload. */
export const parseText = (text: string): Hook | null => {
  try {
    // The decoder drops a byte order mark by itself.
    const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Hook) : null;
  } catch {
    return null;
  }
};

// Not fatal: bad UTF-8 inside a string still parses, and the raw bytes are kept anyway.
const decoder = new TextDecoder();

// Names and ids are used in keys and file names: no control characters, bounded length.
const shortText = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= 200 && !/[\x00-\x1f\x7f]/.test(value)
    ? value
    : null;
