import { expect, test } from 'vitest';
import { ConfigSyntaxError, fieldName, parseConfigText } from './config-text.ts';

test('a field is found by its line, and a missing one by its parent', () => {
  const { value, lineOf } = parseConfigText(
    '{\n  "port": 1,\n  "agents": [\n    {"agent_id": "a"}\n  ]\n}\n',
  );
  expect(value).toEqual({ port: 1, agents: [{ agent_id: 'a' }] });
  expect(lineOf(['port'])).toBe(2);
  expect(lineOf(['agents', 0, 'deliver'])).toBe(4);
  expect(lineOf(['nothing'])).toBe(1);
  expect(fieldName(['agents', 0, 'deliver'])).toBe('agents[0].deliver');
});

test('an empty file is an empty object', () => {
  expect(parseConfigText(' \n').value).toEqual({});
});

test.each([
  ['half a file', '{\n  "port": ', 2, 'JSON'],
  ['a comment', '{} // no', 1, 'JSON'],
  ['a trailing comma', '{\n  "a": 1,\n}', 3, 'JSON'],
  ['a control character', '{"a": "\u0001"}', 1, 'JSON'],
  ['a list', '[]', 1, 'a JSON object'],
])('%s is a syntax error with its line', (_, text, line, wanted) => {
  expect(() => parseConfigText(text)).toThrow(ConfigSyntaxError);
  try {
    parseConfigText(text);
  } catch (error) {
    expect(error).toMatchObject({ line, wanted });
  }
});
