import { expect, test } from 'vitest';
import { DroverError } from '../../contract/error.ts';
import type { Call } from '../verb.ts';
import { targetFrom } from './ssh-target.ts';

const optionsOf = (options: Call['options']): string[] =>
  targetFrom({ cwd: '/home/you/work', options } as Call, 'me@devbox', 2222).options;

test('the configuration file of ssh is kept with its whole path, because the daemon runs elsewhere', () => {
  expect(optionsOf({ 'ssh-config': './config' })).toEqual(['-F', '/home/you/work/config', '-p', '2222']);
  expect(optionsOf({ 'ssh-config': '/etc/config' })[1]).toBe('/etc/config');
  expect(optionsOf({ 'ssh-config': 'none' })[1]).toBe('none');
});

test.each(['-oProxyCommand=x', '', 'me@box;id', 'me@box id', '$(id)'])('%j is no destination', given => {
  expect(() => targetFrom({ cwd: '/', options: {} } as unknown as Call, given, null)).toThrow(DroverError);
});
