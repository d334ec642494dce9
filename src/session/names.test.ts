import { expect, test } from 'vitest';
import { file, hook, runScript, type ScriptEvent, transcript } from '../testing/fold-script.ts';

const start = hook(1_000, 'SessionStart', { source: 'startup', cwd: '/srv/shop' });
const rename = (at: number, title: string | null): ScriptEvent => ({
  at,
  source: 'drover',
  name: 'Renamed',
  fields: { title },
});
const named = (at: number, name: string, nameSource?: string): ScriptEvent => {
  const item = file(at, 'idle');
  return { ...item, fields: { ...item.fields, name, cwd: '/srv/shop', ...(nameSource && { nameSource }) } };
};
const titles = (at: number, fields: object) => transcript(at, 'Titles', { ...fields });

const titleAfter = (...script: ScriptEvent[]) => {
  const { title, titleFrom } = runScript([start, ...script], 10_000).session;
  return [title, titleFrom];
};

test('the title is the name given by a person, else the generated title, else the project', () => {
  expect(titleAfter()).toEqual(['shop', 'project']);
  expect(titleAfter(titles(2_000, { custom: null, generated: 'Fix it' }))).toEqual(['Fix it', 'claude']);
  expect(titleAfter(titles(2_000, { custom: 'mine', generated: 'Fix it' }))).toEqual(['mine', 'person']);
  expect(titleAfter(titles(2_000, { generated: 'Fix it' }), rename(3_000, 'pay'))).toEqual(['pay', 'person']);
});

test('the newest of the names given here and in Claude Code counts; the same one again is not newer', () => {
  const inClaude = named(2_000, 'Payments', 'user');
  expect(titleAfter(inClaude)).toEqual(['Payments', 'person']);
  expect(titleAfter(inClaude, rename(3_000, 'pay'), named(4_000, 'Payments', 'user'))).toEqual([
    'pay',
    'person',
  ]);
  expect(titleAfter(inClaude, rename(3_000, 'pay'), named(4_000, 'Billing', 'user'))).toEqual([
    'Billing',
    'person',
  ]);
  expect(titleAfter(inClaude, rename(3_000, null))).toEqual(['shop', 'project']);
});

test('a name that Claude Code derived from the folder is not a title', () => {
  expect(titleAfter(named(2_000, 'shop-fa', 'derived'))).toEqual(['shop', 'project']);
  expect(titleAfter(named(2_000, 'shop-fa'))).toEqual(['shop', 'project']);
  expect(titleAfter(named(2_000, 'shop-front'))).toEqual(['shop-front', 'person']);
  expect(titleAfter(named(2_000, 'Checkout', 'auto'))).toEqual(['Checkout', 'claude']);
});

test('names and tags outlive a resume', () => {
  const tag: ScriptEvent = { at: 3_000, source: 'drover', name: 'Tagged', fields: { tags: ['urgent'] } };
  const { session } = runScript(
    [
      start,
      rename(2_000, 'pay'),
      tag,
      hook(4_000, 'SessionEnd'),
      hook(5_000, 'SessionStart', { source: 'resume' }),
    ],
    10_000,
  );
  expect(session).toMatchObject({ title: 'pay', tags: ['urgent'], state: 'ready' });
});

test('hostile values are bounded and cleaned', () => {
  expect(titleAfter(rename(2_000, `a\u001b[2J\n${'b'.repeat(900)}`))[0]).toMatch(/^a \[2J b{190,200}$/);
  const odd = { at: 2_000, source: 'drover' as const, name: 'Renamed', fields: { title: 7 } };
  expect(titleAfter(odd)).toEqual(['shop', 'project']);
});
