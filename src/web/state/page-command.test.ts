import { expect, test } from 'vitest';
import type { CommandId } from '../../client/board.ts';
import type { Session } from '../../contract/session.ts';
import { aSession } from '../../testing/session.ts';
import { pageCommand } from './page-command.ts';

const pane = { socket: '/s', serverPid: 1, id: '%1', pid: 1, session: 's', window: 'w', windowIndex: 0 };
const request = {
  id: 7,
  kind: 'permission' as const,
  tool: 'Bash',
  agent: null,
  line: 'Bash: touch made',
  at: 1,
  until: null,
};
const done = aSession({ id: 'done', state: 'waiting', reason: 'stopped', pane });
const asks = aSession({ id: 'asks', state: 'waiting', reason: 'permission', requests: [request], pane });
const works = aSession({ id: 'works', state: 'working', pane });
const ended = aSession({ id: 'ended', state: 'ended', reason: 'exit' });

test.each<[string, CommandId, Session[], object | null]>([
  ['a request that no hook holds can be answered', 'answer', [asks], { request: 7, isDenial: false }],
  ['and denied', 'deny', [asks], { request: 7, isDenial: true }],
  ['a turn is interrupted after a confirmation', 'interrupt', [works], { kind: 'interrupt', id: 'works' }],
  ['a session is renamed', 'rename', [done], { kind: 'rename', id: 'done' }],
  ['an ended session can be tagged', 'tag', [ended], { kind: 'tag', ids: ['ended'] }],
  ['an idle session is parked', 'park', [done], { kind: 'park', ids: ['done'] }],
  ['a new session needs no selected one', 'new', [], { kind: 'new' }],
])('%s', (_, id, targets, form) => {
  expect(pageCommand(id, targets, false, 0)).toMatchObject({ kind: 'form', form });
});

test('with marks a command is for all of them that it applies to; without, the board decides about deferrals', () => {
  expect(pageCommand('skip', [done], false, 0)).toBeNull();
  expect(pageCommand('skip', [done, works, asks], true, 0)).toEqual({
    kind: 'defer',
    act: 'skip',
    ids: ['done', 'asks'],
  });
  expect(pageCommand('snooze', [done, asks], true, 0)).toMatchObject({ form: { ids: ['done', 'asks'] } });
  expect(pageCommand('tag', [done, asks], true, 0)).toMatchObject({ form: { ids: ['done', 'asks'] } });
  expect(pageCommand('message', [done, ended], true, 0)).toMatchObject({ form: { ids: ['done'] } });
  expect(pageCommand('message', [done], false, 0)).toEqual({ kind: 'write' });
  expect(pageCommand('go', [done], false, 0)).toBeNull();
});

test.each<[CommandId, Session[], RegExp]>([
  ['answer', [done], /no open request/],
  ['interrupt', [done], /not working/],
  ['park', [works], /not idle/],
  ['message', [ended], /has ended/],
  ['message', [], /No session/],
])('%s that cannot be used says why', (id, targets, text) => {
  expect(pageCommand(id, targets, false, 0)).toMatchObject({
    kind: 'notice',
    text: expect.stringMatching(text),
  });
});

test('`f` opens the changes of the selected session', () => {
  expect(pageCommand('changes', [done], false, 0)).toEqual({ kind: 'changes' });
});
