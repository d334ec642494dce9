/** Events in by POST, out by SSE. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { Draft, Event, EventView } from '../../contract/event.ts';
import type { Aside } from '../../hook/aside.ts';
import { draftOf, parseObject } from '../../hook/payload.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Streams } from '../../live/streams.ts';
import type { Folded } from '../../session/memory.ts';
import type { Log } from '../../store/log.ts';
import { type Call, type Handlers, headerOf } from '../call.ts';
import { fromContainer, originOf, sentBy, storedUnder, withMergedPane } from '../posted.ts';
import type { OtherTools } from '../../hook/other-tools.ts';
import { EventStream, Reply } from '../reply.ts';
import { checkedId } from '../router.ts';
import { isLocalOnly } from '../scope.ts';
import { findSession } from './sessions.ts';

export const eventHandlers = (
  loop: Loop,
  streams: Streams,
  log: Log,
  {
    aside,
    learn = () => false,
    otherTools,
  }: { aside: Aside; learn?: (draft: Draft) => boolean; otherTools?: OtherTools },
  clock: Clock,
): Pick<Handlers, 'postEvent' | 'postEvents' | 'followAll' | 'followSession' | 'readLog'> => {
  const post = async ({ headers, body: payload, caller }: Call<Buffer>): Promise<{ ok: true }> => {
    const { key, ...sent } = sentBy(headers);
    const parsed = draftOf({ payload, at: clock.now(), ...sent });
    const draft = parsed && withMergedPane(parsed);
    if (!draft) {
      aside.keep(`post.${randomUUID()}`, payload, 'POST: the body is not a JSON object');
      throw new DroverError('bad_json');
    }
    if (otherTools?.ignores(draft)) return { ok: true };
    // Only the owner's events count as reports of the CLI on this machine.
    if (originOf(draft, caller, undefined) === null && learn(draft)) return { ok: true };
    const known = draft.sessionId === null ? undefined : loop.sessionIndex.get(draft.sessionId);
    const adopted = fromContainer(draft, caller, known);
    const delivery = adopted
      ? { draft: adopted, key }
      : storedUnder(originOf(draft, caller, known), draft, key);
    checkOrigin(delivery.draft);
    await loop.append([delivery]);
    return { ok: true };
  };
  /** Throws for an event that no share of its origin could bound. */
  const checkOrigin = ({ sessionId, context: { origin } }: Draft): void => {
    if (origin === undefined) return;
    if (sessionId === null) throw new DroverError('bad_request', 'The event has no session_id.');
    if (loop.sessionIndex.get(sessionId)) return;
    if (loop.sessionIndex.countOf(origin) < 2 * limits.retention.originSessions) return;
    throw new DroverError(
      'busy',
      `Too many sessions were reported by ${origin}.`,
      'The oldest are removed within a minute. Use one session_id for one session.',
    );
  };
  const follow = (call: Call, session: Folded | null, hooks = true) => {
    if (streams.isFull(call.caller)) throw new DroverError('busy');
    const after = cursorOf(call);
    if (session && after !== null && streams.isOver(session, after)) return new Reply({ status: 204 });
    const isLocal = isLocalOnly(call.query);
    return new EventStream(sink =>
      streams.serve(sink, session, after, { hooks, caller: call.caller, isLocal }),
    );
  };
  return {
    postEvent: post,
    postEvents: post,
    followAll: call => follow(call, null, call.query.get('only') !== 'state'),
    followSession: call => follow(call, findSession(loop.sessionIndex, call.params.id)),
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

/** The cursor of a stream; null for "from now on". Last-Event-ID wins: a reader that reconnects sends it with its old URL. */
const cursorOf = ({ headers, query }: Call): number | null => {
  const given = headerOf(headers, 'last-event-id') ?? query.get('after');
  return given === null || given === '' ? null : numberOf(given);
};

const numberOf = (given: string): number => {
  if (!/^\d{1,15}$/.test(given))
    throw new DroverError('bad_cursor', `${JSON.stringify(given.slice(0, 60))} is not a number.`);
  return Number(given);
};

const viewOf = (event: Event): EventView => {
  const { raw, ...rest } = event;
  const payload = parseObject(raw);
  return payload && canSerialise(payload)
    ? { ...rest, payload }
    : { ...rest, base64: Buffer.from(raw).toString('base64') };
};

/** Deep nesting can be parsed, and then fails to serialise. */
const canSerialise = (payload: object): boolean => {
  try {
    JSON.stringify(payload);
    return true;
  } catch {
    return false;
  }
};
