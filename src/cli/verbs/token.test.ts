import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Call } from '../verb.ts';
import { tempHome } from '../../testing/home.ts';
import { sha256 } from '../../sha256.ts';
import { readTokens } from '../../files/token-file.ts';
import { run } from './token.ts';
import { verbs } from '../table/verbs.ts';

/** `drover token` in a home without a daemon. */
const offline = () => {
  const paths = tempHome();
  const out: string[] = [];
  const token = (args: string[], options: Call['options'] = {}, env: Call['env'] = {}) => {
    out.length = 0;
    const verb = verbs.find(({ name }) => name === 'token') as Call['verb'];
    const say = (text: string) => void out.push(text);
    return run({
      verb,
      args,
      options,
      rest: [],
      env: { HOME: paths.home, ...env },
      paths,
      cwd: '/',
      payload: () => {},
      out: say,
      err: () => {},
      tty: false,
    });
  };
  return { paths, out, token };
};

test('without a daemon tokens are added, listed, rotated and removed in the file', async () => {
  const { paths, out, token } = offline();
  expect(await token(['add', 'ci'], { scope: 'read,answer' })).toBe(0);
  const [first = ''] = out;
  expect(readTokens(paths.tokens)).toMatchObject([
    { name: 'ci', rights: ['read', 'answer'], hash: sha256(first) },
  ]);
  await expect(token(['add', 'ci'], { scope: 'read' })).rejects.toThrow('already a token ci');
  await token(['rotate', 'ci']);
  expect(readTokens(paths.tokens)[0]?.hash).toBe(sha256(out[0] ?? ''));
  expect(out[0]).not.toBe(first);
  await token(['ls']);
  expect(out.join('\n')).toMatch(/name +rights +created +last used\nci +read,answer +.+ ago +never/);
  await token(['rm', 'ci'], { json: true });
  expect(JSON.parse(out[0] ?? '')).toMatchObject({ name: 'ci' });
  expect(readTokens(paths.tokens)).toEqual([]);
  await expect(token(['rm', 'ci'])).rejects.toThrow('no token ci');
});

test("without a daemon the owner's token is replaced", async () => {
  const { paths, token } = offline();
  await token(['rotate']);
  expect(readFileSync(paths.token, 'utf8')).toMatch(/^[\w-]{43}\n$/);
});

test.each([
  [['add', 'ci'], undefined, '--scope is missing'],
  [['add', 'ci'], 'read,write', 'unknown right "write"'],
  [['add', 'ci'], '', 'unknown right ""'],
  [['add', 'owner'], 'read', 'is the token in DROVER_HOME'],
  [['add', 'a b'], 'read', 'is not a valid name'],
  [['add'], 'read', 'the name is missing'],
  [['show'], undefined, 'unknown action "show"'],
  [[], undefined, 'the action is missing'],
])('%j with scope %j is wrong usage', async (args, scope, message) => {
  await expect(offline().token(args, { scope })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(message) as string,
  });
});

test('without a daemon it does not run inside a session, unless the config allows it', async () => {
  const { paths, token } = offline();
  const inside = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'aaaaaaaa-0000-4000-8000-000000000001' };
  await expect(token(['rotate'], {}, inside)).rejects.toMatchObject({ code: 'nested', exit: 6 });
  expect(existsSync(paths.token)).toBe(false);
  writeFileSync(paths.config, '{"insideSessions":"allow"}');
  expect(await token(['rotate'], {}, inside)).toBe(0);
});
