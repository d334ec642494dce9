/** The table of rights: every kind of caller against every route. */
import { expect, test } from 'vitest';
import { type Level, type Right, rights } from '../contract/rights.ts';
import { type Route, routes } from '../contract/routes.ts';
import { type TestServer, openTestServer } from '../testing/server.ts';
import { signIn } from '../testing/sign-in.ts';
import { sha256 } from '../sha256.ts';
import { writeTokens } from '../files/token-file.ts';

type Ask = (method: string, path: string) => Promise<{ status: number; code: string | undefined }>;

/** Who asks, and the levels that are open to them. */
const callers: Record<string, Level[]> = {
  'nobody over TCP': ['open'],
  'an unknown token': ['open'],
  ...Object.fromEntries(
    rights.map(right => [`a token with ${right}`, right === 'admin' ? ['open', ...rights] : ['open', right]]),
  ),
  'a token with read and answer': ['open', 'read', 'answer'],
  'the token of the owner': ['open', ...rights],
  'a page that is signed in': ['open', ...rights, 'person'],
  'the Unix socket': ['open', ...rights, 'person', 'local'],
};

/** Removes the caller's own access, so it has its own server. */
const endsAccess = ({ id }: Route): boolean => id === 'leavePage' || id === 'rotateToken';

const table: readonly Route[] = routes;

test.each(Object.entries(callers))('%s', async (who, levels) => {
  const shared = await askAs(who, await openTestServer());
  const refusal = levels.length > 1 ? 'forbidden' : 'unauthorized';
  const seen: string[] = [];
  for (const route of table) {
    const ask = endsAccess(route) ? await askAs(who, await openTestServer()) : shared;
    const { status, code } = await ask(route.method, pathOf(route));
    const isRefused = status === 401 || code === 'forbidden';
    seen.push(`${route.method} ${route.path}: ${isRefused ? code : 'allowed'}`);
  }
  expect(seen).toEqual(
    table.map(
      ({ method, path, level }) => `${method} ${path}: ${levels.includes(level) ? 'allowed' : refusal}`,
    ),
  );
});

test('every route has a level, and only these are open', () => {
  const open = (routes as readonly Route[]).filter(({ level }) => level === 'open').map(({ id }) => id);
  expect(open).toEqual([
    'health',
    'answerNotice',
    'pageHtml',
    'pageScript',
    'pageChunk',
    'pageStyle',
    'pageIcon',
    'pageManifest',
    'serviceWorker',
    'appIcon',
    'largeAppIcon',
    'answerPush',
    'enterPage',
    'openChannel',
  ]);
});

test('a token that lacks a right gets the name of the right', async () => {
  const server = await openTestServer();
  writeTokens(server.paths.tokens, [tokenWith('ci', ['read', 'queue'])]);
  const answer = await server.ask('POST', '/sessions/aaaaaaaa/answer', '{}', bearer('ci'));
  expect([answer.status, answer.json()]).toMatchObject([
    403,
    { error: { code: 'forbidden', message: 'The token ci lacks the right `answer`.' } },
  ]);
});

test('a browser that asks over TCP cannot claim to be a command', async () => {
  const server = await openTestServer();
  const answer = await server.ask('POST', '/page/ticket', '', { 'X-Drover-Client': 'cli' });
  expect(answer.status).toBe(403);
});

/** Streams are requested with a bad cursor; everything else with an unknown id. */
const pathOf = ({ id, path, answer }: Route): string =>
  `${path.replace(':id', unknownIds[id] ?? 'ffffffff')}${answer === 'stream' ? '?after=never' : ''}`;

const unknownIds: Record<string, string> = { pageChunk: 'ffffffff.js', revokeHost: 'a'.repeat(16) };

const tokenWith = (name: string, given: Right[]) => ({
  name,
  rights: given,
  createdAt: 0,
  usedAt: null,
  hash: sha256(name),
});

const bearer = (token: string) => ({ Authorization: token && `Bearer ${token}` });

const askAs = async (who: string, server: TestServer): Promise<Ask> => {
  const outcome = async (answer: ReturnType<TestServer['ask']>) => {
    const { status, text } = await answer;
    const code = status < 400 ? undefined : (JSON.parse(text) as { error: { code: string } }).error.code;
    return { status, code };
  };
  const over =
    (headers: Record<string, string>): Ask =>
    (method, path) =>
      outcome(server.ask(method, path, method === 'POST' ? '[]' : undefined, headers));
  if (who === 'the Unix socket')
    return (method, path) => outcome(server.askLocal(method, path, method === 'POST' ? '[]' : undefined));
  if (who === 'a page that is signed in') {
    const page = await signIn(server);
    return (method, path) => outcome(page.ask(method, path, method === 'POST' ? '[]' : undefined));
  }
  if (who === 'the token of the owner') return over({});
  if (who.startsWith('nobody')) return over(bearer(''));
  const given = who.split(' with ')[1]?.split(' and ') as Right[] | undefined;
  if (given) writeTokens(server.paths.tokens, [tokenWith('program', given)]);
  return over(bearer('program'));
};
