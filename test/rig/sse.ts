/** A reader of server-sent events that keeps every frame and waits for the one a story wants. */
import { get, type IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import { within } from './within.ts';

/** One frame; `event` is `message` when the server named none. */
export interface Frame {
  id: string | undefined;
  event: string;
  data: string;
}

export interface SubscribeOptions {
  /** Default: `/events`. */
  path?: string;
  lastEventId?: string;
  /** The same cursor as a query. */
  after?: number;
  headers?: Record<string, string>;
}

export interface Subscription {
  status: number;
  /** Everything that came, oldest first. */
  frames: Frame[];
  /** Comment lines, such as keep-alives. */
  comments: string[];
  /** Settles when the stream has ended, whoever ended it. */
  ended: Promise<void>;
  /** The first frame that the predicate takes past the one that the last call gave. */
  next: (wanted?: (frame: Frame) => boolean, ms?: number) => Promise<Frame>;
  /** Stops reading, as a reader that hangs does. */
  stall: () => void;
  /** Reads on after `stall`. */
  flow: () => void;
  close: () => void;
}

/** Opens a stream; resolves when the server has answered, whatever the status. */
export async function subscribe(
  url: string,
  token: string,
  options: SubscribeOptions = {},
): Promise<Subscription> {
  const { path = '/events', lastEventId, after, headers = {} } = options;
  const target = new URL(path, url);
  if (after !== undefined) target.searchParams.set('after', String(after));
  const response = await open(target, {
    accept: 'text/event-stream',
    authorization: `Bearer ${token}`,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    ...headers,
  });

  const frames: Frame[] = [];
  const comments: string[] = [];
  const watchers = new Set<() => void>();
  const parser = createParser({
    onEvent: ({ id, event = 'message', data }) => {
      frames.push({ id, event, data });
      watchers.forEach(look => look());
    },
    onComment: comment => comments.push(comment),
  });
  response.setEncoding('utf8').on('data', (chunk: string) => parser.feed(chunk));
  // A stream that is cut off ends like any other; the story decides what was missed.
  const ended = new Promise<void>(resolve => response.on('error', () => {}).once('close', resolve));
  let from = 0;

  return {
    status: response.statusCode ?? 0,
    frames,
    comments,
    ended,
    next(wanted = () => true, ms = 15_000) {
      const missing = () =>
        `no such frame in ${ms} ms; seen: ${frames.map(f => `${f.event} ${f.id}`).join(', ')}`;
      return within(ms, missing, found => {
        const look = () => {
          const at = frames.findIndex((frame, index) => index >= from && wanted(frame));
          if (at === -1) return;
          from = at + 1;
          found(frames[at]);
        };
        watchers.add(look);
        look();
        return () => watchers.delete(look);
      });
    },
    stall: () => void response.pause(),
    flow: () => void response.resume(),
    close: () => void response.destroy(),
  };
}

function open(url: URL, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Its own connection: a stream must not wait in an agent's queue, nor be reused after it is cut off.
    get(url, { headers, agent: false }, resolve).once('error', reject);
  });
}
