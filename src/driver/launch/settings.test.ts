import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../testing/home.ts';
import { addHooks, addPermissions, readSettings } from './settings.ts';

test('settings are JSON text or a file relative to the working directory', () => {
  const { home } = tempHome();
  writeFileSync(join(home, 'mine.json'), '{"model":"opus"}');
  expect(readSettings(' {"model":"haiku"}', home)).toEqual({ model: 'haiku' });
  expect(readSettings('mine.json', home)).toEqual({ model: 'opus' });
  expect(readSettings(join(home, 'mine.json'), '/')).toEqual({ model: 'opus' });
});

test.each([
  ['{"a"', 'JSON'],
  ['nowhere.json', 'ENOENT'],
])('%s is rejected', (given, why) => {
  expect(() => readSettings(given, '/')).toThrow(why);
});

test('a file that holds no object is rejected', () => {
  const { home } = tempHome();
  writeFileSync(join(home, 'list.json'), '[]');
  expect(() => readSettings('list.json', home)).toThrow('not a JSON object');
});

test('hooks and permissions are added behind those that are there, and the input is not changed', () => {
  const given = { env: { A: '1' }, hooks: { Stop: ['mine'] }, permissions: { allow: ['Read'] } };
  expect(addHooks(given, { Stop: ['ours'], Setup: ['ours'] })).toEqual({
    ...given,
    hooks: { Stop: ['mine', 'ours'], Setup: ['ours'] },
  });
  expect(addPermissions(given, { allow: ['Edit'], deny: ['Bash'] })).toEqual({
    ...given,
    permissions: { allow: ['Read', 'Edit'], deny: ['Bash'] },
  });
  expect(given.hooks).toEqual({ Stop: ['mine'] });
});
