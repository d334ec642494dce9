import { expect, test } from 'vitest';
import { removeField, setField } from './edit-config.ts';

const text = '{\n    "port": 4001,   "order": "fifo",\n    "stalls": { "queue": true }\n}\n';

test('a field is set where it stands, and everything else keeps its bytes', () => {
  expect(setField(text, 'f', ['port'], 4002)).toBe(text.replace('4001', '4002'));
  expect(setField(text, 'f', ['stalls', 'queue'], false)).toBe(text.replace('true', 'false'));
});

test('a new field is added in the style of the file, with the objects on the way to it', () => {
  const added = setField(text, 'f', ['hold', 'minutes'], 5);
  expect(JSON.parse(added)).toEqual({ ...JSON.parse(text), hold: { minutes: 5 } });
  expect(added.startsWith(text.slice(0, -3))).toBe(true);
  expect(JSON.parse(setField(text, 'f', ['stalls', 'toolMinutes'], 9))).toMatchObject({
    stalls: { queue: true, toolMinutes: 9 },
  });
});

test('a file that does not exist gets its first field', () => {
  expect(setField('', 'f', ['port'], 0)).toBe('{\n  "port": 0\n}\n');
});

test('a removed field leaves the rest; removing a missing one changes nothing', () => {
  expect(JSON.parse(removeField(text, 'f', ['port']))).toEqual({ order: 'fifo', stalls: { queue: true } });
  expect(removeField(setField(text, 'f', ['drive'], 'all'), 'f', ['drive'])).toBe(text);
  expect(removeField(text, 'f', ['stalls', 'nothing'])).toBe(text);
  expect(removeField('', 'f', ['port'])).toBe('');
});
