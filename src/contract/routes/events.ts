/** Events in, and out again. */
import { Ack, LogPage } from '../api.ts';
import { guard, named, type Route } from './route.ts';

const place = {
  'X-Tmux-Pane': 'TMUX_PANE of the hook, e.g. %3; recorded as a hint, never acted on',
  'X-Tmux': 'TMUX of the hook: socket, server pid, session; recorded as a hint, never acted on',
  'X-Claude-Entrypoint': 'CLAUDE_CODE_ENTRYPOINT',
  'X-Claude-Project-Dir': 'CLAUDE_PROJECT_DIR',
  'X-Claude-Session-Id': 'the owner, for a payload that names none',
  'X-Drover-Host': 'the host the hook ran on; another host than this one is the origin of the session',
  'X-Drover-Event': 'names this delivery; the same name again is taken once',
};

const cursor = {
  after: 'replay what is kept after this sequence number (0: all); a Last-Event-ID header goes before it',
};

export const eventsRoutes = [
  {
    id: 'postEvent',
    method: 'POST',
    path: '/event',
    level: 'ingest',
    group: 'events',
    summary: 'A raw hook payload in; answered once it is durable.',
    body: 'event',
    headers: place,
    answer: Ack,
    errors: [...guard, 'bad_json', 'too_large', 'store_failed'],
  },
  {
    id: 'postEvents',
    method: 'POST',
    path: '/events',
    level: 'ingest',
    group: 'events',
    summary: 'The same as POST /event, under the name that claude-code-hub emitters use.',
    body: 'event',
    headers: place,
    answer: Ack,
    errors: [...guard, 'bad_json', 'too_large', 'store_failed'],
  },
  {
    id: 'followAll',
    method: 'GET',
    path: '/events',
    level: 'read',
    group: 'events',
    summary: 'Every hook event and state change of all sessions, as server-sent events.',
    query: { ...cursor, only: 'state: states alone, without hook events and without replay' },
    answer: 'stream',
    errors: [...guard, 'bad_cursor', 'busy'],
  },
  {
    id: 'followSession',
    method: 'GET',
    path: '/sessions/:id/events',
    level: 'read',
    group: 'events',
    summary: 'One session as server-sent events; 204 when the cursor is past its end.',
    query: cursor,
    answer: 'stream',
    errors: [...guard, ...named, 'bad_cursor', 'busy'],
  },
  {
    id: 'readLog',
    method: 'GET',
    path: '/log',
    level: 'read',
    group: 'events',
    summary: 'Events of every source as they stand in the log, a page at a time.',
    query: {
      after: 'events after this sequence number',
      last: 'instead: the newest so many',
      session: 'only of this session (id or prefix)',
    },
    answer: LogPage,
    errors: [...guard, 'bad_cursor', ...named],
  },
  {
    id: 'holdRequest',
    method: 'POST',
    path: '/hold',
    level: 'admin',
    group: 'events',
    summary: 'For the emitter: waits with a PermissionRequest and answers what its hook is to print, or 204.',
    body: 'event',
    answer: 'json',
    errors: [...guard, 'bad_json', 'too_large'],
  },
] as const satisfies Route[];
