/** From the bytes of a hook payload to an event for the log. */
import type { Context, Draft } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';

export interface Delivery {
  payload: Uint8Array;
  /** The event's own time, ms. */
  at: number;
  context: Context;
  /** The name and the owner as the emitter knew them, for a payload that does not say. */
  hook?: string | undefined;
  sessionId?: string | null | undefined;
}

/** What an empty payload becomes: the emitter knew whose it was, and Claude Code said no more. */
const nothing = new Uint8Array();

/** An event, or null when the payload is no JSON object. */
export const draftOf = ({ payload, at, context, hook, sessionId }: Delivery): Draft | null => {
  if (payload.length === 0 && !hook) return null;
  const body = payload.length === 0 ? {} : parseObject(payload);
  if (!body) return null;
  const name = word(body.hook_event_name) ?? word(hook) ?? 'unknown';
  return {
    at,
    source: name === probeName ? 'drover' : 'hook',
    name,
    sessionId: word(body.session_id) ?? word(sessionId),
    context,
    raw: payload.length ? payload : nothing,
  };
};

/** `drover doctor` sends this through the registered command to see whether hooks reach the daemon. */
export const probeName = 'DroverProbe';

/** The payload as an object; null when it is none. */
export const parseObject = (payload: Uint8Array): Hook | null => {
  try {
    const value: unknown = JSON.parse(decoder.decode(payload));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Hook) : null;
  } catch {
    return null;
  }
};

// Not fatal: bad UTF-8 inside a string still parses, and the raw bytes are kept anyway.
const decoder = new TextDecoder();

// Names and ids end up in keys and file names elsewhere: no control characters, no endless strings.
const word = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= 200 && !/[\x00-\x1f\x7f]/.test(value)
    ? value
    : null;
