import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dialogOf } from '../../claude/screen/dialog.ts';
import { screenRequest } from '../../claude/screen/screen-request.ts';
import type { Session } from '../../contract/session.ts';
import { type Asked, isShown } from './screen-match.ts';
import type { Seen } from './terminal-screen.ts';

const text = readFileSync(new URL('../../../test/screens/permission-2.1.325.txt', import.meta.url), 'utf8');
const rows = text.split('\n').map(row => row.trimEnd());
const seen = { pane: { rows, width: 40 }, dialog: dialogOf(rows, 40), at: 0 } as unknown as Seen;
const session = { cwd: '/home/dev/project', dir: '/home/dev/project' } as Session;
const identity = screenRequest(rows, 40)?.identity;

const asked = (isFromScreen: boolean, identified: unknown): Asked =>
  ({
    kind: 'permission',
    agent: null,
    isFromScreen,
    payload: { tool_name: 'Bash', tool_input: { command: 'ls' }, identity: identified },
  }) as unknown as Asked;

test('a request that was read from the screen is shown while its dialog is the same', () => {
  expect(typeof identity).toBe('string');
  expect(isShown(seen, asked(true, identity), session)).toBe(true);
  expect(isShown(seen, asked(true, 'another'), session)).toBe(false);
});

test('a hook that claims the identity of another dialog is not taken for it', () => {
  expect(isShown(seen, asked(false, identity), session)).toBe(false);
});
