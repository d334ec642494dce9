import { expect, test } from 'vitest';
import { draftOf } from './payload.ts';
import { OtherTools } from './other-tools.ts';

const draft = (payload: object | string) => {
  const bytes = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const made = draftOf({ payload: bytes, at: 1, context: {}, hook: 'Stop' });
  if (!made) throw new Error('no draft');
  return made;
};

const cursor = {
  conversation_id: 'c',
  generation_id: 'g',
  workspace_roots: ['/p'],
  hook_event_name: 'stop',
  cursor_version: '3.18.0',
  session_id: 'c',
  transcript_path: null,
};

test('events of Cursor are ignored and counted', () => {
  const tools = new OtherTools();
  expect(tools.ignores(draft(cursor))).toBe(true);
  // Its command line writes a byte order mark first, and older versions do not name themselves.
  expect(tools.ignores(draft(`\ufeff${JSON.stringify(cursor)}`))).toBe(true);
  expect(tools.ignores(draft({ ...cursor, cursor_version: undefined }))).toBe(true);
  expect(tools.count).toBe(3);
});

test('no event of Claude Code is ignored, whatever its texts contain', () => {
  const tools = new OtherTools();
  const claude = { session_id: 's', hook_event_name: 'PostToolUse', permission_mode: 'auto', cwd: '/p' };
  expect(tools.ignores(draft(claude))).toBe(false);
  expect(tools.ignores(draft({ ...claude, tool_input: cursor }))).toBe(false);
  expect(tools.ignores(draft({ ...claude, tool_response: JSON.stringify(cursor) }))).toBe(false);
  expect(tools.ignores(draft({ ...claude, conversation_id: 'c' }))).toBe(false);
  expect(tools.ignores(draft({ ...claude, workspace_roots: ['/p'] }))).toBe(false);
  expect(tools.count).toBe(0);
});
