/** Answers that are more than a JSON value. */
import type { Writable } from 'node:stream';

export interface ReplyParts {
  /** The status of the route by default. */
  status?: number;
  headers?: Record<string, string>;
  /** Sent as it is; `json` is serialised. Without either the reply is empty. */
  bytes?: Buffer | string;
  json?: unknown;
}

/** A reply with a status or headers of its own. */
export class Reply {
  constructor(readonly parts: ReplyParts) {}
}

/** Server-sent events: `connect` writes to the sink until one of them ends it. */
export class EventStream {
  constructor(readonly connect: (sink: Writable) => Promise<void>) {}
}
