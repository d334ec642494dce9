/** Provokes every 4xx that the route table names: a row with an error that cannot happen fails here. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ErrorCode, errors } from '../contract/error.ts';
import { type Route, type RouteId, routes } from '../contract/routes.ts';
import { makeLogin } from '../fleet/broker/nkey.ts';
import { enrolThisMachine } from '../fleet/enrol/init.ts';
import { accessErrors } from '../contract/routes/route.ts';
import { hookDraft } from '../testing/pipeline.ts';
import { claudeDirOf } from '../testing/home.ts';
import { openTestServer, type TestServer } from '../testing/server.ts';
import { sha256 } from '../sha256.ts';
import { writeTokens } from '../files/token-file.ts';

const known = 'aaaaaaaa-0000-4000-8000-000000000001';
const twin = 'aaaaaaaa-0000-4000-8000-000000000002';
/** Asks two questions at once. */
const torn = 'dddddddd-0000-4000-8000-000000000001';
/** Asked once, and was answered in its terminal. */
const answered = 'dddddddd-0000-4000-8000-000000000002';
const gone = 'bbbbbbbb-0000-4000-8000-000000000001';

interface Asked {
  path?: string;
  body?: string;
  headers?: Record<string, string>;
  /** On a machine that is the admin of a fleet, whose broker is not running. */
  joins?: boolean;
}

const nobody = 'a'.repeat(16);

/** Makes this machine the admin of a fleet; returns its id there. */
const joinFleet = async ({ parts, paths }: TestServer): Promise<string> => {
  const login = { kind: 'nkey', seed: makeLogin().seed } as const;
  const broker = { servers: ['nats://127.0.0.1:9'], certificate: null, authorities: null, broker: null };
  const { host } = await enrolThisMachine(paths, 'laptop', { ...broker, login, loginKey: null, replicas: 1 });
  const part = parts.find(({ name }) => name === 'fleet');
  await part?.start?.();
  onTestFinished(() => part?.close?.());
  return host.id;
};

/** A request that each route accepts, except for its session. */
const good: Partial<Record<RouteId, string>> = {
  createSession: JSON.stringify({ session_id: 'cccccccc-0000-4000-8000-000000000001', cwd: '/' }),
  sendMessage: '{"text":"hello"}',
  scheduleContinuation: '{}',
  pressKeys: '{"keys":["Enter"]}',
  answerSession: '{"behavior":"allow"}',
  setApprovals: '{"approvals":"held"}',
  setAllApprovals: '{"approvals":"held"}',
  setDriven: '{"on":true}',
  setTitle: '{"title":"Payments"}',
  setTags: '{"add":["urgent"]}',
  addToken: '{"name":"ci","rights":["read"]}',
  subscribePush: JSON.stringify({
    endpoint: 'https://push.example/1',
    keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
  }),
  snoozeSession: '{"seconds":60}',
  setIndex: '{"on":true}',
  actOnMenu: '{"action":"enter"}',
  askSession: '{"answers":{"Which size?":"Large"}}',
  runCommands: '{"commands":["/clear"]}',
  testWake: '{"agent_id":"nobody"}',
  forget: '{"all":true}',
};

const at = (route: Route, id: string): string => route.path.replace(':id', id).replace(':request', '1');

/** What causes an error on every route that names it. */
const everywhere: Partial<Record<ErrorCode, (route: Route) => Asked>> = {
  forbidden: ({ level }) => ({
    headers: { Authorization: `Bearer ${level === 'ingest' ? 'reads' : 'posts'}` },
  }),
  nested: () => ({ headers: { 'X-Drover-Session': known } }),
  unauthorized: () => ({ headers: { Authorization: '' } }),
  bad_host: () => ({ headers: { Host: 'elsewhere.example' } }),
  bad_origin: () => ({ headers: { Origin: 'http://elsewhere.example' } }),
  bad_json: () => ({ body: '{' }),
  too_large: () => ({ headers: { 'Content-Length': '99999999' } }),
  bad_cursor: route => ({ path: `${at(route, known)}?after=yesterday` }),
  bad_id: route => ({ path: at(route, 'a.b') }),
  no_session: route => ({ path: at(route, 'ffffffff') }),
  ambiguous: route => ({ path: at(route, 'aaaaaaaa') }),
  refused: route => ({ path: at(route, gone) }),
  not_joined: () => ({}),
};

const guess = 'g'.repeat(43);
const ownPage = { 'Sec-Fetch-Site': 'same-origin' };

/** The event of another program: without a session it has no owner. */
const noSession = {
  body: '{"hook_event_name":"Stop"}',
  headers: { Authorization: 'Bearer posts' },
};

/** And what a single route needs for it. */
const here: Partial<Record<RouteId, Partial<Record<ErrorCode, Asked>>>> = {
  postEvent: { bad_request: noSession },
  postEvents: { bad_request: noSession },
  addToken: {
    bad_request: { body: '{"name":"owner","rights":["read"]}' },
    refused: { body: '{"name":"reader","rights":["read"]}' },
  },
  removeToken: { bad_id: { path: '/tokens/a%20b' }, no_token: { path: '/tokens/nobody' } },
  renewToken: { bad_id: { path: '/tokens/a%20b/rotate' }, no_token: { path: '/tokens/nobody/rotate' } },
  readNotices: { bad_request: { path: '/notifications?last=0' } },
  readAudit: {
    bad_request: { path: '/audit?last=0' },
    bad_cursor: { path: '/audit?since=yesterday' },
    bad_id: { path: '/audit?session=a.b' },
    no_session: { path: '/audit?session=ffffffff' },
    ambiguous: { path: '/audit?session=aaaaaaaa' },
  },
  listDenied: {
    bad_request: { path: '/denied?last=0' },
    bad_cursor: { path: '/denied?since=yesterday' },
    bad_id: { path: '/denied?session=a.b' },
    no_session: { path: '/denied?session=ffffffff' },
    ambiguous: { path: '/denied?session=aaaaaaaa' },
  },
  readLog: {
    bad_cursor: { path: '/log?after=yesterday' },
    bad_id: { path: '/log?session=a.b' },
    no_session: { path: '/log?session=ffffffff' },
    ambiguous: { path: '/log?session=aaaaaaaa' },
  },
  followAll: { bad_request: { path: '/events?scope=here' } },
  readQueue: { bad_request: { path: '/queue?scope=here' } },
  listSessions: { bad_request: { path: '/sessions?state=asleep' }, refused: { path: '/sessions?q=words' } },
  createSession: {
    bad_request: { body: '{"cwd":"/"}' },
    refused: { body: JSON.stringify({ session_id: known, cwd: '/' }) },
    no_host: { path: '/sessions?host=nowhere' },
  },
  sendMessage: { bad_request: { body: '{"text":" "}' } },
  scheduleContinuation: { bad_request: { body: '{"within":0}' } },
  listMessages: { bad_request: { path: `/sessions/${known}/messages?last=all` } },
  revokeDevice: { no_device: { path: '/page/devices/ffffffff' } },
  pageChunk: { bad_id: { path: '/page/chunks/a%20b' }, not_found: { path: '/page/chunks/day-OLD.js' } },
  // A command is not a paired device.
  subscribePush: { bad_request: { body: '{}' }, refused: {} },
  answerNotice: {
    bad_request: { body: '{}' },
    stale_action: { body: '{"key":"guessed","request":1,"choice":"allow"}' },
  },
  answerPush: {
    bad_json: { headers: ownPage },
    bad_request: { body: '{}', headers: ownPage },
    too_large: { headers: { ...ownPage, 'Content-Length': '99999999' } },
    stale_action: { body: '{"key":"guessed","request":1,"choice":"allow"}', headers: ownPage },
  },
  makeTicket: { bad_request: { body: '{"device":"yes"}' } },
  readMessage: {
    no_message: { path: `/messages/${known}` },
    no_host: { path: `/messages/${known}?host=nowhere` },
  },
  pressKeys: { bad_request: { body: '{"keys":["rm -rf"]}' } },
  readRequest: {
    bad_request: { path: `/sessions/${known}/requests/first` },
    request_gone: { path: `/sessions/${answered}/requests/1` },
  },
  answerSession: {
    bad_request: { body: '{"behavior":"maybe"}' },
    several_requests: { path: `/sessions/${torn}/answer` },
    request_gone: { path: `/sessions/${answered}/answer` },
  },
  setApprovals: { bad_request: { body: '{}' } },
  setAllApprovals: { bad_request: { body: '{}' } },
  setDriven: { bad_request: { body: '{}' } },
  setTitle: { bad_request: { body: '{"title":""}' } },
  setTags: {
    bad_request: { body: '{"add":["two words"]}' },
    refused: {
      path: `/sessions/${known}/tags`,
      body: JSON.stringify({ add: Array.from({ length: 21 }, (_, n) => `t${n}`) }),
    },
  },
  readTranscript: {
    bad_request: { path: `/sessions/${known}/transcript?limit=0` },
    no_transcript: { path: `/sessions/${known}/transcript` },
  },
  resumeSession: {
    bad_request: { body: '{"fork":"yes"}' },
    refused: { path: `/sessions/${gone}/resume` },
  },
  setIndex: { bad_request: { body: '{}' } },
  goToSession: { bad_request: { body: '{"client":""}' } },
  timeline: { bad_request: { path: '/timeline?hours=0' } },
  listWakes: {
    bad_request: { path: '/wakes?last=all' },
    bad_id: { path: '/wakes?session=a.b' },
    no_session: { path: '/wakes?session=ffffffff' },
    ambiguous: { path: '/wakes?session=aaaaaaaa' },
  },
  testWake: { bad_request: { body: '{}' }, no_agent: {} },
  actOnMenu: { bad_request: { body: '{"action":"shout"}' } },
  askSession: {
    bad_request: { body: '{}' },
    several_requests: { path: `/sessions/${torn}/ask` },
    // The first event of this daemon.
    request_gone: { path: `/sessions/${answered}/ask`, body: '{"answers":{"Which size?":"Large"},"id":1}' },
  },
  runCommands: { bad_request: { body: '{"commands":[]}' } },
  reserveWarm: { bad_request: { body: '{}' } },
  enterPage: {
    bad_json: { headers: ownPage },
    bad_request: { body: '{}', headers: ownPage },
    too_large: { headers: { ...ownPage, 'Content-Length': '99999999' } },
    bad_ticket: { body: JSON.stringify({ ticket: guess, nonce: guess, proof: guess }), headers: ownPage },
  },
  openChannel: {
    unauthorized: { body: JSON.stringify({ key: guess, nonce: guess }), headers: ownPage },
    bad_request: { body: '{}', headers: ownPage },
  },
  nextInQueue: { bad_request: { body: '{"client":""}' } },
  claimSession: { bad_request: { body: '{"client":""}' } },
  snoozeSession: { bad_request: { body: '{"seconds":0}' } },
  stats: { bad_request: { path: '/stats?days=0' }, no_host: { path: '/stats?host=nowhere' } },
  usage: { bad_request: { path: '/usage?by=colour' }, no_host: { path: '/usage?host=nowhere' } },
  readChanges: { refused: { path: `/sessions/${known}/changes?git=1` } },
  inviteHost: { bad_request: { body: '{"role":"king"}' }, refused: { joins: true } },
  revokeHost: {
    forbidden: { path: `/fleet/hosts/${nobody}/revoke` },
    not_joined: { path: `/fleet/hosts/${nobody}/revoke` },
    no_host: { path: `/fleet/hosts/${nobody}/revoke`, joins: true },
    // This machine itself.
    refused: { path: '/fleet/hosts/OWN/revoke', joins: true },
  },
  removeWorktree: { bad_request: { body: '{}' }, refused: { body: '{"path":"/w"}' } },
  forget: {
    bad_request: { body: '{}' },
    bad_id: { body: '{"id":"a.b"}' },
    no_session: { body: '{"id":"ffffffff"}' },
    ambiguous: { body: '{"id":"aaaaaaaa"}' },
  },
};

const rows = (routes as readonly (Route & { id: RouteId })[]).flatMap(route =>
  route.errors
    .filter(code => errors[code].status < 500)
    .map(code => ({ status: errors[code].status, code, name: `${route.method} ${route.path}`, route })),
);

describe('every 4xx of the route table', () => {
  test.each(rows)('$status $code: $name', async ({ status, code, route }) => {
    const server = await openTestServer();
    const { ask, askLocal, loop, paths } = server;
    const at0 = { createdAt: 0, usedAt: null };
    writeTokens(paths.tokens, [
      { ...at0, name: 'reader', rights: ['read'], hash: sha256('reads') },
      { ...at0, name: 'poster', rights: ['ingest'], hash: sha256('posts') },
    ]);
    const draft = (name: string, session_id: string, more = {}) => ({
      draft: hookDraft(name, { session_id, cwd: '/w', ...more }),
    });
    const question = { tool_name: 'AskUserQuestion', tool_input: { questions: [] } };
    await loop.append([
      draft('PermissionRequest', answered, question),
      draft('PostToolUse', answered, question),
      draft('PermissionRequest', torn, question),
      draft('PermissionRequest', torn, question),
      ...[known, twin, gone].map(id => draft('SessionStart', id)),
      draft('SessionEnd', gone, { reason: 'other' }),
    ]);
    // Two that can be resumed under one prefix, and one whose folder no longer exists.
    const project = join(claudeDirOf(paths), 'projects', '-w-gone');
    mkdirSync(project, { recursive: true });
    for (const id of [known, twin, gone]) writeFileSync(join(project, `${id}.jsonl`), '{}\n');

    const special = here[route.id]?.[code];
    const usual = everywhere[code]?.(route);
    expect(special ?? usual, `${route.id} can answer ${code}, and no test says when`).toBeDefined();
    const { path, body, headers, joins } = { ...usual, ...special };
    const own = joins ? await joinFleet(server) : '';
    const sent = route.method === 'POST' ? (body ?? good[route.id] ?? '{}') : undefined;
    // Calls that no token may make are sent as the user's own command; forbidden callers use TCP.
    const isOwn =
      (route.level === 'person' || route.level === 'local') && !(accessErrors as string[]).includes(code);
    const answer = await (isOwn ? askLocal : ask)(
      route.method,
      (path ?? at(route, known)).replace('OWN', own),
      sent,
      headers,
    );
    expect([answer.status, answer.json()]).toMatchObject([status, { error: { code } }]);
  });
});
