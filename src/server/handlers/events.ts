/** Events in by POST, out by SSE. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { Event, EventView } from '../../contract/event.ts';
import type { Aside } from '../../hook/aside.ts';
import { draftOf, parseObject } from '../../hook/payload.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Streams } from '../../live/streams.ts';
import type { Log } from '../../store/log.ts';
import type { Handler, Handlers, Request } from '../app.ts';
import { readBody } from '../body.ts';
import { keptUnder, originOf, sentBy } from '../posted.ts';
import { checkedId } from '../router.ts';
import { findSession } from './sessions.ts';

export const eventHandlers = (
  loop: Loop,
  streams: Streams,
  log: Log,
  aside: Aside,
  clock: Clock,
): Pick<Handlers, 'postEvent' | 'postEvents' | 'followAll' | 'followSession' | 'readLog'> => {
  const post: Handler = async ({ request, caller }) => {
    const payload = await readBody(request, limits.http.eventBytes);
    const { key, ...sent } = sentBy(request);
    const draft = draftOf({ payload, at: clock.now(), ...sent });
    if (!draft) {
      aside.keep(`post.${randomUUID()}`, payload, 'POST: the body is not a JSON object');
      throw new DroverError('bad_json');
    }
    const known = draft.sessionId === null ? undefined : loop.sessionIndex.get(draft.sessionId);
    await loop.take([keptUnder(originOf(draft, caller, known), draft, key)]);
    return { ok: true };
  };
  const follow = (request: Request, session: Parameters<Streams['serve']>[1], hooks = true) => {
    if (streams.size >= limits.stream.readers) throw new DroverError('busy');
    return streams.serve(request.response, session, cursorOf(request), hooks, request.caller);
  };
  return {
    postEvent: post,
    postEvents: post,
    followAll: request => follow(request, null, request.query.get('only') !== 'state'),
    followSession: request => follow(request, findSession(loop.sessionIndex, request.id)),
    readLog: ({ query }) => {
      const wanted = query.get('session');
      const sessionId = wanted === null ? undefined : findSession(loop.sessionIndex, checkedId(wanted)).id;
      const last = query.get('last');
      const after =
        last === null ? numberOf(query.get('after') ?? '0') : log.before(numberOf(last), sessionId);
      const events = log.read({
        after,
        sessionId,
        rows: limits.stream.replayRows,
        bytes: limits.stream.pageBytes,
      });
      return { events: events.map(viewOf), after, next: events.at(-1)?.seq ?? null };
    },
  };
};

/** The cursor of a stream: Last-Event-ID, which a reader that reconnects sends beside its old URL, else `?after=`, else null for "from now on". */
const cursorOf = ({ request, query }: Request): number | null => {
  const given = request.headers['last-event-id'] || query.get('after');
  return typeof given === 'string' && given !== '' ? numberOf(given) : null;
};

const numberOf = (given: string): number => {
  if (!/^\d{1,15}$/.test(given))
    throw new DroverError('bad_cursor', `${JSON.stringify(given.slice(0, 60))} is not a number.`);
  return Number(given);
};

const viewOf = (event: Event): EventView => {
  const { raw, ...rest } = event;
  const payload = parseObject(raw);
  return payload && canBeSaid(payload)
    ? { ...rest, payload }
    : { ...rest, base64: Buffer.from(raw).toString('base64') };
};

/** Deep nesting parses, and then breaks whoever writes it out again. */
const canBeSaid = (payload: object): boolean => {
  try {
    JSON.stringify(payload);
    return true;
  } catch {
    return false;
  }
};
