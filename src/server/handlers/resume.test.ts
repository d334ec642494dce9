import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Request } from '../app.ts';
import { resumeHandlers } from './resume.ts';

test.each([
  ['a program makes it the hub’s', false, {}, true],
  ['a person keeps it their own', true, {}, false],
  ['a program at the socket says so', true, { managed: true }, true],
  ['a program may leave it', false, { managed: false }, false],
])('%s', async (_, byPerson, body, managed) => {
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
  await resumeSession({ id: 'a', byPerson, request } as unknown as Request);
  expect(asked).toEqual([['a', false, managed]]);
});
