import { expect, test } from 'vitest';
import { useOf, windowOf } from './window.ts';

const newest = '2.1.325';

test.each([
  ['claude-opus-5-5', newest, 1_000_000],
  ['claude-sonnet-4-5', newest, 200_000],
  ['claude-haiku-4-5-20251001', newest, 200_000],
  ['claude-opus-4-8[1m]', '2.1.197', 1_000_000],
])('%s on %s has the window that the probe measured', (model, version, size) => {
  expect(windowOf(model, version)).toEqual({ size, source: 'measured' });
});

test('a version that was not measured is taken for the newest', () => {
  expect(windowOf('claude-opus-5-5', '2.9.0')).toEqual({ size: 1_000_000, source: 'measured' });
  expect(windowOf('claude-opus-5-5', null)).toEqual({ size: 1_000_000, source: 'measured' });
});

test('what the CLI has said on this machine counts more than the table', () => {
  const learned = (model: string) => (model === 'claude-opus-5-5' ? 400_000 : null);
  expect(windowOf('claude-opus-5-5', newest, learned)).toEqual({ size: 400_000, source: 'learned' });
  expect(windowOf('claude-sonnet-4-5', newest, learned)?.source).toBe('measured');
});

test('the window of a new model of a known family is assumed, of an unknown one it is not known', () => {
  expect(windowOf('claude-opus-9', newest)).toEqual({ size: 1_000_000, source: 'assumed' });
  expect(windowOf('claude-opus-4-1', newest)).toEqual({ size: 200_000, source: 'assumed' });
  expect(windowOf('claude-3-5-sonnet', newest)).toEqual({ size: 200_000, source: 'assumed' });
  expect(windowOf('claude-tapir-1[1m]', newest)).toEqual({ size: 1_000_000, source: 'assumed' });
  expect(windowOf('claude-tapir-1', newest)).toBe(null);
  expect(windowOf('llama-4', newest)).toBe(null);
});

test('the model name of the session shows the large window, which the transcript does not', () => {
  const session = { model: 'claude-sonnet-4-5[1m]', version: newest };
  expect(useOf(session, { tokens: 100_000, model: 'claude-sonnet-4-5' })).toMatchObject({
    window: 1_000_000,
    percent: 10,
  });
});

test('more tokens than fit into the window of the table mean the large window, as an assumption', () => {
  const session = { model: 'claude-sonnet-4-5', version: newest };
  const use = (tokens: number) => useOf(session, { tokens, model: 'claude-sonnet-4-5' });
  expect(use(150_000)).toEqual({ tokens: 150_000, window: 200_000, percent: 75, windowSource: 'measured' });
  expect(use(250_000)).toEqual({ tokens: 250_000, window: 1_000_000, percent: 25, windowSource: 'assumed' });
  expect(use(2_000_000)).toMatchObject({ window: null, percent: null, windowSource: null });
});
