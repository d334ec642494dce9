/** Answers in amounts that a model can take in. */
import { expect, test } from 'vitest';
import type { SessionPage } from '../contract/api.ts';
import type { Daemon } from './daemon.ts';
import { lastAnswer } from './read-conversation.ts';

test('a last answer that is too long is cut, and says by how much', async () => {
  const session = { id: 'one', reason: 'stopped', detail: { text: 'y'.repeat(200_000), cut: 0 } };
  const unused = {} as Daemon;
  const text = await lastAnswer(session as unknown as SessionPage, unused, new AbortController().signal);
  expect([text?.length, text?.slice(-30)]).toEqual([
    80_000,
    'yyy\n[120000 more characters]'.padStart(30, 'y'),
  ]);
});
