/** The outcome of a message, from a real pane, a transcript and the log. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import type { Log } from '../../store/log.ts';
import type { BegunMessage } from '../../session/message/message.ts';
import { openTestPane } from '../../testing/pane.ts';
import { resolveOutcome } from './recover.ts';

const marked = Date.parse('2026-01-01T10:00:00Z');
const message = {
  sessionId: 's',
  text: 'SAY hello',
  queuedAt: marked - 60_000,
  typingSeq: 7,
  carried: false,
};

/** A session whose prompt holds this draft, and whose transcript has the message at these times. */
const became = async (
  draft: string,
  hooks: 'live' | 'silent',
  taken: number[] = [],
  tick = 250,
  isSetForward = false,
) => {
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
  // The clock runs faster than the polls, as on a loaded machine.
  let now = marked;
  const elapsed = () => (now += tick);
  let readings = 0;
  const clock = isSetForward ? { now: () => marked + ++readings * 3_600_000, elapsed } : { now: elapsed };
  return resolveOutcome(message as BegunMessage, {
    loop: { sessionIndex: { get: () => session } } as unknown as Loop,
    log: log as unknown as Log,
    clock,
    closed: () => false,
  });
};

test('a prompt that stays empty: the message was never typed', async () => {
  expect(await became('', 'live')).toEqual({ kind: 'never typed' });
});

test('few polls are enough where each takes long', async () => {
  expect(await became('', 'live', [], 2_000)).toEqual({ kind: 'never typed' });
});

test('a clock that is set forward meanwhile does not cut it short', async () => {
  expect(await became('', 'live', [], 250, true)).toEqual({ kind: 'never typed' });
});

test('the prompt shows the message', async () => {
  expect(await became('SAY hello', 'live')).toEqual({ kind: 'in line' });
});

test('the prompt shows it beside the words of a person: unknown', async () => {
  expect(await became('no, wait SAY hello', 'live', [], 2_000)).toEqual({ kind: 'unknown' });
});

test('the prompt shows a draft of a person: unknown', async () => {
  expect(await became('a thought', 'live', [], 2_000)).toEqual({ kind: 'unknown' });
});

test('without hooks the transcript shows when it was submitted', async () => {
  expect(await became('', 'silent', [marked + 900])).toEqual({ kind: 'submitted', at: marked + 900 });
});

test('the same text sent earlier does not count', async () => {
  expect(await became('', 'silent', [marked - 30_000])).toEqual({ kind: 'never typed' });
});
