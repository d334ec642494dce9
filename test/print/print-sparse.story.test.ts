/** A CLI that reports less than it should, or something else: test programs fire the hooks. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { awaitNothingLeft, startPrint } from '../rig/print.ts';
import { world } from '../rig/story.ts';
import type { World } from '../rig/world.ts';

const id = '5eed0001-0000-4000-8000-000000000000';

/** A run whose CLI is this shell script; `fire stop '{}'` in it fires a hook of the run. */
const standIn = (opened: World, name: string, script: string, args: string[] = []) => {
  const path = join(opened.root, name);
  const lines = [
    '#!/bin/sh',
    'settings=${1#--settings=}',
    'fire() { printf "%s\\n" "$2" | "${settings%/*}/hook.sh" "$1"; }',
    script,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o755 });
  return startPrint(opened, ['hi', '--claude-binary', path, ...args]).ended;
};

test('a Stop hook with few fields: known facts are reported, and nothing is made up', async () => {
  const opened = await world({ version: newest });
  const slug = opened.dir().replace(/[^a-zA-Z0-9]/g, '-');
  const folder = join(opened.home, '.claude', 'projects', slug);
  mkdirSync(folder, { recursive: true });
  const said = JSON.stringify({
    type: 'assistant',
    message: { id: 'm', content: [{ type: 'text', text: 'from the transcript' }], stop_reason: 'end_turn' },
  });
  const bare = `printf '%s'`;
  const hook = '"${settings%/*}/hook.sh"';
  const [derived, told, nothing, broken, unended] = await Promise.all([
    standIn(
      opened,
      'derived',
      `fire prompt '{"session_id":"${id}"}'; echo '${said}' >'${folder}/${id}.jsonl'; fire stop '{"session_id":"${id}"}'; sleep 30`,
      ['-o', 'json'],
    ),
    standIn(opened, 'told', `fire stop '{"last_assistant_message":"from the Stop"}'; sleep 30`, [
      '-o',
      'json',
    ]),
    standIn(opened, 'nothing', `fire stop '{}'; sleep 30`),
    standIn(opened, 'broken', `fire stop 'no JSON'; sleep 30`, ['-o', 'json']),
    // Neither payload ends with a newline.
    standIn(
      opened,
      'unended',
      `${bare} '{"session_id":"${id}"}' | ${hook} prompt; ${bare} '{"last_assistant_message":"no newline"}' | ${hook} stop; sleep 30`,
      ['-o', 'json', '--timeout', '20'],
    ),
  ]);
  expect([derived.code, derived.stderr, JSON.parse(derived.stdout)]).toMatchObject([
    0,
    '',
    { result: 'from the transcript', num_turns: 1, session_id: id },
  ]);
  expect([told.code, JSON.parse(told.stdout)]).toMatchObject([
    0,
    { result: 'from the Stop', num_turns: 0, session_id: null, usage: { output_tokens: 0 } },
  ]);
  expect([unended.code, JSON.parse(unended.stdout)]).toMatchObject([
    0,
    { result: 'no newline', session_id: id },
  ]);
  expect(told.stderr).toContain('lacks the last message');
  expect(nothing).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: the turn ended, but no answer can be read\n',
  });
  expect([broken.code, JSON.parse(broken.stdout)]).toMatchObject([2, { subtype: 'internal_error' }]);
  await awaitNothingLeft(opened);
});

test('a CLI that shows nothing, writes nothing, or exits: 124, 124 and 2, with the reason', async () => {
  const opened = await world({ version: newest });
  const [silent, idle, ended, killed] = await Promise.all([
    standIn(opened, 'silent', 'sleep 30', ['--first-output-timeout', '1']),
    standIn(opened, 'idle', 'echo hello; sleep 30', ['-o', 'stream-json', '--stream-json-timeout', '1']),
    standIn(opened, 'ended', 'echo ─────; echo "no such model" >&2; exit 3'),
    standIn(opened, 'killed', 'echo hello; kill -KILL $$', ['--show-child-stderr']),
  ]);
  expect(silent).toEqual({
    code: 124,
    stdout: '',
    stderr: 'error: claude showed nothing within 1 s (--first-output-timeout)\n',
  });
  expect([idle.code, JSON.parse(idle.stdout)]).toMatchObject([
    124,
    { subtype: 'timeout', error_message: 'no line of the transcript within 1 s (--stream-json-timeout)' },
  ]);
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: claude exited before its turn ended (exit code 3): no such model\n',
  });
  expect(killed).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^error: claude exited before its turn ended \(SIGKILL\)\n.*hello/s),
  });
  await awaitNothingLeft(opened);
});

test('a wrapper around the CLI is handled, and nothing of either is left', async () => {
  const opened = await world({ version: newest });
  const path = join(opened.root, 'wrapper');
  writeFileSync(path, '#!/bin/sh\nclaude "$@"\n', { mode: 0o755 });
  const { ended } = startPrint(opened, ['SAY hi', '--claude-binary', path, '-o', 'json']);
  const { code, stdout, stderr } = await ended;
  expect([code, stderr, JSON.parse(stdout)]).toMatchObject([0, '', { result: 'hi', claude_version: newest }]);
  await awaitNothingLeft(opened);
});
