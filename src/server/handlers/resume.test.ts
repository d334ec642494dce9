import { expect, test } from 'vitest';
import type { Caller } from '../../contract/caller.ts';
import { callOf } from '../../testing/call.ts';
import { resumeHandlers } from './resume.ts';

test.each<[string, Caller['kind'], { managed?: boolean }, boolean, boolean?]>([
  ['a program makes the session one of the hub', 'token', {}, true],
  ['a person keeps the session their own', 'cli', {}, false],
  ['a program at the socket says so', 'socket', { managed: true }, true],
  ['a program may leave the session unmanaged', 'token', { managed: false }, false],
  ['a parked session of the hub stays one', 'cli', {}, true, true],
  ['a parked session of a person stays theirs', 'token', {}, false, false],
])('resume: %s', async (_, kind, body, managed, wasManaged) => {
  const resumed: unknown[] = [];
  const { resumeSession } = resumeHandlers({
    resume: (...given) => {
      resumed.push(given);
      return Promise.resolve({ id: 'a', dir: '/', argv: [], pane: { socket: 's', id: '%1' } });
    },
    wasManaged: () => wasManaged ?? null,
    projects: () => [],
    index: () => ({ on: false, transcripts: 0, indexed: 0 }),
    setIndex: on => Promise.resolve({ on, transcripts: 0, indexed: 0 }),
  });
  const caller = { kind, name: null, session: null, rights: [] };
  const action = {};
  await resumeSession(callOf(body, { params: { id: 'a' }, caller, action }));
  expect(resumed).toEqual([['a', false, managed]]);
  expect(action).toEqual({ text: 'a' });
});
