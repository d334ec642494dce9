/** Messages in the log and in their table: both from the same events. */
import { expect, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import type { MessageState } from '../../session/message/message.ts';
import { openPipeline } from '../../testing/pipeline.ts';
import { Receipts } from './receipts.ts';

const sessionId = 'aaaaaaaa-0000-4000-8000-000000000001';
const text = { text: 'SAY it', as: 'text' as const, force: false, key: 'k', digest: 'd' };

const opened = async () => {
  const pipeline = await openPipeline();
  const onError = (message: string, error: unknown) =>
    void pipeline.errors.push(`${message}: ${String(error)}`);
  const receipts = new Receipts(pipeline.loop, pipeline.store, systemClock, onError);
  pipeline.loop.addProjections([receipts.projection]);
  pipeline.loop.addViews([receipts]);
  const submitted = async (as: 'text' | 'command' = 'text') => {
    await receipts.commit('m', sessionId, 'MessageQueued', { ...text, as });
    await receipts.commit('m', sessionId, 'MessageTyping', { after: 0, carried: false });
    await receipts.record('m', 'MessageTyped', {});
    await receipts.record('m', 'MessageSubmitted', { submittedAt: 5 });
  };
  const names = () => pipeline.events().map(({ name }) => name);
  return { ...pipeline, receipts, submitted, names };
};

test('a slash command is logged as submitted once', async () => {
  const { receipts, submitted, names } = await opened();
  await submitted('command');
  // Its prompt may be seen to be empty and its UserPromptSubmit may come: one of them is enough.
  await receipts.record('m', 'MessageSubmitted', { submittedAt: 6 });
  expect(names()).toEqual(['MessageQueued', 'MessageTyping', 'MessageTyped', 'MessageSubmitted']);
  expect(receipts.read('m')).toMatchObject({ status: 'submitted', submittedAt: 5 });
});

test.each(['interrupted', 'failed'] as const)('an %s turn is logged by its own event', async outcome => {
  const { receipts, submitted, names } = await opened();
  await submitted();
  await receipts.record('m', 'MessageUnanswered', { outcome, answer: null });
  // The end of the turn may be seen more than once, by its hook and by the session file.
  await receipts.record('m', 'MessageUnanswered', { outcome, answer: null });
  await receipts.record('m', 'MessageSubmitted', { submittedAt: 6 });
  expect(names().slice(2)).toEqual(['MessageTyped', 'MessageSubmitted', 'MessageUnanswered']);
  expect(receipts.read('m')).toMatchObject({ status: 'submitted', outcome });
  expect(receipts.openMessages()).toEqual([]);
});

test('the stored message equals the live one after each event', async () => {
  const { store, receipts, submitted, loop } = await opened();
  const seen: (MessageState | null)[] = [];
  receipts.listen(id => {
    seen.push(store.receipts.read(id));
    if (receipts.openMessages().length > 0) expect(receipts.state(id)).toEqual(seen.at(-1));
  });
  await submitted();
  await receipts.record('m', 'MessageAnswered', { answer: 'it', usage: null });
  expect(seen.map(state => state?.phase)).toEqual(['queued', 'typing', 'typed', 'submitted', 'answered']);
  expect(loop.pending).toBe(0);
});

test('a message that cannot be stored is not accepted, and one that cannot be marked is not typed', async () => {
  const { store, receipts } = await opened();
  const write = store.write.bind(store);
  const fail = () => {
    throw new Error('database is locked');
  };
  store.write = fail;
  await expect(receipts.commit('m', sessionId, 'MessageQueued', text)).rejects.toThrow('locked');
  expect(receipts.state('m')).toBeNull();
  store.write = write;
  await receipts.commit('m', sessionId, 'MessageQueued', text);
  store.write = fail;
  const typing = { after: 0, carried: false };
  await expect(receipts.commit('m', sessionId, 'MessageTyping', typing)).rejects.toThrow('locked');
  store.write = write;
  expect(receipts.state('m')?.phase).toBe('queued');
  expect(await receipts.commit('m', sessionId, 'MessageTyping', typing)).toBe(true);
});

test('an event is not logged when its message cannot be saved', async () => {
  const { store, receipts, names } = await opened();
  const save = store.receipts.save.bind(store.receipts);
  store.receipts.save = () => {
    throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
  };
  await expect(receipts.commit('m', sessionId, 'MessageQueued', text)).rejects.toThrow('locked');
  expect(names()).toEqual([]);
  store.receipts.save = save;
  await receipts.commit('m', sessionId, 'MessageQueued', text);
  expect([names(), receipts.read('m')?.status]).toEqual([['MessageQueued'], 'queued']);
});

test('an event that does not apply is not logged', async () => {
  const { receipts, names } = await opened();
  await receipts.commit('m', sessionId, 'MessageQueued', text);
  await receipts.record('m', 'MessageAnswered', { answer: 'no', usage: null });
  expect(names()).toEqual(['MessageQueued']);
});

test('an event in the log that does not apply is reported, and the message stays as it is', async () => {
  const { receipts, loop, errors } = await opened();
  await receipts.commit('m', sessionId, 'MessageQueued', text);
  const raw = Buffer.from(JSON.stringify({ session_id: sessionId, message: 'm' }));
  const draft = { at: 1, source: 'drover' as const, name: 'MessageTyped', sessionId, context: {}, raw };
  await loop.append([{ draft }]);
  expect(errors).toEqual([expect.stringContaining('MessageTyped in phase queued')]);
  expect(receipts.read('m')?.status).toBe('queued');
});

test('messages that are open are read again after a restart; a withdrawn one is not', async () => {
  const { store, loop, receipts } = await opened();
  for (const id of ['m', 'n']) await receipts.commit(id, sessionId, 'MessageQueued', { ...text, key: id });
  const next = new Receipts(loop, store, systemClock, () => {});
  next.withdraw('n');
  expect(next.load().map(({ id }) => id)).toEqual(['m']);
  expect(await next.until('n', 'answered', 1_000)).toMatchObject({ status: 'refused' });
});
