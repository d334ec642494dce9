import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { screenRequest } from './screen-request.ts';

const screen = (name: string) =>
  readFileSync(new URL(`../../../test/screens/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .map(row => row.trimEnd());

test.each([
  ['permission-2.1.197', 'Bash', 'touch made'],
  ['permission-2.1.325', 'Bash', 'touch made'],
  ['ask-edit-2.1.197', 'Edit', '+line 2'],
  ['ask-write-new-2.1.325', 'Write', 'gamma'],
  ['ask-fetch-2.1.197', 'WebFetch', 'https://127.0.0.1:9/a?x=1'],
])('%s is read with what it asks', (name, tool, part) => {
  const request = screenRequest(screen(name), 40);
  expect(request?.tool).toBe(tool);
  expect(request?.text).toContain(part);
  expect(request?.text).not.toMatch(/╌|Tip: |Do you want/);
});

test.each([
  'question-2.1.325',
  'plan-2.1.197',
  'ask-elicitation-2.1.325',
  'trust-2.1.197',
  'model-2.1.325',
  'ready-2.1.325',
])('%s is no permission request', name => {
  expect(screenRequest(screen(name), 40)).toBeNull();
});

test('a dialog whose beginning is not on the screen is not read', () => {
  const rows = screen('permission-2.1.325');
  const from = rows.findIndex(row => row.includes('Bash command'));
  expect(screenRequest(rows.slice(from + 1), 40)).toBeNull();
});

const newFile = (name: string) => [
  '─'.repeat(40),
  ' Create file',
  ...name.split('\n').map(row => ` ${row}`),
  '╌'.repeat(40),
  '  1 hello',
  '╌'.repeat(40),
  ' Do you want to create it?',
  ' ❯ 1. Yes',
  '   2. No',
];

test('the name of a file is shown, whatever it is', () => {
  expect(screenRequest(newFile('Tip: evil below'), 40)?.more).toBe('Tip: evil below');
  expect(screenRequest(newFile('Tip: a\nevil below'), 40)?.more).toBe('Tip: a\nevil below');
});

test('a file whose name the CLI has cut is not read', () => {
  expect(screenRequest(newFile('a/evil'), 40)?.more).toBe('a/evil');
  expect(screenRequest(newFile('…a/evil'), 40)).toBeNull();
});

test('a long text is not cut', () => {
  const width = 500;
  const command = Array.from({ length: 60 }, () => ` │ ${'x'.repeat(450)}`);
  const rows = [
    '─'.repeat(width),
    ' Bash command',
    '╌'.repeat(width),
    ...command,
    ' │ touch evil',
    '╌'.repeat(width),
    ' ❯ 1. Yes',
    '   2. No',
  ];
  expect(screenRequest(rows, width)?.text).toMatch(/touch evil$/);
});
