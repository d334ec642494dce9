import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Request } from '../app.ts';
import { resumeHandlers } from './resume.ts';

test.each([
  ['a program makes it the hub’s', 'token', {}, true],
  ['a person keeps it their own', 'cli', {}, false],
  ['a program at the socket says so', 'socket', { managed: true }, true],
  ['a program may leave it', 'token', { managed: false }, false],
])('%s', async (_, kind, body, managed) => {
  const asked: unknown[] = [];
  const { resumeSession } = resumeHandlers({
    resume: (...wish) => {
      asked.push(wish);
      return Promise.resolve({ id: 'a', dir: '/', argv: [], pane: { socket: 's', id: '%1' } });
    },
    index: () => ({ on: false, transcripts: 0, indexed: 0 }),
    setIndex: on => Promise.resolve({ on, transcripts: 0, indexed: 0 }),
  });
  const request = Object.assign(Readable.from([Buffer.from(JSON.stringify(body))]), { headers: {} });
  await resumeSession({ id: 'a', caller: { kind }, action: {}, request } as unknown as Request);
  expect(asked).toEqual([['a', false, managed]]);
});
