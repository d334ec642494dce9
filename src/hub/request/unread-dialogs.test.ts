import { expect, test } from 'vitest';
import { newestTested } from '../../contract/cli-version.ts';
import { UnreadDialogs } from './unread-dialogs.ts';

const open = (saved: Map<string, object> = new Map()) => ({
  saved,
  unread: new UnreadDialogs(
    { read: name => saved.get(name) ?? null, save: (name, value) => saved.set(name, value) },
    (message, error) => {
      throw new Error(message, { cause: error });
    },
  ),
});

test('a dialog of an untested version stays unread across restarts, until one of its kind is read', () => {
  const { unread, saved } = open();
  unread.note('9.1.340', 'permission');
  unread.note('9.1.340', 'permission');
  unread.note('9.1.340', 'plan');
  expect(unread.list()).toEqual([{ version: '9.1.340', kinds: ['permission', 'plan'] }]);
  const { unread: later } = open(saved);
  later.clear('9.1.340', 'permission');
  expect(later.list()).toEqual([{ version: '9.1.340', kinds: ['plan'] }]);
  later.clear('9.1.340', 'plan');
  expect(open(saved).unread.list()).toEqual([]);
});

test('on a tested version, or an unknown one, it is the screen of the moment', () => {
  const { unread } = open();
  unread.note(newestTested, 'permission');
  unread.note(null, 'permission');
  expect(unread.list()).toEqual([]);
});

test('what another build saved is ignored where it cannot be used', () => {
  const saved = new Map<string, object>([
    ['unread-dialogs', { '9.1.1': 'x', [newestTested]: ['plan'], '9.1.2': ['plan'] }],
  ]);
  expect(open(saved).unread.list()).toEqual([{ version: '9.1.2', kinds: ['plan'] }]);
});

test('a store that cannot be written prevents nothing', () => {
  const errors: string[] = [];
  const full = () => {
    throw new Error('disk full');
  };
  const unread = new UnreadDialogs({ read: () => null, save: full }, message => errors.push(message));
  unread.note('9.1.340', 'plan');
  expect(unread.list()).toHaveLength(1);
  expect(errors).toEqual(['which dialogs could not be read could not be saved']);
});
