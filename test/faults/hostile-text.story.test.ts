/** Names of folders, tools, errors and sessions with control sequences: no command prints them unchanged. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hookPane, hooksOf, sessionId } from '../rig/hook.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

const hostile = [
  '\x1b]0;title\x07',
  '\x1b[2J\x1b[31mred',
  '\x9b1mbold\x9d0;t\x9c',
  'rtl\u202egnp.exe\u2066',
  'line\nbreak\rreturn\b\x7f\x00nul',
  '\x1bP+q\x1b\\\u200bwide\u061c',
];

/** Whatever a terminal obeys, but for line breaks and tabs. */
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

test('no command passes foreign control characters on to a terminal', async () => {
  const opened = await world({ version: newest });
  const hooks = await hooksOf(opened);
  await opened.daemon();
  const pane = await hookPane(opened, 'hostile');
  const cwd = join(opened.home, `evil${hostile.join('').replaceAll(/[\0/]/g, '')}`.slice(0, 60));
  await mkdir(cwd, { recursive: true });
  for (const [n, text] of hostile.entries()) {
    const fields = { session_id: sessionId(n + 1), cwd, transcript_path: `${cwd}/t.jsonl`, model: text };
    const fire = (hook_event_name: string, more: object) =>
      hooks.fire({ hook_event_name, ...fields, ...more }, { env: pane.env });
    await fire('SessionStart', { source: text });
    await fire('UserPromptSubmit', { prompt: text, permission_mode: text });
    if (n % 3 === 0) await fire('PermissionRequest', { tool_name: text, tool_input: { command: text } });
    else if (n % 3 === 1) await fire('StopFailure', { error: text, last_assistant_message: text });
    else await fire('Stop', { last_assistant_message: text });
  }
  // An id that is none of Claude Code's.
  await hooks.fire({ hook_event_name: 'Stop', session_id: `abc${hostile[0]}${hostile[1]}`, cwd });
  const ids = hostile.map((_, n) => shortId(sessionId(n + 1)));
  await until(
    10_000,
    () => 'the sessions are not seen',
    async () => ((await opened.drover('ls', '--all')).stdout.includes(ids.at(-1) ?? '') ? true : undefined),
  );
  const verbs: string[][] = [
    ['ls'],
    ['ls', '--all'],
    ['status'],
    ['doctor'],
    ['stats'],
    ['timeline'],
    ['events', '--last', '200'],
    ['sessions'],
    ['next'],
    ...ids.flatMap(id => [
      ['show', id],
      ['explain', id],
      ['events', id],
      ['skip', id],
      ['go', id],
      ['resume', id, '--dry-run'],
      ['menu', id, 'snapshot'],
      ['send', id, 'hello'],
      ['answer', id, 'allow'],
    ]),
    ...hostile.map(text => ['show', text.replaceAll('\0', '')]),
    ...hostile.map(text => [text.replaceAll('\0', '') || 'x']),
    ['ls', ...hostile.map(text => `--${text.replaceAll('\0', '')}`)],
    ['token', hostile[1] ?? ''],
  ];
  for (const words of verbs) {
    const { stdout, stderr } = await opened.drover(...words);
    expect([words, stdout]).toEqual([words, expect.not.stringMatching(obeyed)]);
    expect([words, stderr]).toEqual([words, expect.not.stringMatching(obeyed)]);
  }
  for (const words of [['ls', '--all'], ['show', ids[0] ?? ''], ['explain', ids[1] ?? ''], ['status']]) {
    const { stdout } = await opened.drover(...words, '--json');
    expect(stdout).not.toMatch(obeyed);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  }
  // JSON keeps its meaning.
  const shown = JSON.parse((await opened.drover('show', ids[2] ?? '', '--json')).stdout) as { model: string };
  expect(shown.model).toBe(hostile[2]);
  // On a terminal there are our own colours, and nothing else.
  const onTerminal = ['-qec', `'${process.execPath}' '${MAIN}' ls --all`, '/dev/null'];
  const { stdout: listed } = await opened.run('script', onTerminal);
  expect(listed).toContain('\x1b[33m');
  expect(listed.replaceAll(/\x1b\[(?:0|32|33|36|90)m|\r\n/g, '')).not.toMatch(obeyed);
});
