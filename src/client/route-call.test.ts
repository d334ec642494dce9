/** A wrong route, path parameter, query, body or answer field must not compile: `tsc` fails on an unused `@ts-expect-error`. */
import { expect, expectTypeOf, test } from 'vitest';
import type { Receipt } from '../contract/hub.ts';
import type { Session } from '../contract/session.ts';
import { type AnswerOf, pathOf, targetOf } from './route-call.ts';

test('a call has the method of its route, its id and its query', () => {
  expect(targetOf('sendMessage', { id: 'abc@host' })).toEqual({
    method: 'POST',
    path: '/sessions/abc%40host/message',
  });
  expect(pathOf('listSessions', { query: { q: 'a b&c', live: 1, state: undefined } })).toBe(
    '/sessions?q=a+b%26c&live=1',
  );
  expect(pathOf('readQueue')).toBe('/queue');
});

test('an id with a slash stays one part of the path', () => {
  expect(pathOf('readSession', { id: '../stop' })).toBe('/sessions/..%2Fstop');
});

test('calls have the types of their route, and wrong ones do not compile', () => {
  // @ts-expect-error: there is no such route
  expect(() => pathOf('readSesion', { id: 'a' })).toThrow('is not iterable');
  // @ts-expect-error: the path has an id
  expect(pathOf('readSession')).toBe('/sessions/');
  // @ts-expect-error: the path has no id
  expect(pathOf('readQueue', { id: 'a' })).toBe('/queue');
  // @ts-expect-error: there is no such query
  expect(pathOf('listSessions', { query: { limits: 3 } })).toContain('limits=3');
  // @ts-expect-error: the body lacks its text
  expect(pathOf('sendMessage', { id: 'a', body: { wait: 'answered' } })).toContain('/a/');
  // @ts-expect-error: the body has no such field
  expect(pathOf('sendMessage', { id: 'a', body: { text: 'x', waits: 1 } })).toContain('/a/');
  // @ts-expect-error: this route takes no body
  expect(pathOf('interruptSession', { id: 'a', body: {} })).toContain('/a/');
  expectTypeOf<AnswerOf<'sendMessage'>>().toEqualTypeOf<Receipt>();
  expectTypeOf<AnswerOf<'listSessions'>['sessions']>().toEqualTypeOf<Session[]>();
  expectTypeOf<AnswerOf<'readSession'>>().not.toHaveProperty('request');
  expectTypeOf<AnswerOf<'metrics'>>().toBeUnknown();
});
