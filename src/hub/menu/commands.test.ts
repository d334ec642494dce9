/** Commands one after the other, told by events alone: nothing is typed here. */
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../clock.ts';
import { limits } from '../../limits.ts';
import type { Folded } from '../../session/memory.ts';
import type { Message } from '../../store/receipt-table.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { Commands } from './commands.ts';
import type { Messages } from '../message/messages.ts';
import { Receipts } from '../message/receipts.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
/** One CLI in one pane. */
const place = { socket: '/s', serverPid: 1, pane: '%1', pid: 7 };
const next = 'bbbbbbbb-0000-4000-8000-000000000002';

/** A session at its prompt, and hands that only note what they are to type. */
const opened = async () => {
  const { loop, store, events } = await openPipeline();
  const onError = (message: string, error: unknown) => {
    throw new Error(message, { cause: error });
  };
  const receipts = new Receipts(loop, store, systemClock, onError);
  const sent: Message[] = [];
  const withdraw = vi.fn();
  const messages = {
    send: (session: Folded, { text, as }: { text: string; as: 'text' | 'command' }) => {
      const message = {
        id: `m${sent.length}`,
        sessionId: session.id,
        status: 'queued',
        submittedAt: null,
        typingSeq: null,
        text,
        as,
        queuedAt: Date.now(),
        key: null,
      } as Message;
      sent.push(message);
      receipts.save(message);
      return message;
    },
    withdraw,
  } as unknown as Messages;
  const commands = new Commands(loop, messages, receipts, systemClock, onError);
  loop.addViews([commands]);
  const says = (name: string, fields: object = {}) =>
    loop.take([{ draft: hookDraft(name, { ...fields }, place) }]);
  await says('SessionStart', { source: 'startup' });
  const session = () => loop.sessionIndex.get(id) as Folded;
  const start = (...wanted: string[]) =>
    commands.start(session(), { commands: wanted, wait: false, timeout: 1 });
  /** The newest message was typed, and its prompt taken. */
  const submit = async (prompt: string | null = null) => {
    const message = sent.at(-1) as Message;
    Object.assign(message, { status: 'typed', typingSeq: store.log.last() });
    if (prompt !== null) await says('UserPromptSubmit', { prompt });
    Object.assign(message, { status: 'submitted', submittedAt: Date.now() - 1 });
    receipts.save(message);
  };
  const stop = async () => {
    await says('Stop', { last_assistant_message: 'said' });
    await loop.take([
      {
        draft: {
          ...hookDraft('FileStatus'),
          source: 'file',
          raw: Buffer.from(JSON.stringify({ pid: 7, status: 'idle' })),
        },
      },
    ]);
  };
  const now = () => commands.of(session());
  return { loop, commands, events, says, start, submit, stop, now, sent, withdraw };
};

test('each waits for the Stop of the one before; own prompts cancel nothing', async () => {
  const { start, submit, stop, now, sent, events } = await opened();
  expect(start('SAY one', 'SAY two').steps.map(({ status }) => status)).toEqual(['active', 'pending']);
  expect(() => start('more')).toThrow('already');
  await submit('SAY one ');
  expect(sent).toHaveLength(1);
  await stop();
  expect(sent.map(({ text, as }) => [text, as])).toEqual([
    ['SAY one', 'text'],
    ['SAY two', 'text'],
  ]);
  await submit('SAY two');
  await stop();
  expect(now()).toMatchObject({ status: 'done', steps: [{ result: 'said' }, { result: 'said' }] });
  await new Promise(setImmediate);
  const names = events().map(({ name }) => name);
  expect(names.filter(name => name.startsWith('Commands'))).toEqual([
    'CommandsStarted',
    'CommandsStep',
    'CommandsStep',
    'CommandsDone',
  ]);
});

test('a prompt of somebody else cancels the rest, also one with the same words; a task that is over does not', async () => {
  for (const other of ['SAY mine', 'SAY one']) {
    const { start, submit, says, now, withdraw } = await opened();
    start('SAY one', 'SAY two');
    await submit('SAY one');
    await says('UserPromptSubmit', { prompt: '<task-notification>over</task-notification>' });
    expect(now()?.status).toBe('running');
    await says('UserPromptSubmit', { prompt: other });
    expect(now()).toMatchObject({
      status: 'cancelled',
      reason: 'Somebody else sent a prompt.',
      steps: [{ status: 'cancelled' }, { command: 'SAY two', status: 'cancelled' }],
    });
    expect(withdraw).toHaveBeenCalledOnce();
  }
});

test('/clear is over when the line is free and the next conversation has begun, in whatever order', async () => {
  for (const eventFirst of [true, false]) {
    const { start, submit, says, now, sent } = await opened();
    start('/clear', 'SAY two');
    const clear = async () => {
      await says('SessionEnd', { reason: 'clear' });
      await says('SessionStart', { session_id: next, source: 'clear' });
    };
    Object.assign(sent[0] as Message, { typingSeq: 1 });
    await says('Stop', {});
    if (eventFirst) await clear();
    await submit();
    if (!eventFirst) await clear();
    expect(sent.map(({ sessionId }) => sessionId)).toEqual([id, next]);
    expect(now()).toMatchObject({ sessionId: next, status: 'running' });
  }
});

test.each([
  ['StopFailure', { error: 'overloaded' }, 'Its turn failed.'],
  ['SessionEnd', { reason: 'other' }, 'The session ended.'],
])('%s cancels the rest', async (name, fields, reason) => {
  const { start, submit, says, now } = await opened();
  start('SAY one', 'SAY two');
  await submit('SAY one');
  await says(name, fields);
  await vi.waitFor(() => expect(now()).toMatchObject({ status: 'cancelled', reason }));
});

test('a command that was refused takes the rest with it, and somebody may cancel', async () => {
  const { start, now, sent, commands } = await opened();
  start('SAY one', 'SAY two');
  commands.stop(id);
  expect(now()).toMatchObject({ status: 'cancelled', reason: 'It was asked for.' });
  expect(() => commands.stop(id)).toThrow('No commands run');
  start('SAY one');
  expect(sent).toHaveLength(2);
  expect(await commands.until(now()?.id ?? '', 0)).toMatchObject({ status: 'running' });
});

test('a command of the CLI itself that begins no turn is over when nothing happens', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { start, submit, now, sent } = await opened();
    start('/cost', 'SAY two');
    await submit();
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(limits.command.quiet);
    expect(now()?.steps[0]).toMatchObject({ status: 'done', result: 'quiet' });
    expect(sent).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('what a daemon before this one left is cancelled, and what it had not typed is taken back', async () => {
  const { start, loop, commands, events } = await opened();
  start('SAY one', 'SAY two');
  await new Promise(setImmediate);
  expect(loop.sessionIndex.get(id)?.memory.commands).toMatchObject({ message: 'm0' });
  commands.resume();
  await new Promise(setImmediate);
  expect(loop.sessionIndex.get(id)?.memory.commands).toBeNull();
  expect(events().map(({ name }) => name)).toContain('MessageRefused');
});
