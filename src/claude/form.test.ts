import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fieldsOf, formOf, isForm } from './form.ts';

const screen = (version: string) =>
  readFileSync(new URL(`../../test/screens/ask-elicitation-${version}.txt`, import.meta.url), 'utf8').split(
    '\n',
  );
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
  expect(formOf(rows)).toMatchObject({
    server: 'elicit',
    at: 0,
    fields: [{ title: 'Colour', value: 'Type something…' }],
  });
  expect(isForm(rows, payload)).toBe(true);
  expect(isForm(rows, { ...payload, mcp_server_name: 'other' })).toBe(false);
  expect(isForm(rows, { ...payload, message: 'Which size?' })).toBe(false);
  const more = { properties: { colour: { type: 'string', title: 'Colour' }, size: { type: 'string' } } };
  expect(isForm(rows, { ...payload, requested_schema: more })).toBe(false);
  const button = rows.map(row =>
    row.replace('❯ *', '  *').replace('  Accept    Decline', '  Accept  ❯ Decline'),
  );
  expect(formOf(button)?.at).toBe('decline');
});

test('only fields that take text can be filled in', () => {
  const schema = {
    properties: { a: { type: 'boolean' }, b: { type: 'string', enum: ['x'] }, c: { type: 'integer' } },
  };
  expect(fieldsOf({ ...payload, requested_schema: schema }).map(({ isText }) => isText)).toEqual([
    false,
    false,
    true,
  ]);
});
