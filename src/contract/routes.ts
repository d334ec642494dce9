/** The one route table. The server dispatches by it and openapi.json is made from it. */
import type * as z from 'zod';
import { Answer, Answered, SetApprovals } from './answer.ts';
import type { ErrorCode } from './error.ts';
import { Claim, Next, Queue, QueueItem, Snooze } from './queue.ts';
import { CreateSession, PressKeys, Receipt, ReceiptList, SendMessage, TranscriptPage } from './hub.ts';
import { Session } from './session.ts';
import { Stats } from './stats.ts';
import { Warm, WarmWish } from './warm.ts';
import {
  Ack,
  Explanation,
  Forget,
  Forgotten,
  Health,
  IndexState,
  IndexWish,
  LogPage,
  ResumeWish,
  Resumed,
  SessionList,
  SessionPage,
  SessionScreen,
  Status,
} from './api.ts';

export interface Route {
  id: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  group: 'events' | 'sessions' | 'hub' | 'queue' | 'daemon';
  summary: string;
  /** Needs no token. */
  open?: boolean;
  /** `event`: the raw payload, kept as it came. */
  body?: z.ZodType | 'event';
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** 200 unless told. */
  status?: number;
  answer: z.ZodType | 'stream' | 'text' | 'json';
  errors: ErrorCode[];
}

const guard: ErrorCode[] = ['unauthorized', 'bad_host', 'bad_origin'];
const named: ErrorCode[] = ['bad_id', 'no_session', 'ambiguous'];

const place = {
  'X-Tmux-Pane': 'TMUX_PANE of the hook, e.g. %3',
  'X-Tmux': 'TMUX of the hook: socket, server pid, session',
  'X-Claude-Pid': 'process id of the CLI',
  'X-Claude-Entrypoint': 'CLAUDE_CODE_ENTRYPOINT',
  'X-Claude-Project-Dir': 'CLAUDE_PROJECT_DIR',
  'X-Claude-Session-Id': 'the owner, for a payload that names none',
  'X-Drover-Host': 'the host the hook ran on',
  'X-Drover-Event': 'names this delivery; the same name again is taken once',
};

const cursor = {
  after: 'replay what is kept after this sequence number (0: all); a Last-Event-ID header goes before it',
};

export const routes = [
  {
    id: 'postEvent',
    method: 'POST',
    path: '/event',
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
    group: 'events',
    summary: 'One session as server-sent events; 204 when the cursor is past its end.',
    query: cursor,
    answer: 'stream',
    errors: [...guard, 'bad_id', 'no_session', 'ambiguous', 'bad_cursor', 'busy'],
  },
  {
    id: 'readLog',
    method: 'GET',
    path: '/log',
    group: 'events',
    summary: 'Events of every source as they stand in the log, a page at a time.',
    query: {
      after: 'events after this sequence number',
      last: 'instead: the newest so many',
      session: 'only of this session (id or prefix)',
    },
    answer: LogPage,
    errors: [...guard, 'bad_cursor', 'bad_id', 'no_session', 'ambiguous'],
  },
  {
    id: 'listSessions',
    method: 'GET',
    path: '/sessions',
    group: 'sessions',
    summary: 'Every known session with its state.',
    query: {
      state: 'only sessions in this state',
      live: '1: only sessions that have not ended',
      limit: 'at most so many, those that were heard of last',
      q: 'only sessions that said this, also those that Drover has not seen live; needs the search index',
    },
    answer: SessionList,
    errors: [...guard, 'bad_request', 'refused'],
  },
  {
    id: 'resumeSession',
    method: 'POST',
    path: '/sessions/:id/resume',
    group: 'sessions',
    summary:
      'Takes a session up again in a new tmux window, in its own directory. One that is live is refused.',
    body: ResumeWish,
    answer: Resumed,
    errors: [...guard, 'bad_request', 'bad_id', 'no_session', 'ambiguous', 'refused', 'failed'],
  },
  {
    id: 'readIndex',
    method: 'GET',
    path: '/index',
    group: 'sessions',
    summary: 'Whether the search index is on, and how far it is.',
    answer: IndexState,
    errors: guard,
  },
  {
    id: 'setIndex',
    method: 'POST',
    path: '/index',
    group: 'sessions',
    summary: 'Turns the search index on, or off with all that is in it.',
    body: IndexWish,
    answer: IndexState,
    errors: [...guard, 'bad_request'],
  },
  {
    id: 'readSession',
    method: 'GET',
    path: '/sessions/:id',
    group: 'sessions',
    summary:
      'One session, with the request that waits for an answer in full, and the sessions that it came from and that came from it.',
    answer: SessionPage,
    errors: [...guard, 'bad_id', 'no_session', 'ambiguous'],
  },
  {
    id: 'explainSession',
    method: 'GET',
    path: '/sessions/:id/explain',
    group: 'sessions',
    summary: 'The chain of evidence that led to the state of a session.',
    answer: Explanation,
    errors: [...guard, 'bad_id', 'no_session', 'ambiguous'],
  },
  {
    id: 'answerSession',
    method: 'POST',
    path: '/sessions/:id/answer',
    group: 'sessions',
    summary:
      'Answers a held permission, question or plan. Whoever answers first wins, here or in the terminal.',
    body: Answer,
    answer: Answered,
    errors: [...guard, 'bad_json', 'bad_request', 'bad_id', 'no_session', 'ambiguous', 'refused'],
  },
  {
    id: 'setApprovals',
    method: 'POST',
    path: '/sessions/:id/approvals',
    group: 'sessions',
    summary:
      'Lets the requests of a session wait for an answer through Drover too, or leaves them to its terminal.',
    body: SetApprovals,
    answer: Session,
    errors: [...guard, 'bad_json', 'bad_request', 'bad_id', 'no_session', 'ambiguous', 'refused'],
  },
  {
    id: 'holdRequest',
    method: 'POST',
    path: '/hold',
    group: 'events',
    summary: 'For the emitter: waits with a PermissionRequest and answers what its hook is to print, or 204.',
    body: 'event',
    answer: 'json',
    errors: [...guard, 'bad_json', 'too_large'],
  },
  {
    id: 'readScreen',
    method: 'GET',
    path: '/sessions/:id/screen',
    group: 'sessions',
    summary: 'What the pane of a session shows now.',
    answer: SessionScreen,
    errors: [...guard, 'bad_id', 'no_session', 'ambiguous'],
  },
  {
    id: 'readQueue',
    method: 'GET',
    path: '/queue',
    group: 'queue',
    summary: 'The waiting sessions in order, with those that are passed over for now.',
    answer: Queue,
    errors: guard,
  },
  {
    id: 'nextInQueue',
    method: 'POST',
    path: '/queue/next',
    group: 'queue',
    summary: 'The session to go to now. Nobody else gets it within 30 s.',
    body: Claim,
    answer: Next,
    errors: [...guard, 'bad_request'],
  },
  {
    id: 'skipSession',
    method: 'POST',
    path: '/queue/:id/skip',
    group: 'queue',
    summary: 'Puts a session to the tail and passes it over for 30 s.',
    answer: QueueItem,
    errors: [...guard, 'bad_id', 'no_session', 'ambiguous', 'refused'],
  },
  {
    id: 'snoozeSession',
    method: 'POST',
    path: '/queue/:id/snooze',
    group: 'queue',
    summary: 'Passes a session over for some time; it keeps its place.',
    body: Snooze,
    answer: QueueItem,
    errors: [...guard, 'bad_request', 'bad_id', 'no_session', 'ambiguous', 'refused'],
  },
  {
    id: 'dismissSession',
    method: 'POST',
    path: '/queue/:id/dismiss',
    group: 'queue',
    summary: 'Passes a session over until its state changes.',
    answer: QueueItem,
    errors: [...guard, 'bad_id', 'no_session', 'ambiguous', 'refused'],
  },
  {
    id: 'stats',
    method: 'GET',
    path: '/stats',
    group: 'queue',
    summary: 'How long humans kept their sessions waiting.',
    query: { days: 'days back, today included (14 unless told)' },
    answer: Stats,
    errors: [...guard, 'bad_request'],
  },
  {
    id: 'createSession',
    method: 'POST',
    path: '/sessions',
    group: 'hub',
    summary:
      'Starts a session in a tmux session of its own. `Idempotency-Key`: the same one again gives the same answer.',
    body: CreateSession,
    query: { wait: 'ready: answer when the session can take a prompt' },
    headers: { 'Idempotency-Key': 'names this request' },
    status: 201,
    answer: Session,
    errors: [...guard, 'bad_json', 'bad_request', 'too_large', 'refused', 'failed'],
  },
  {
    id: 'sendMessage',
    method: 'POST',
    path: '/sessions/:id/message',
    group: 'hub',
    summary:
      'A prompt into a session, with a receipt. Queued while it works; refused over a dialog or a draft.',
    body: SendMessage,
    headers: { 'Idempotency-Key': 'names this message: sent again it is not typed again' },
    answer: Receipt,
    errors: [...guard, 'bad_json', 'bad_request', 'too_large', ...named, 'refused'],
  },
  {
    id: 'listMessages',
    method: 'GET',
    path: '/sessions/:id/messages',
    group: 'hub',
    summary: 'The newest receipts of a session, oldest first.',
    query: { last: 'so many at most (default 100)' },
    answer: ReceiptList,
    errors: [...guard, ...named],
  },
  {
    id: 'readMessage',
    method: 'GET',
    path: '/messages/:id',
    group: 'hub',
    summary: 'What became of a message.',
    answer: Receipt,
    errors: [...guard, 'bad_id', 'no_message'],
  },
  {
    id: 'pressKeys',
    method: 'POST',
    path: '/sessions/:id/keys',
    group: 'hub',
    summary: 'Keys and literal text, for menus.',
    body: PressKeys,
    answer: Session,
    errors: [...guard, 'bad_json', 'bad_request', ...named, 'refused'],
  },
  {
    id: 'interruptSession',
    method: 'POST',
    path: '/sessions/:id/interrupt',
    group: 'hub',
    summary: 'Esc; answered when the state shows it.',
    answer: Session,
    errors: [...guard, ...named, 'refused'],
  },
  {
    id: 'stopSession',
    method: 'DELETE',
    path: '/sessions/:id',
    group: 'hub',
    summary: 'Stops a session: SIGTERM, after 5 s SIGKILL, then its tmux session. Nothing is typed.',
    query: { force: '1: also one that was not started through the hub' },
    answer: Session,
    errors: [...guard, ...named, 'refused'],
  },
  {
    id: 'readTranscript',
    method: 'GET',
    path: '/sessions/:id/transcript',
    group: 'hub',
    summary: 'The conversation as text, a page at a time.',
    query: {
      after: 'messages after this byte of the transcript (`next` of the page before)',
      limit: 'so many at most (default 100)',
    },
    answer: TranscriptPage,
    errors: [...guard, 'bad_cursor', ...named, 'no_transcript'],
  },
  {
    id: 'claimWarm',
    method: 'POST',
    path: '/warm',
    group: 'hub',
    summary: 'For `drover print --warm`: a CLI of the pool that was started with the same, if there is one.',
    body: WarmWish,
    answer: Warm,
    errors: [...guard, 'bad_json', 'bad_request', 'too_large'],
  },
  {
    id: 'takeWarm',
    method: 'POST',
    path: '/warm/:id/taken',
    group: 'hub',
    summary: 'The claimed CLI is guarded by whoever claimed it: the pool lets go of it.',
    answer: Ack,
    errors: [...guard, 'bad_id', 'refused'],
  },
  {
    id: 'health',
    method: 'GET',
    path: '/healthz',
    group: 'daemon',
    summary: 'The daemon is up.',
    open: true,
    answer: Health,
    errors: ['bad_host', 'bad_origin'],
  },
  {
    id: 'metrics',
    method: 'GET',
    path: '/metrics',
    group: 'daemon',
    summary: 'Counters in Prometheus text form.',
    answer: 'text',
    errors: guard,
  },
  {
    id: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    group: 'daemon',
    summary: 'This description.',
    answer: 'json',
    errors: guard,
  },
  {
    id: 'status',
    method: 'GET',
    path: '/status',
    group: 'daemon',
    summary: 'What `drover status` shows.',
    answer: Status,
    errors: guard,
  },
  {
    id: 'stop',
    method: 'POST',
    path: '/stop',
    group: 'daemon',
    summary: 'Stops the daemon, as `drover down` does.',
    answer: Ack,
    errors: guard,
  },
  {
    id: 'forget',
    method: 'POST',
    path: '/forget',
    group: 'daemon',
    summary: 'Clears sessions from the log and from everything derived from it.',
    body: Forget,
    answer: Forgotten,
    errors: [...guard, 'bad_request', 'bad_id', 'no_session', 'ambiguous'],
  },
] as const satisfies Route[];

export type RouteId = (typeof routes)[number]['id'];
