import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { tempHome } from '../testing/home.ts';
import { isHomeOf, machineOf } from './machine.ts';

test('a membership belongs to one folder on one machine, which an earlier version may have stored by its host name', () => {
  const [{ home }, { home: other }] = [tempHome(), tempHome()];
  const joined = machineOf(home);
  expect(isHomeOf(joined, home)).toBe(true);
  expect(isHomeOf({ ...joined, id: hostname() }, home)).toBe(true);
  expect(isHomeOf({ ...joined, id: 'another machine' }, home)).toBe(false);
  expect(isHomeOf(joined, other)).toBe(false);
});
