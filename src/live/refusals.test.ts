import { expect, test } from 'vitest';
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import type { Action } from './audit.ts';
import { Refusals } from './refusals.ts';

const opened = () => {
  const fires: (() => void)[] = [];
  const written: Action[] = [];
  const clock = {
    now: () => 0,
    schedule: (_: number, fire: () => void) => {
      fires.push(fire);
      return () => void fires.splice(fires.indexOf(fire), 1);
    },
  };
  const refusals = new Refusals(clock, action => void written.push(action));
  const isRepeated = (more: Partial<Action> = {}) => refusals.isRepeated({ ...refused, ...more });
  return { refusals, written, isRepeated, pass: () => fires.splice(0).forEach(fire => fire()) };
};

const refused: Action = {
  action: 'answer',
  caller: { kind: 'token', name: 'ci', session: null },
  session: 'aaaaaaaa',
  at: 1,
  error: new DroverError('forbidden'),
};

test('a repeated refusal is counted, and the count becomes one entry for each window', () => {
  const { isRepeated, written, pass } = opened();
  expect(isRepeated()).toBe(false);
  for (let n = 0; n < 500; n++) expect(isRepeated({ session: `${n}` })).toBe(true);
  expect(written).toEqual([]);
  pass();
  expect(written).toMatchObject([{ action: 'answer', session: null, text: '500 more attempts in 10 min' }]);
  // It goes on: only counted again.
  expect(isRepeated()).toBe(true);
  pass();
  expect(written).toHaveLength(2);
  pass();
  expect(isRepeated()).toBe(false);
});

test('other actions, errors and programs are recorded apart; what succeeds, and what the user does, always', () => {
  const { isRepeated } = opened();
  isRepeated();
  expect(isRepeated({ action: 'message' })).toBe(false);
  expect(isRepeated({ error: new DroverError('no_session') })).toBe(false);
  expect(isRepeated({ caller: { ...refused.caller, name: 'other' } })).toBe(false);
  expect([isRepeated({ error: undefined }), isRepeated({ error: undefined })]).toEqual([false, false]);
  const mine = { caller: { kind: 'cli', name: null, session: null } } as const;
  expect([isRepeated(mine), isRepeated(mine)]).toEqual([false, false]);
});

test('a program with many names cannot fill the memory, and a count is not lost when the daemon stops', () => {
  const { isRepeated, refusals, written } = opened();
  const named = (n: number) => isRepeated({ caller: { ...refused.caller, name: `n${n}` } });
  for (let n = 0; n < limits.audit.refusals; n++) expect(named(n)).toBe(false);
  expect([named(-1), named(-2), named(-3)]).toEqual([false, true, true]);
  refusals.close();
  expect(written.map(({ text }) => text)).toEqual(['2 more attempts in 10 min']);
});
