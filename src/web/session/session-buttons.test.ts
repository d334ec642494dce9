/** The page shows the commands of the board's table, under the same names and in the same situations. */
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type CommandId, commands, helpRows, isApplicable, tooltipOf } from '../../client/board.ts';
import type { Session } from '../../contract/session.ts';
import { aSession } from '../../testing/session.ts';
import { Help } from '../shared/dialogs.tsx';
import type { Actions } from '../state/actions.ts';
import { SessionButtons } from './session-buttons.tsx';

const nothing = (): void => {};
const actions: Actions = {
  execute: nothing,
  attempt: () => Promise.resolve(true),
  press: nothing,
  run: () => true,
  defer: nothing,
  undo: nothing,
  openForm: nothing,
  open: nothing,
  mark: nothing,
  unmark: nothing,
};

const textsOf = (element: ReactElement, pattern: RegExp): string[] =>
  Array.from(renderToStaticMarkup(element).matchAll(pattern), ([, text = '']) => text);

const pane = { socket: '/s', serverPid: 1, id: '%1', pid: 1, session: 's', window: 'w', windowIndex: 0 };
const onPage: CommandId[] = [
  'go',
  'resume',
  'skip',
  'snooze',
  'dismiss',
  'interrupt',
  'rename',
  'tag',
  'park',
];

test.each<[string, Partial<Session>, CommandId[]]>([
  [
    'waits in a pane',
    { state: 'waiting', reason: 'stopped', pane },
    ['go', 'skip', 'snooze', 'dismiss', 'rename', 'tag', 'park'],
  ],
  [
    'waits without a pane',
    { state: 'waiting', reason: 'stopped' },
    ['skip', 'snooze', 'dismiss', 'rename', 'tag', 'park'],
  ],
  ['works', { state: 'working', pane }, ['go', 'interrupt', 'rename', 'tag']],
  ['has ended', { state: 'ended', reason: 'exit', pane }, ['resume', 'rename', 'tag']],
  ['was continued by another', { state: 'ended', reason: 'clear', next: 'another' }, ['rename', 'tag']],
])('a session that %s has the buttons of the table', (_, more, expected) => {
  const session = aSession(more);
  expect(onPage.filter(id => isApplicable(id, session))).toEqual(expected);
  const element = createElement(SessionButtons, { session, actions });
  expect(textsOf(element, /<button[^>]* title="\w+: [^"]*"[^>]*>([^<]*)</g)).toEqual(
    expected.map(id => commands[id].label),
  );
  expect(textsOf(element, /title="(\w+: [^"]*)"/g)).toEqual(expected.map(tooltipOf));
});

test('a deferred session can be restored', () => {
  const deferral = {
    since: 0,
    skipped: 1,
    snoozed: null,
    dismissed: null,
    claim: null,
    notified: null,
    seen: null,
  };
  const undone = (more: Partial<Session>) =>
    textsOf(
      createElement(SessionButtons, { session: aSession({ state: 'waiting', ...more }), actions }),
      /title="u: [^"]*"[^>]*>([^<]*)</g,
    );
  expect(undone({ deferral })).toEqual([commands.undo.label]);
  expect(undone({ deferral: { ...deferral, skipped: null } })).toEqual([]);
  expect(undone({ deferral, since: 5 })).toEqual([]);
});

test('the help of the page has the texts of the table', () => {
  const help = createElement(Help, { onClose: nothing, onDevices: nothing, onSignOut: nothing });
  const texts = helpRows('page').map(row => row.help);
  expect(textsOf(help, /<dd>([^<]*)<\/dd>/g)).toEqual(texts);
  expect(texts).not.toContain(commands.quit.help);
  expect(texts).toContain(commands.skip.help);
});
