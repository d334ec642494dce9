import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { insideSession } from './inside-session.ts';
import { lineage, processStart } from './platform/processes.ts';
import { tempHome } from './testing/home.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

/** A home whose Claude folder has a session file for this process. */
const withFile = (fields: object = {}, folder = '.claude') => {
  const paths = tempHome();
  const sessions = join(paths.home, folder, 'sessions');
  mkdirSync(sessions, { recursive: true });
  const file = { pid: process.pid, sessionId: id, procStart: processStart(process.pid), ...fields };
  writeFileSync(join(sessions, `${process.pid}.json`), JSON.stringify(file));
  return { paths, env: { HOME: paths.home } };
};

test('finds a session among the ancestors, whatever the environment says', () => {
  const { env, paths } = withFile();
  expect(lineage(process.pid)[0]).toBe(process.pid);
  expect(insideSession(env, paths)).toBe(id);
  expect(insideSession({ ...env, CLAUDE_CODE_SESSION_ID: 'an-older-id' }, paths)).toBe(id);
});

test('ignores a file of an earlier process with the same pid', () => {
  const { env, paths } = withFile({ procStart: '1', startedAt: 1 });
  expect(insideSession(env, paths)).toBeNull();
});

test('only the configured Claude folders count', () => {
  const { env, paths } = withFile({}, 'elsewhere');
  expect(insideSession(env, paths)).toBeNull();
  writeFileSync(paths.config, JSON.stringify({ claudeDirs: [join(paths.home, 'elsewhere')] }));
  expect(insideSession(env, paths)).toBe(id);
});

test.each([
  [{ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: id }, id],
  [{ CLAUDE_CODE_SESSION_ID: id }, id],
  [{ CLAUDECODE: '1' }, 'unknown'],
  [{}, null],
])('the environment %j means %s', (variables, expected) => {
  const paths = tempHome();
  expect(insideSession({ HOME: paths.home, ...variables }, paths)).toBe(expected);
});
