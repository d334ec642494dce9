/** What became of a message, told by a real pane, a transcript and the log. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import type { Log } from '../../store/log.ts';
import type { Message } from '../../store/receipt-table.ts';
import { openTestPane } from '../../testing/pane.ts';
import { whatBecame } from './recover.ts';

const marked = Date.parse('2026-01-01T10:00:00Z');
const message = {
  sessionId: 's',
  text: 'SAY hello',
  queuedAt: marked - 60_000,
  typingSeq: 7,
  carried: false,
};

/** A session whose prompt line holds this draft; its transcript has that prompt of these times. */
const became = async (draft: string, hooks: 'live' | 'silent', taken: number[] = [], tick = 250) => {
  const rule = '─'.repeat(20);
  const { folder, socket, pane } = await openTestPane(
    () => `clear; printf '${rule}\\n❯ ${draft}\\n${rule}\\n'; cat\n`,
    `❯ ${draft}`.trim(),
  );
  const transcript = join(folder, 'transcript.jsonl');
  const lines = taken.map(at => ({
    type: 'user',
    timestamp: new Date(at).toISOString(),
    message: { content: 'SAY hello' },
  }));
  writeFileSync(transcript, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  const session = { id: 's', state: 'waiting', hooks, transcript, pane: { socket, id: pane } } as Folded;
  const log = { read: ({ after }: { after: number }) => (after === 6 ? [{ at: marked, name: 'Stop' }] : []) };
  // Time runs faster than the looks, as on a machine that is short of breath.
  let now = marked;
  const clock = { now: () => (now += tick) };
  return whatBecame(message as Message, {
    loop: { sessionIndex: { get: () => session } } as unknown as Loop,
    log: log as unknown as Log,
    clock,
    closed: () => false,
  });
};

test('an empty line that stays empty: it was never typed', async () => {
  expect(await became('', 'live')).toEqual({ kind: 'never typed' });
});

test('few looks are enough where each takes long', async () => {
  expect(await became('', 'live', [], 2_000)).toEqual({ kind: 'never typed' });
});

test('it stands in the line', async () => {
  expect(await became('SAY hello', 'live')).toEqual({ kind: 'in line' });
});

test('it stands there beside the words of somebody else: it is not submitted, and nobody knows', async () => {
  expect(await became('no, wait SAY hello', 'live', [], 2_000)).toEqual({ kind: 'unknown' });
});

test('somebody else stands in the line: nobody knows', async () => {
  expect(await became('a thought', 'live', [], 2_000)).toEqual({ kind: 'unknown' });
});

test('where hooks do not reach us the transcript tells', async () => {
  expect(await became('', 'silent', [marked + 900])).toEqual({ kind: 'submitted', at: marked + 900 });
});

test('and the same words of before are not these', async () => {
  expect(await became('', 'silent', [marked - 30_000])).toEqual({ kind: 'never typed' });
});
