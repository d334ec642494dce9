/** Read the log: followed across restarts, piped, by prefix; and what `forget` removes. */
import { spawn } from 'node:child_process';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { type Daemon, MAIN } from '../rig/drover.ts';
import { hooksOf, type Payload, sessionId } from '../rig/hook.ts';
import { awaitEmptySpool, lines, readHookEvents } from '../rig/log.ts';
import { world } from '../rig/story.ts';
import { within } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const version = newest;

const post = async ({ url, token }: Daemon, payload: Payload): Promise<void> => {
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await fetch(`${url}/event`, { method: 'POST', headers, body: JSON.stringify(payload) });
  expect(status).toBe(200);
};

const said = (session_id: string, prompt: string): Payload => ({
  session_id,
  hook_event_name: 'UserPromptSubmit',
  prompt,
});

describe('drover events', () => {
  test('-f continues across restarts under load, each event once', async () => {
    const opened = await world({ version });
    const { fire } = await hooksOf(opened);
    await opened.drover('up', '--port', '0');
    const follower = followed(opened, 'events', '-f', '--after', '0', '--json');
    const lanes = [1, 2, 3].map(async lane => {
      for (let n = 0; n < 60; n++)
        await fire({ session_id: sessionId(lane), hook_event_name: 'PostToolUse', n });
    });
    for (const count of [30, 80, 130]) {
      await follower.has(count);
      expect(await opened.drover('restart')).toMatchObject({ code: 0, stderr: '' });
    }
    await Promise.all(lanes);
    await follower.has(180);
    const all = await readHookEvents(opened);
    expect(all.length).toBe(180);
    const heard = lines(follower.text()).filter(({ source }) => source === 'hook');
    expect(heard.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq));
    expect(follower.stderr()).toBe('');
  });

  test('ends silently when its reader goes away', async () => {
    const opened = await world({ version });
    const daemon = await opened.daemon();
    // More than a pipe holds.
    for (let n = 0; n < 60; n++) await post(daemon, said(sessionId(1), `${n} ${'x'.repeat(4_000)}`));
    const piped = '"$@" | head -1; echo "${PIPESTATUS[*]}"';
    for (const more of [['--json'], ['--json', '-f']]) {
      const words = [process.execPath, MAIN, 'events', '--after', '0', ...more];
      const { stdout, stderr } = await opened.run('bash', ['--norc', '-c', piped, 'bash', ...words]);
      const [first = '', ends] = stdout.split('\n');
      expect(lines(first)).toMatchObject([{ seq: 1, name: 'UserPromptSubmit' }]);
      expect([ends, stderr]).toEqual(['0 0', '']);
    }
  });

  test('accepts prefixes of sessions, and reports a wrong one', async () => {
    const opened = await world({ version });
    const daemon = await opened.daemon();
    for (const number of [0xa01, 0xa02, 0xb01]) await post(daemon, said(sessionId(number), `of ${number}`));
    const { stdout } = await opened.drover('events');
    expect(stdout.split('\n')[0]).toMatch(
      /^ {5}1 {2}\d\d:\d\d:\d\d {2}hook {4}5eed0a01 {2}UserPromptSubmit {4}of 2561$/,
    );
    const own = await opened.drover('events', '5eed0b', '--json');
    expect(lines(own.stdout)).toMatchObject([
      { sessionId: sessionId(0xb01), payload: { prompt: 'of 2817' } },
    ]);
    expect(lines((await opened.drover('events', '-n', '2', '--json')).stdout).map(({ seq }) => seq)).toEqual([
      2, 3,
    ]);
    const cases = [
      [['events', '5eed0c'], 4, 'No session matches "5eed0c".'],
      [['events', '5eed0a'], 5, '2 sessions start with 5eed0a:\n  5eed0a02  -\n  5eed0a01  -\n'],
      [['events', '5eed'], 2, 'at least 6 hex digits'],
      [['events', '--after', 'x'], 2, 'is not a number'],
      [['forget', '5eed0c'], 4, 'No session matches "5eed0c".'],
      [['forget', '5eed0a'], 5, 'Use more digits of the id.'],
    ] as const;
    for (const [args, code, words] of cases) {
      const refused = await opened.drover(...args);
      expect([args, refused.code, refused.stdout]).toEqual([args, code, '']);
      expect(refused.stderr).toContain(words);
      const { stdout } = await opened.drover(...args, '--json');
      expect(JSON.parse(stdout)).toMatchObject({
        error: { message: expect.any(String), hint: expect.any(String) },
      });
    }
    expect((await opened.drover('down')).code).toBe(0);
    expect(await opened.drover('events')).toMatchObject({
      code: 3,
      stderr: 'drover: The daemon is not running.\n  Start it with `drover up`.\n',
    });
  });
});

test('forgotten data is in no file any more: one session, those before a time, all', async () => {
  const opened = await world({ version });
  const { fire } = await hooksOf(opened);
  const secret = (session: number) => `whisper-${session}-`;
  for (let turn = 0; turn < 12; turn++)
    for (const session of [1, 2, 3]) {
      await fire(said(sessionId(session), `${secret(session)}${turn} ${'y'.repeat(turn * 40)}`));
      await fire({ session_id: sessionId(session), hook_event_name: 'Stop' });
    }
  const spool = join(opened.droverHome, 'spool');
  const past = new Date(Date.now() - 3 * 86_400_000);
  for (const name of await readdir(spool)) {
    const text = await readFile(join(spool, name), 'utf8');
    if (text.includes(sessionId(2))) await utimes(join(spool, name), past, past);
  }
  await opened.daemon();
  const holds = async (session: number) => {
    const isInLog = (await readHookEvents(opened)).some(line => line.sessionId === sessionId(session));
    const files = (await readdir(opened.droverHome, { recursive: true, withFileTypes: true })).filter(entry =>
      entry.isFile(),
    );
    const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
    return [isInLog, texts.some(text => text.includes(secret(session)))];
  };
  const kept = [true, true];
  const gone = [false, false];
  await awaitEmptySpool(opened);
  expect([await holds(1), await holds(2), await holds(3)]).toEqual([kept, kept, kept]);
  const forgot = async (...args: string[]) => {
    const answer = await opened.drover('forget', ...args);
    expect([answer.code, answer.stderr]).toEqual([0, '']);
    return answer.stdout;
  };
  expect(await forgot('--before', '2d')).toMatch(
    /^Deleted 1 sessions and 2\d events. Claude's own transcripts/,
  );
  expect([await holds(1), await holds(2), await holds(3)]).toEqual([kept, gone, kept]);
  expect(await forgot('5eed0001')).toMatch(/^Deleted 1 sessions and 2\d events/);
  expect([await holds(1), await holds(2), await holds(3)]).toEqual([gone, gone, kept]);
  expect(await forgot('--all')).toMatch(/^Deleted 1 sessions and 2\d events/);
  expect([await holds(1), await holds(2), await holds(3)]).toEqual([gone, gone, gone]);
  // What is left is the record of having forgotten.
  expect(await forgot('--all', '--json')).toBe('{"sessions":0,"events":1}\n');
});

/** A running command and its output so far. The world ends it. */
function followed(opened: World, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: opened.dir(),
    env: opened.env(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  let stderr = '';
  const watchers = new Set<() => void>();
  const tell = () => watchers.forEach(look => look());
  createInterface({ input: child.stdout }).on('line', line => {
    printed.push(line);
    tell();
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  child.once('close', tell);
  return {
    text: () => printed.join('\n'),
    stderr: () => stderr,
    /** Awaits this number of lines; a command that ends earlier is an error. */
    has: (count: number) =>
      within<true>(
        20_000,
        () => `${printed.length} of ${count} lines, exit ${child.exitCode}: ${stderr}`,
        found => {
          const look = () => found(printed.length >= count || undefined);
          watchers.add(look);
          look();
          return () => watchers.delete(look);
        },
      ),
  };
}
