/** Dialogs of tool calls, on screens captured from both versions. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Dialog, dialogOf } from './dialog.ts';
import { showsCall, type ToolCall } from './dialog-input.ts';
import { permissionOptions, planOptions } from './dialog-options.ts';

const path = (name: string) => new URL(`../../../test/screens/${name}.txt`, import.meta.url);
const read = (name: string): Dialog | null => dialogOf(readFileSync(path(name), 'utf8').split('\n'), 40);
const old = 'line one\nline two\nline three\nline four\n';
const call = (tool: string, input: Record<string, unknown>): ToolCall => ({
  tool,
  input,
  dirs: ['/world/home/project'],
  fileText: () => old,
});
const file = (name: string) => `/world/home/project/${name}`;
const long = `touch a && \\\n  for i in 1 2 3; do echo "$i" > "f-$i"; done # ${'x'.repeat(300)}`;

const calls: [
  screen: string,
  tool: string,
  input: Record<string, unknown>,
  others: Record<string, unknown>[],
][] = [
  [
    'ask-bash-long',
    'Bash',
    { command: long, description: 'Make files' },
    [
      { command: long.slice(0, -1), description: 'Make files' },
      { command: `${long}x`, description: 'Make files' },
      { command: long, description: 'Make file' },
      { command: 'touch a', description: 'Make files' },
    ],
  ],
  [
    'ask-bash-nodesc',
    'Bash',
    { command: "touch 'a  b'\tc" },
    [{ command: "touch 'a" }, { command: "touch 'a  b'\tcd" }],
  ],
  [
    'ask-write-new',
    'Write',
    { file_path: file('new.txt'), content: 'alpha\nbeta\n\ngamma' },
    [
      { file_path: file('x/new.txt'), content: 'alpha\nbeta\n\ngamma' },
      { file_path: file('new.txt'), content: 'alpha\nbeta\n\ngamma!' },
      { file_path: file('new.txt'), content: 'alpha\nbeta\ngamma' },
    ],
  ],
  [
    'ask-write-old',
    'Write',
    { file_path: file('old.txt'), content: 'line one\nline 2\nline three\n' },
    [{ file_path: file('old.txt'), content: 'line one\nline 2\nline three\nline four\n' }],
  ],
  [
    'ask-edit',
    'Edit',
    { file_path: file('old.txt'), old_string: 'line two', new_string: 'line 2\nline 2b' },
    [
      { file_path: file('old.txt'), old_string: 'line two', new_string: 'line 2' },
      { file_path: file('old.txt'), old_string: 'line one', new_string: 'line 2\nline 2b' },
    ],
  ],
  [
    'ask-read-outside',
    'Read',
    { file_path: '/etc/hostname' },
    [{ file_path: '/etc/host' }, { file_path: '/etc/hostname', limit: 3 }],
  ],
  [
    'ask-fetch',
    'WebFetch',
    { url: 'https://127.0.0.1:9/a?x=1', prompt: 'Say what it says, in two words' },
    [{ url: 'https://127.0.0.1:9/a', prompt: 'Say what it says, in two words' }],
  ],
  ['ask-search', 'WebSearch', { query: 'weather in Oslo' }, [{ query: 'weather in Osl' }]],
];

describe.each(['2.1.197', '2.1.325'])('Claude Code %s', version => {
  const shown = calls.filter(([screen]) => existsSync(path(`${screen}-${version}`)));
  test.each(shown)('%s is the dialog of its call and of no other', (screen, tool, input, others) => {
    const dialog = read(`${screen}-${version}`) as Dialog;
    expect(showsCall(dialog, call(tool, input))).toBe(true);
    for (const other of others) expect([other, showsCall(dialog, call(tool, other))]).toEqual([other, false]);
    expect(showsCall(dialog, call('mcp__x__y', {}))).toBe(false);
  });

  test('a dialog whose beginning is not on the screen is not read', () => {
    expect(read(`ask-bash-many-${version}`)).toBeNull();
    expect(read(`ask-write-many-${version}`)).toBeNull();
  });

  test('the options of a permission by their meaning', () => {
    const choices = (name: string) =>
      permissionOptions(read(`${name}-${version}`) as Dialog).map(({ choice }) => choice);
    const auto = version === '2.1.325' ? ['allow_auto_mode'] : [];
    expect(choices('permission')).toEqual(['allow', 'allow_always', ...auto, 'deny']);
    expect(choices('ask-bash-long')).toEqual(['allow', ...auto, 'deny']);
    expect(choices('ask-write-new')).toEqual(['allow', 'allow_always', 'deny']);
    expect(choices('ask-fetch')).toEqual(['allow', 'allow_always', 'deny']);
  });

  test('the options of a plan by their meaning', () => {
    expect(
      planOptions(read(`plan-${version}`) as Dialog).map(({ choice, effect }) => [choice, effect]),
    ).toEqual([
      ['plan:auto', 'allow'],
      ['plan:default', 'allow'],
      ['keep_planning', 'deny'],
    ]);
  });
});

test('a label that the width of the pane breaks is read whole', () => {
  const rows = [
    '─'.repeat(40),
    ' Bash command',
    '',
    '   touch a',
    '   Make it',
    '',
    ' Do you want to proceed?',
    ' ❯ 1. Yes',
    "   2. Yes, and don't ask again for",
    '      touch commands in /w',
    '   3. No',
    '',
    ' Esc to cancel',
  ];
  expect(dialogOf(rows, 40)?.labels).toEqual([
    'Yes',
    "Yes, and don't ask again for touch commands in /w",
    'No',
  ]);
});

test('"don’t ask again" has either apostrophe', () => {
  const rows = [
    '─'.repeat(40),
    ' Bash command',
    '   npm publish',
    ' Do you want to proceed?',
    ' ❯ 1. Yes',
    '   2. Yes, and don’t ask again for: npm publish *',
    '   3. No',
    '',
    ' Esc to cancel',
  ];
  expect(permissionOptions(dialogOf(rows, 40) as Dialog).map(({ choice }) => choice)).toEqual([
    'allow',
    'allow_always',
    'deny',
  ]);
});

test('while somebody types into an option, nothing is known about the dialog', () => {
  const rows = [
    '─'.repeat(40),
    ' Bash command',
    '   touch a',
    ' Proceed?',
    ' ❯ 1. Yes, and be quick',
    '   2. No',
    '',
    ' Esc to cancel',
  ];
  expect(permissionOptions(dialogOf(rows, 40) as Dialog)).toEqual([]);
});
