import { expect, test } from 'vitest';
import type { Draft } from '../contract/event.ts';
import { draftOf } from './payload.ts';
import { learnedWindows } from './learned-windows.ts';

const open = () => {
  const stored = new Map<string, object>();
  const facts = {
    read: (name: string) => stored.get(name) ?? null,
    save: (name: string, value: object) => void stored.set(name, structuredClone(value)),
  };
  return { ...learnedWindows(facts), again: () => learnedWindows(facts) };
};

const delivered = (payload: object, hook?: string): Draft =>
  draftOf({ payload: Buffer.from(JSON.stringify(payload)), at: 1, context: {}, hook }) as Draft;

const statusLine = (id: string, size: unknown, version = '2.1.325') =>
  delivered(
    { session_id: 'a', model: { id }, version, context_window: { context_window_size: size } },
    'StatusLine',
  );

const noVersion = () => null;

test('the status line teaches the window of its model, for its version first', () => {
  const { learn, find, again } = open();
  expect(learn(statusLine('claude-opus-9', 300_000), noVersion)).toBe(true);
  expect(learn(statusLine('claude-opus-9', 400_000, '2.2.0'), noVersion)).toBe(true);
  expect(find('claude-opus-9', '2.1.325')).toBe(300_000);
  expect(find('claude-opus-9', '2.2.0')).toBe(400_000);
  expect(again().find('claude-opus-9', '3.0.0')).toBe(400_000);
  expect(find('claude-opus-8', '2.1.325')).toBe(null);
});

test('the result of claude -p teaches each model it used, for the version of its session', () => {
  const { learn, find } = open();
  const modelUsage = {
    'claude-opus-9': { contextWindow: 1_000_000 },
    'claude-haiku-9': { contextWindow: 200_000 },
  };
  expect(learn(delivered({ type: 'result', session_id: 'a', modelUsage }), () => '2.2.0')).toBe(true);
  expect(find('claude-haiku-9', '2.2.0')).toBe(200_000);
  expect(find('claude-opus-9', null)).toBe(1_000_000);
});

test('a hook event teaches no window, whatever fields it has', () => {
  const { learn, find } = open();
  const stop = {
    hook_event_name: 'Stop',
    context_window: { context_window_size: 5_000 },
    model: { id: 'x-y-z' },
  };
  expect(learn(delivered(stop), noVersion)).toBe(false);
  expect(learn(delivered({ session_id: 'a' }), noVersion)).toBe(false);
  expect(find('x-y-z', null)).toBe(null);
});

test.each([0, -1, 1e12, 1.5, '200000', null])('a size of %s is not learned', size => {
  const { learn, find } = open();
  expect(learn(statusLine('claude-opus-9', size), noVersion)).toBe(true);
  expect(find('claude-opus-9', '2.1.325')).toBe(null);
});

test('what is remembered is bounded', () => {
  const { learn, find } = open();
  for (let n = 0; n < 1_000; n++) learn(statusLine(`model-${n}`, 10_000), noVersion);
  expect(find('model-0', null)).toBe(null);
  expect(find('model-999', null)).toBe(10_000);
});
