/** Keys are meant for one request: nothing is pressed when it is gone, or when the dialog may be another one's. */
import { expect, test } from 'vitest';
import type { OpenRequest } from '../../contract/session.ts';
import { emptyMemory, type Folded, noNames } from '../../session/memory.ts';
import { aSession } from '../../testing/session.ts';
import { assertRequestOpen } from './no-answer.ts';

const request = (id: number, command: string): OpenRequest => ({
  id,
  kind: 'permission',
  tool: 'Bash',
  agent: null,
  line: `Bash: ${command}`,
  at: 0,
  until: null,
});

const asking = (...requests: OpenRequest[]): Folded => ({
  ...aSession({ state: 'waiting', reason: 'permission', requests }),
  names: noNames,
  memory: {
    ...emptyMemory(0),
    past: [{ id: 5, line: 'Bash: ls', print: '', at: 9_600, by: 'terminal', behavior: 'allow' }],
  },
});

test('a request that is gone', () => {
  const session = asking(request(7, 'npm test'));
  expect(() => assertRequestOpen(session, { id: 5, expect: 'ls' }, 10_000)).toThrow(
    'Already allowed in the terminal 0.4 s ago: Bash: ls',
  );
  expect(() => assertRequestOpen(session, { id: 7 }, 10_000)).not.toThrow();
  expect(() => assertRequestOpen(session, {}, 10_000)).not.toThrow();
});

test('several requests: the text shows which dialog it is, or nothing does', () => {
  const session = asking(request(7, 'npm test'), request(8, 'npm test -- --force'));
  for (const expected of [undefined, 'npm test'])
    expect(() => assertRequestOpen(session, { id: 7, expect: expected }, 10_000)).toThrow(
      '2 requests are open',
    );
  expect(() => assertRequestOpen(session, { id: 8, expect: '--force' }, 10_000)).not.toThrow();
});
