/** Commands that run one after another, driven by events only: nothing is typed here. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../clock.ts';
import type { SendMessage } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import type { Folded } from '../../session/memory.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { Commands } from './commands.ts';
import { Receipts } from '../message/receipts.ts';
import { waitFor } from '../../testing/wait-for.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
/** One CLI in one pane. */
const place = { socket: '/s', serverPid: 1, pane: '%1', pid: 7 };
const next = 'bbbbbbbb-0000-4000-8000-000000000002';

/** A session at its prompt, and messages that are recorded and not typed. */
const opened = async () => {
  const { loop, store, events } = await openPipeline();
  const onError = (message: string, error: unknown) => {
    throw new Error(message, { cause: error });
  };
  const receipts = new Receipts(loop, store, systemClock, onError);
  const sent: { id: string; sessionId: string; text: string; as: string }[] = [];
  const withdraw = vi.fn();
  const messages = {
    send: async (session: Folded, { text, as, force }: SendMessage) => {
      const message = { id: `m${sent.length}`, sessionId: session.id, text, as };
      sent.push(message);
      await receipts.commit(message.id, session.id, 'MessageQueued', {
        text,
        as,
        force,
        key: null,
        digest: '',
      });
      return message;
    },
    withdraw,
  };
  const commands = new Commands(loop, messages, receipts, systemClock, onError);
  loop.addProjections([receipts.projection]);
  loop.addViews([receipts, commands]);
  // What a test has sent last is logged before the store closes.
  onTestFinished(async () => {
    for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  });
  const report = (name: string, fields: object = {}) =>
    loop.append([{ draft: hookDraft(name, { ...fields }, place) }]);
  await report('SessionStart', { source: 'startup' });
  const session = () => loop.sessionIndex.get(id) as Folded;
  const start = (...wanted: string[]) =>
    commands.start(session(), { commands: wanted, wait: false, timeout: 1 });
  /** The newest message was typed, and its prompt accepted. */
  const submit = async (prompt: string | null = null) => {
    const { id: message, sessionId } = sent.at(-1) as (typeof sent)[0];
    const after = store.log.lastSeq();
    if (receipts.state(message)?.phase === 'queued')
      await receipts.commit(message, sessionId, 'MessageTyping', { after, carried: false });
    if (prompt !== null) await report('UserPromptSubmit', { prompt });
    await receipts.record(message, 'MessageSubmitted', { submittedAt: Date.now() - 1 });
  };
  /** The newest message is being typed. */
  const typing = async () => {
    const { id: message, sessionId } = sent.at(-1) as (typeof sent)[0];
    await receipts.commit(message, sessionId, 'MessageTyping', { after: 1, carried: false });
  };
  const stop = async () => {
    await report('Stop', { last_assistant_message: 'said' });
    await loop.append([
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
  return { loop, commands, events, report, start, submit, typing, stop, now, sent, withdraw };
};

test('each command waits for the Stop of the one before; own prompts cancel nothing', async () => {
  const { start, submit, stop, now, sent, events } = await opened();
  expect((await start('SAY one', 'SAY two')).steps.map(({ status }) => status)).toEqual([
    'active',
    'pending',
  ]);
  await expect(start('more')).rejects.toThrow('already');
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

test('a prompt of somebody else cancels the rest, even with the same text; a finished background task does not', async () => {
  for (const other of ['SAY mine', 'SAY one']) {
    const { start, submit, report, now, withdraw } = await opened();
    await start('SAY one', 'SAY two');
    await submit('SAY one');
    await report('UserPromptSubmit', { prompt: '<task-notification>over</task-notification>' });
    expect(now()?.status).toBe('running');
    await report('UserPromptSubmit', { prompt: other });
    expect(now()).toMatchObject({
      status: 'cancelled',
      reason: 'Somebody else sent a prompt.',
      steps: [{ status: 'cancelled' }, { command: 'SAY two', status: 'cancelled' }],
    });
    expect(withdraw).toHaveBeenCalledOnce();
  }
});

test('/clear is over when the prompt is free and the next conversation has begun, in either order', async () => {
  for (const eventFirst of [true, false]) {
    const { start, submit, typing, report, now, sent } = await opened();
    await start('/clear', 'SAY two');
    const clear = async () => {
      await report('SessionEnd', { reason: 'clear' });
      await report('SessionStart', { session_id: next, source: 'clear' });
    };
    await typing();
    await report('Stop', {});
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
  const { start, submit, report, now } = await opened();
  await start('SAY one', 'SAY two');
  await submit('SAY one');
  await report(name, fields);
  await waitFor(() => expect(now()).toMatchObject({ status: 'cancelled', reason }));
});

test('a run can be cancelled, and another one started afterwards', async () => {
  const { start, now, sent, commands } = await opened();
  await start('SAY one', 'SAY two');
  commands.stop(id);
  expect(now()).toMatchObject({ status: 'cancelled', reason: 'Cancelled on request.' });
  expect(() => commands.stop(id)).toThrow('No commands are running');
  await start('SAY one');
  expect(sent).toHaveLength(2);
  expect(await commands.until(now()?.id ?? '', 0)).toMatchObject({ status: 'running' });
});

test('a built-in command that begins no turn is over when nothing happens', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { start, submit, now, sent } = await opened();
    await start('/cost', 'SAY two');
    await submit();
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(limits.command.quiet);
    expect(now()?.steps[0]).toMatchObject({ status: 'done', result: 'quiet' });
    expect(sent).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('a run of an earlier daemon is cancelled, and its untyped message withdrawn', async () => {
  const { start, loop, commands, events } = await opened();
  await start('SAY one', 'SAY two');
  await new Promise(setImmediate);
  expect(loop.sessionIndex.get(id)?.memory.commands).toMatchObject({ message: 'm0' });
  commands.cancelEarlier();
  await new Promise(setImmediate);
  expect(loop.sessionIndex.get(id)?.memory.commands).toBeNull();
  expect(events().map(({ name }) => name)).toContain('MessageRefused');
});
