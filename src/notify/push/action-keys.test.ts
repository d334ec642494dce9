import { expect, test } from 'vitest';
import { limits } from '../../limits.ts';
import { ActionKeys } from './action-keys.ts';

const opened = () => {
  const clock = { time: 1_000, now: () => clock.time };
  const keys = new ActionKeys(clock);
  const scope = { device: 'phone', session: 's1', request: 7, choices: ['deny'] as const };
  return { clock, keys, scope };
};

test('a key works once, for its request, its choices and its device', () => {
  const { keys, scope } = opened();
  const key = keys.create(scope);
  expect(() => keys.use({ key, request: 8, choice: 'deny' }, 'phone')).toThrow('belongs to another request');
  expect(() => keys.use({ key, request: 7, choice: 'allow' }, 'phone')).toThrow('cannot answer with `allow`');
  expect(() => keys.use({ key, request: 7, choice: 'deny' }, 'tablet')).toThrow('expired');
  expect(() => keys.use({ key, request: 7, choice: 'deny' }, null)).toThrow('expired');
  expect(keys.use({ key, request: 7, choice: 'deny' }, 'phone')).toBe('s1');
  expect(() => keys.use({ key, request: 7, choice: 'deny' }, 'phone')).toThrow('already answered');
});

test('keys are revoked for one device, or all', () => {
  const { keys, scope } = opened();
  const use = (key: string, device: string) => () => keys.use({ key, request: 7, choice: 'deny' }, device);
  const [phone, tablet, other] = [scope, { ...scope, device: 'tablet' }, scope].map(one => keys.create(one));
  keys.clear('tablet');
  expect(use(tablet as string, 'tablet')).toThrow('expired');
  expect(use(phone as string, 'phone')()).toBe('s1');
  keys.clear();
  expect(use(other as string, 'phone')).toThrow('expired');
});

test('old keys expire, by their age and by their number', () => {
  const { clock, keys, scope } = opened();
  const old = keys.create(scope);
  clock.time += limits.push.keyAge + 1;
  expect(() => keys.use({ key: old, request: 7, choice: 'deny' }, 'phone')).toThrow('expired');
  const first = keys.create(scope);
  for (let n = 0; n < limits.push.keys; n++) keys.create(scope);
  expect(() => keys.use({ key: first, request: 7, choice: 'deny' }, 'phone')).toThrow('expired');
});
