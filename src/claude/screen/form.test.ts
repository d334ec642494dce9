import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fieldsOf, type FormField, formOf, isForm, optionOf } from './form.ts';

const screen = (version: string) =>
  readFileSync(
    new URL(`../../../test/screens/ask-elicitation-${version}.txt`, import.meta.url),
    'utf8',
  ).split('\n');
const payload = {
  hook_event_name: 'Elicitation',
  session_id: 'a',
  mcp_server_name: 'elicit',
  message: 'Which colour?',
  requested_schema: {
    type: 'object',
    properties: { colour: { type: 'string', title: 'Colour' } },
    required: ['colour'],
  },
};

test.each(['2.1.197', '2.1.325'])('the form of an MCP server on the screen of %s', version => {
  const rows = screen(version);
  expect(formOf(rows, 40)).toMatchObject({
    server: 'elicit',
    at: 0,
    fields: [{ title: 'Colour', value: 'Type something…' }],
  });
  expect(isForm(rows, 40, payload)).toBe(true);
  expect(isForm(rows, 40, { ...payload, mcp_server_name: 'other' })).toBe(false);
  expect(isForm(rows, 40, { ...payload, message: 'Which size?' })).toBe(false);
  const more = { properties: { colour: { type: 'string', title: 'Colour' }, size: { type: 'string' } } };
  expect(isForm(rows, 40, { ...payload, requested_schema: more })).toBe(false);
  const button = rows.map(row =>
    row.replace('❯ *', '  *').replace('  Accept    Decline', '  Accept  ❯ Decline'),
  );
  expect(formOf(button, 40)?.at).toBe('decline');
});

test('text is typed, and other fields have options with the labels that the form shows', () => {
  const properties = {
    a: { type: 'boolean' },
    b: { type: 'string', enum: ['x', 'y'], enumNames: ['Ex', 'Why'] },
    c: { type: 'integer' },
    d: { type: 'array', items: { type: 'string' } },
  };
  const fields = fieldsOf({ ...payload, requested_schema: { properties } });
  expect(fields.map(({ isText }) => isText)).toEqual([false, false, true, false]);
  expect(fields.map(({ options }) => options?.map(({ label }) => label) ?? null)).toEqual([
    ['Yes', 'No'],
    ['Ex', 'Why'],
    null,
    null,
  ]);
  const [a, b] = fields as [FormField, FormField];
  expect([true, 'yes', 'false', 'maybe'].map(given => optionOf(a, given)?.value)).toEqual([
    true,
    true,
    false,
    undefined,
  ]);
  expect(['y', 'why', 'Ex', 'z'].map(given => optionOf(b, given)?.label)).toEqual([
    'Why',
    'Why',
    'Ex',
    undefined,
  ]);
});

test('a field that is expanded shows its options, and a tick says which fields were given', () => {
  const rows = [
    '─'.repeat(40),
    '  MCP server “elicit” requests your input',
    '  Which colour?',
    '    ✔ Colour: blue',
    '        Any colour',
    '  ❯ * Size: ▾',
    '          ◯ Small one',
    '        ❯ ◯ Large one',
    '      Gift wrap: not set',
    '    Accept    Decline',
  ];
  expect(formOf(rows, 40)).toMatchObject({
    at: 1,
    fields: [
      { title: 'Colour', value: 'blue', isSet: true },
      { title: 'Size', value: '▾', isSet: false },
      { title: 'Gift wrap', value: 'not set', isSet: false },
    ],
    options: [
      { label: 'Small one', selected: false },
      { label: 'Large one', selected: true },
    ],
  });
});

test('a form that the model draws above or inside another dialog is none', () => {
  const at = screen('2.1.325').findIndex(row => row.includes('MCP server'));
  const form = screen('2.1.325').slice(at);
  const dialog = [
    '─'.repeat(40),
    ' Bash command',
    '   touch evil',
    ' Do you want to proceed?',
    ' ❯ 1. Yes',
    '   2. No',
  ];
  expect(isForm(['─'.repeat(40), ...form], 40, payload)).toBe(true);
  expect(isForm([...form, ...dialog], 40, payload)).toBe(false);
  expect(isForm(['─'.repeat(40), ...form, ...dialog], 40, payload)).toBe(false);
  expect(isForm([...dialog.slice(0, 3), ...form, ...dialog.slice(3)], 40, payload)).toBe(false);
});
