import { expect, test } from 'vitest';
import { tmuxErrorKind } from './tmux-error.ts';

test.each([
  ['tmux new-session: server exited unexpectedly', 'serverExiting'],
  ['[server exited]', 'serverExiting'],
  ['lost server', 'serverExiting'],
  ['tmux new-session: duplicate session: claude-4dd74d42', 'sessionExists'],
  ["tmux list-panes: can't find session: one", null],
  ['no server running on /tmp/s', null],
  [null, null],
])('the error %j is classified as %j', (error, kind) => {
  expect(tmuxErrorKind(error)).toBe(kind);
});
