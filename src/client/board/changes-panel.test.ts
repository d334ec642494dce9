import { expect, test } from 'vitest';
import type { Changes } from '../../contract/changes.ts';
import { aSession } from '../../testing/session.ts';
import { changesLines, changesToLoad, withLoadedChanges } from './changes-panel.ts';
import { changesLabel, collisionLabel } from './labels.ts';
import { press } from './press.ts';
import { type Board, type ChangesEntry, emptyBoard } from './state.ts';
import { withChanges } from './update.ts';

const session = aSession({ title: 'Pay', changes: { files: 1, added: 2, removed: 1 } });
const board: Board = { ...emptyBoard, link: 'live', sessions: new Map([[session.id, session]]) };

const changes: Changes = {
  sessionId: session.id,
  dir: '/p',
  total: { files: 2, added: 2, removed: 1 },
  files: [
    { path: '/p/a.ts', name: 'a.ts', edits: 1, added: 2, removed: 1, isNew: false, isInferred: false, at: 0 },
    { path: '/p/m', name: 'm', edits: 1, added: 0, removed: 0, isNew: true, isInferred: true, at: 0 },
  ],
  turns: [
    {
      id: 1,
      at: 0,
      prompt: 'Go',
      changes: [
        {
          seq: 2,
          at: 0,
          path: '/p/a.ts',
          tool: 'Edit',
          isInferred: false,
          isNew: false,
          added: 2,
          removed: 1,
          patch: '@@ -1,1 +1,2 @@\n-x\n+y\n+\u001b[31mz',
          isCut: false,
        },
      ],
    },
  ],
  collisions: [{ path: '/p/a.ts', sessionId: 'bbbbbbbb-0000-4000-8000-000000000002', at: 0 }],
  git: null,
};

test('`f` opens the changes, which load, follow the session and close again', () => {
  const { board: open } = press(board, 'f', 1_000);
  expect(open.entry).toMatchObject({ kind: 'changes', id: session.id, label: 'Pay' });
  const wanted = changesToLoad(open);
  expect(wanted?.id).toBe(session.id);
  const loaded = withLoadedChanges(open, changes, wanted?.counted ?? '');
  expect(changesToLoad(loaded)).toBeNull();
  const more = withChanges(loaded, [{ ...session, changes: { files: 2, added: 3, removed: 1 } }], 1_000);
  expect(changesToLoad(more)?.id).toBe(session.id);
  const scrolled = press(loaded, 'j', 1_000).board.entry as ChangesEntry;
  expect(scrolled.scroll).toBe(1);
  expect(press(loaded, 'escape', 1_000).board.entry).toBeNull();
  expect(press(loaded, 'f', 1_000).board.entry).toBeNull();
});

test('the panel has files, collisions and diffs, without control characters', () => {
  const open = press(board, 'f', 1_000).board;
  const loaded = withLoadedChanges(open, changes, '').entry as ChangesEntry;
  const lines = changesLines(loaded, 100, 60_000);
  expect(lines[0]).toMatch(/^a\.ts +\+2 −1 +1 edit +1 min ago$/);
  expect(lines[1]).toMatch(/^m +inferred +1 edit, new/);
  expect(lines).toContain('+2 −1 in 2 files');
  expect(lines).toContain('Collision: /p/a.ts is changed by bbbbbbbb too, 1 min ago');
  expect(lines).toEqual(expect.arrayContaining(['--- /p/a.ts', '@@ -1,1 +1,2 @@', '-x', '+y', '+[31mz']));
});

test('labels of a row', () => {
  expect(changesLabel(session)).toBe('+2 −1, 1 file');
  expect(changesLabel(aSession())).toBe('');
  expect(collisionLabel(aSession({ collisions: changes.collisions }))).toBe('collision: a.ts');
  expect(collisionLabel(aSession())).toBe('');
});
