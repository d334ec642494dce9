import { hostname } from 'node:os';
import { expect, test, vi } from 'vitest';
import { tempHome } from '../testing/home.ts';
import { isHomeOf, machineOf } from './machine.ts';

const earlierMachineId = vi.hoisted(() => vi.fn<() => string>());
vi.mock('../platform/processes.ts', async original => ({ ...(await original<object>()), earlierMachineId }));

test('a membership belongs to one folder on one machine, which an earlier version may have stored by another id', () => {
  const [{ home }, { home: other }] = [tempHome(), tempHome()];
  earlierMachineId.mockReturnValue('OF-THE-KERNEL');
  const joined = machineOf(home);
  expect(isHomeOf(joined, home)).toBe(true);
  expect(isHomeOf({ ...joined, id: hostname() }, home)).toBe(true);
  expect(isHomeOf({ ...joined, id: 'OF-THE-KERNEL' }, home)).toBe(true);
  expect(isHomeOf({ ...joined, id: 'OF-THE-KERNEL' }, other)).toBe(false);
  expect(isHomeOf({ ...joined, id: 'another machine' }, home)).toBe(false);
  earlierMachineId.mockReturnValue('');
  expect(isHomeOf({ ...joined, id: '' }, home)).toBe(false);
  expect(isHomeOf(joined, other)).toBe(false);
});
