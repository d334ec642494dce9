/** Routes that receive events, and those that stream them. */
import { Ack, LogPage } from '../api.ts';
import { accessErrors, scope, sessionErrors, type Route } from './route.ts';

const place = {
  'X-Tmux-Pane': 'TMUX_PANE of the hook, e.g. %3; a hint, used only if the session runs in a pane of this id',
  'X-Tmux': 'TMUX of the hook: socket, server pid, session; recorded as a hint, never acted on',
  'X-Claude-Entrypoint': 'CLAUDE_CODE_ENTRYPOINT',
  'X-Claude-Project-Dir': 'CLAUDE_PROJECT_DIR',
  'X-Claude-Session-Id': 'the session, for a payload that names none',
  'X-Drover-Host': 'the host the hook ran on; another host than this one is the origin of the session',
  'X-Drover-Event': 'the id of this delivery; a repeated one is ignored',
};

const cursor = {
  after: 'replay events after this sequence number (0: all); a Last-Event-ID header takes precedence',
};

export const eventsRoutes = [
  {
    id: 'postEvent',
    method: 'POST',
    path: '/event',
    level: 'ingest',
    group: 'events',
    summary: 'Post a raw hook payload. Responds once it is durable.',
    body: 'event',
    headers: place,
    answer: Ack,
    errors: [...accessErrors, 'bad_json', 'bad_request', 'too_large', 'store_failed', 'busy'],
  },
  {
    id: 'postEvents',
    method: 'POST',
    path: '/events',
    level: 'ingest',
    group: 'events',
    summary: 'Same as POST /event, under the path that claude-code-hub emitters use.',
    body: 'event',
    headers: place,
    answer: Ack,
    errors: [...accessErrors, 'bad_json', 'bad_request', 'too_large', 'store_failed', 'busy'],
  },
  {
    id: 'followAll',
    method: 'GET',
    path: '/events',
    level: 'read',
    group: 'events',
    summary: 'Stream every hook event and state change of all sessions, as server-sent events.',
    query: {
      ...cursor,
      only: 'state: only states, without hook events and without replay',
      ...scope,
    },
    answer: 'stream',
    errors: [...accessErrors, 'bad_request', 'bad_cursor', 'busy'],
  },
  {
    id: 'followSession',
    method: 'GET',
    path: '/sessions/:id/events',
    level: 'read',
    remote: 'never',
    group: 'events',
    summary: 'Stream one session as server-sent events. 204 when the cursor is past its end.',
    query: cursor,
    answer: 'stream',
    errors: [...accessErrors, ...sessionErrors, 'bad_cursor', 'busy'],
  },
  {
    id: 'readLog',
    method: 'GET',
    path: '/log',
    level: 'read',
    remote: 'session',
    group: 'events',
    summary: 'Read events of every source from the log, a page at a time.',
    query: {
      after: 'events after this sequence number',
      last: 'instead: this many of the newest events',
      session: 'only events of this session (id or prefix)',
    },
    answer: LogPage,
    errors: [...accessErrors, 'bad_cursor', ...sessionErrors],
  },
] as const satisfies Route[];
