import { expect, test } from 'vitest';
import { parseHookPayload } from './hook-payload.ts';

const empty = { sessionId: null, transcript: null, cwd: null, answer: null, hasBackgroundTasks: false };

test('sparse, empty and broken payloads have no fields', () => {
  for (const payload of ['', '{}', 'null', '[]', '{"session_id":7', '{"session_id":"","background_tasks":3}'])
    expect(parseHookPayload(payload)).toEqual(empty);
});

test('fields are returned unchanged', () => {
  const payload = {
    session_id: 'a',
    transcript_path: '/t',
    cwd: '/w',
    last_assistant_message: 'hi\n',
  };
  expect(parseHookPayload(JSON.stringify(payload))).toEqual({
    sessionId: 'a',
    transcript: '/t',
    cwd: '/w',
    answer: 'hi\n',
    hasBackgroundTasks: false,
  });
});

test.each([
  [[{ type: 'shell', status: 'running' }], false],
  [[{ type: 'subagent', status: 'running' }], true],
  [[{ type: 'subagent', status: 'completed' }], false],
  [[{ type: 'subagent' }], true],
  [[null], false],
])('background tasks %j', (background_tasks, background) => {
  expect(parseHookPayload(JSON.stringify({ background_tasks })).hasBackgroundTasks).toBe(background);
});
