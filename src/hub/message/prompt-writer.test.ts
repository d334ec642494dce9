/** A message that cannot be typed, in a real pane that another program reads. */
import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import type { Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import type { QueuedMessage } from '../../session/message/message.ts';
import type { Store } from '../../store/store.ts';
import { openTestPane } from '../../testing/pane.ts';
import { drivePolicy } from '../drive-policy.ts';
import { PromptWriter } from './prompt-writer.ts';
import type { Receipts } from './receipts.ts';
import type { Turns } from './turns.ts';

const rule = '─'.repeat(20);

/** The pane shows this draft, and another program reads it. */
const opened = async (draft: string) => {
  const { socket, pane } = await openTestPane(
    () => `clear; printf '${rule}\\n❯ ${draft}\\n${rule}\\n'; cat\n`,
    `❯ ${draft}`.trim(),
  );
  const cli = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void cli.kill());
  const session = {
    id: 's',
    state: 'waiting',
    pid: cli.pid,
    touched: Date.now(),
    managed: true,
    requests: [],
    pane: { socket, id: pane, serverPid: null },
    memory: { requests: [], holds: [] },
  } as unknown as Folded;
  let state: object = { id: 'm', sessionId: 's', phase: 'queued', text: 'new', as: 'text' };
  const recorded: unknown[] = [];
  const receipts = {
    state: () => state as QueuedMessage,
    commit: async () => {
      state = { ...state, phase: 'typing', typingSeq: 1, carried: false };
      return true;
    },
    record: async (_: string, name: string, fields: object) => void recorded.push([name, fields]),
  };
  // The clock runs faster than the polls, as on a loaded machine.
  let now = 0;
  const clock = { now: Date.now, elapsed: () => (now += 1_000) };
  const writer = new PromptWriter(
    { sessionIndex: { get: () => session } } as unknown as Loop,
    { log: { lastSeq: () => 1 } } as unknown as Store,
    receipts as unknown as Receipts,
    { followEnds: () => {} } as unknown as Turns,
    clock,
    drivePolicy(
      () => 'managed',
      () => false,
    ),
  );
  return { session, writer, recorded };
};

const refused = (reason: string) => [['MessageRefused', { reason: expect.stringContaining(reason) }]];

test('a message is refused when another program stays in the foreground', async () => {
  const { session, writer, recorded } = await opened('');
  await writer.deliver(session, 'm');
  expect(recorded).toEqual(refused('Nothing was typed into pane'));
});

test('it is refused too when an interrupted message cannot be cleared from the prompt', async () => {
  const { session, writer, recorded } = await opened('old');
  await expect(writer.clearRestored(session, 'old')).rejects.toThrow('Nothing was typed into pane');
  await writer.deliver(session, 'm');
  expect(recorded).toEqual(refused('Nothing was typed into pane'));
});
