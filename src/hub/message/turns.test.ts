/** What a receipt says about its turn, from hooks and transcript. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../clock.ts';
import type { BegunMessage } from '../../session/message/message.ts';
import type { Commit } from '../../live/loop.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { Receipts } from './receipts.ts';
import { Turns } from './turns.ts';

const sessionId = 'aaaaaaaa-0000-4000-8000-000000000001';

/** A message that Claude Code has accepted, in a working session. */
const submitted = async () => {
  const { loop, store, paths, errors } = await openPipeline();
  const onError = (message: string, error: unknown) => void errors.push(`${message}: ${String(error)}`);
  const receipts = new Receipts(loop, store, systemClock, onError);
  const turns = new Turns(loop, store, receipts, systemClock, onError);
  const onCommit = ({ event, payload, changed }: Commit) => {
    turns.onEvent(event, payload);
    for (const { after } of changed) turns.finishEnded(after);
  };
  loop.addProjections([receipts.projection]);
  loop.addViews([receipts, { name: 'turns', onCommit }]);
  loop.startConfirming(() => Promise.resolve());
  onTestFinished(() => {
    turns.close();
  });
  const transcript_path = join(paths.home, 'transcript.jsonl');
  writeFileSync(transcript_path, '');
  const hook = (name: string, fields: object = {}) =>
    loop.append([{ draft: hookDraft(name, { transcript_path, ...fields }) }]);
  await hook('UserPromptSubmit', { prompt: 'SAY it' });
  const queued = { text: 'SAY it', as: 'text' as const, force: false, key: null, digest: '' };
  await receipts.commit('m', sessionId, 'MessageQueued', queued);
  await receipts.commit('m', sessionId, 'MessageTyping', { after: 0, carried: false });
  await receipts.record('m', 'MessageTyped', {});
  await receipts.record('m', 'MessageSubmitted', { submittedAt: Date.now() - 1_000 });
  turns.add(receipts.state('m') as BegunMessage);
  const writeLine = (text: string, at = Date.now()) => {
    const usage = { output_tokens: 7 };
    const line = {
      type: 'assistant',
      timestamp: new Date(at).toISOString(),
      message: { content: [{ type: 'text', text }], usage },
    };
    appendFileSync(transcript_path, `${JSON.stringify(line)}\n`);
  };
  return { loop, store, receipts, hook, writeLine, answered: () => receipts.until('m', 'answered', 5_000) };
};

const long = `${'x'.repeat(20_000)} end`;

test('without a text in the Stop the transcript gives the whole answer, also when it is late', async () => {
  const { loop, hook, writeLine, answered } = await submitted();
  const at = Date.now();
  // It is written after the end of the turn, long after the state has shown it.
  const isWaiting = () => loop.sessionIndex.get(sessionId)?.state === 'waiting' || undefined;
  const written = (async () => {
    await loop.until(isWaiting, { timeout: 5_000 });
    setTimeout(() => writeLine(long, at), 60);
  })();
  await hook('Stop');
  expect(await answered()).toMatchObject({
    status: 'answered',
    outcome: 'stopped',
    answer: long,
    usage: { output_tokens: 7 },
  });
  await written;
});

test('the text in a Stop is the answer', async () => {
  const { hook, writeLine, answered } = await submitted();
  writeLine('as it is written');
  await hook('Stop', { last_assistant_message: 'as it was told' });
  expect(await answered()).toMatchObject({ status: 'answered', answer: 'as it was told' });
});

test('without any text the receipt is answered with null', async () => {
  const { hook, answered } = await submitted();
  await hook('Stop');
  expect(await answered()).toMatchObject({ status: 'answered', answer: null, usage: null });
});

test('a receipt that the store rejects at first is stored later, and nothing is thrown', async () => {
  const { store, receipts, hook, writeLine } = await submitted();
  await hook('Stop', { last_assistant_message: 'it' });
  const write = store.write.bind(store);
  let refused = 0;
  store.write = work => {
    if (refused++ < 3) throw new Error('database is locked');
    return write(work);
  };
  writeLine('it');
  await vi.waitFor(
    () => expect(receipts.read('m')).toMatchObject({ status: 'answered', answer: 'it' }),
    5_000,
  );
  expect(refused).toBeGreaterThan(3);
});
