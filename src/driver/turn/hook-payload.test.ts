import { expect, test } from 'vitest';
import { parsePayload } from './hook-payload.ts';

const empty = { sessionId: null, transcript: null, cwd: null, answer: null, background: false };

test('sparse, empty and broken payloads say nothing', () => {
  for (const payload of ['', '{}', 'null', '[]', '{"session_id":7', '{"session_id":"","background_tasks":3}'])
    expect(parsePayload(payload)).toEqual(empty);
});

test('what there is, as it is', () => {
  const payload = {
    session_id: 'a',
    transcript_path: '/t',
    cwd: '/w',
    last_assistant_message: 'hi\n',
  };
  expect(parsePayload(JSON.stringify(payload))).toEqual({
    sessionId: 'a',
    transcript: '/t',
    cwd: '/w',
    answer: 'hi\n',
    background: false,
  });
});

test.each([
  [[{ type: 'shell', status: 'running' }], false],
  [[{ type: 'subagent', status: 'running' }], true],
  [[{ type: 'subagent', status: 'completed' }], false],
  [[{ type: 'subagent' }], true],
  [[null], false],
])('tasks %j', (background_tasks, background) => {
  expect(parsePayload(JSON.stringify({ background_tasks })).background).toBe(background);
});
