import { expect, test, vi } from 'vitest';
import type { Caller } from '../../contract/caller.ts';
import { limits } from '../../limits.ts';
import { aFleet } from '../../testing/fleet.ts';
import { seal } from '../envelope.ts';
import { acceptedFrom } from '../membership.ts';
import type { AnswerContent, Command } from './command.ts';
import { type RemoteCall, sendCommand } from './send-command.ts';
import { serveCommands } from './serve-commands.ts';

const call: RemoteCall = {
  route: 'sendMessage',
  params: { id: '6c57b6' },
  body: { text: 'hello' },
  caller: { kind: 'cli', name: null, session: null },
};

const commanding = async () => {
  let now = 1_000_000;
  const all = aFleet(() => now);
  const [laptop, box, worker] = [
    all.stranger('laptop', 'seat'),
    all.stranger('devbox', 'worker'),
    all.stranger('other', 'worker'),
  ];
  const members = [laptop.entry, box.entry, worker.entry];
  const [here, there] = [await all.open(laptop.host, members), await all.open(box.host, members)];
  const known = new Map<string, AnswerContent | null>();
  const done: { command: Command; caller: Caller }[] = [];
  const dispatch = vi.fn((command: Command, caller: Caller): Promise<AnswerContent> => {
    done.push({ command, caller });
    return Promise.resolve({ status: 200, json: { ok: done.length } });
  });
  const common = { subjects: all.subjects, fleet: all.fleet, now: () => now };
  const accept: Record<string, ('read' | 'queue' | 'drive')[]> = {};
  serveCommands({
    ...common,
    ...there,
    host: box.host,
    secret: box.key.secret,
    accepts: member => acceptedFrom({ accept }, member.host, member.role),
    keys: {
      take: (from, key) => {
        const answer = known.get(from + key);
        if (answer !== undefined) return { answer };
        known.set(from + key, null);
        return null;
      },
      answered: (from, key, answer) => void known.set(from + key, answer),
    },
    dispatch,
    onError: () => {},
  });
  const send = (more: Partial<RemoteCall> = {}, from = laptop) =>
    sendCommand({ ...common, ...here, host: from.host, secret: from.key.secret }, box.host, {
      ...call,
      ...more,
    });
  /** Sends any command as somebody, without the checks of a sender; returns the answers. */
  const raw = async (fields: Partial<Command>, from = laptop, secret = from.key.secret) => {
    const command: Command = {
      to: box.host,
      route: 'sendMessage',
      params: { id: 'x' },
      query: {},
      headers: {},
      body: null,
      caller: { kind: 'cli', name: null, session: null },
      key: 'k'.repeat(20),
      at: now,
      expires: now + 1_000,
      ...fields,
    };
    const bytes = seal(all.fleet, 'do', from.host, secret, command);
    const parts: string[] = [];
    await here.bus
      .request(
        all.subjects.command(box.host, from.host),
        bytes,
        part => {
          parts.push(Buffer.from(part).toString());
          return 'done';
        },
        // Long enough for an answer on a busy machine.
        500,
      )
      .catch(() => {});
    return parts;
  };
  return {
    ...all,
    known,
    laptop,
    box,
    worker,
    here,
    there,
    accept,
    done,
    dispatch,
    send,
    raw,
    pass: (ms: number) => void (now += ms),
  };
};

test('a command runs as its sender, with the rights that the receiver gave', async () => {
  const { send, done, accept, laptop } = await commanding();
  expect(await send()).toMatchObject({ status: 200, json: { ok: 1 } });
  expect(done[0]?.caller).toEqual({
    kind: 'host',
    name: 'laptop (cli)',
    session: null,
    rights: ['read', 'queue'],
  });
  accept[laptop.host] = ['read', 'drive'];
  await send();
  expect(done[1]?.caller.rights).toEqual(['read', 'drive']);
});

test('a worker has no rights anywhere', async () => {
  const { send, done, worker, known } = await commanding();
  await send({}, worker);
  expect(done[0]?.caller.rights).toEqual([]);
  // Nor does it use up space: the key of a command that is refused is not stored.
  expect(known.size).toBe(0);
});

test('a repeated command is executed once and gets the same answer', async () => {
  const { send, done, there, accept, laptop } = await commanding();
  accept[laptop.host] = ['read', 'drive'];
  const key = 'the-same-key-twice';
  expect(await send({ key })).toEqual(await send({ key }));
  expect(done).toHaveLength(1);
  expect(there.rejected()).toBe(1);
});

test('a command that is forged, misdirected, expired or valid for too long is not executed', async () => {
  const { raw, done, there, stranger, laptop, worker, pass } = await commanding();
  const thief = stranger('thief');
  expect(await raw({}, thief)).toEqual([]);
  expect(await raw({}, laptop, worker.key.secret)).toEqual([]);
  expect(await raw({ to: worker.host })).toEqual([]);
  expect(await raw({ expires: 999_000 - limits.fleet.clockTolerance })).toEqual([
    expect.stringContaining('expired'),
  ]);
  expect(await raw({ expires: 1_000_000 + 3_600_000 })).toEqual([expect.stringContaining('expired')]);
  pass(60_000);
  expect(await raw({ at: 1_000_000, expires: 1_020_000 })).toEqual([expect.stringContaining('expired')]);
  expect(done).toEqual([]);
  expect(there.rejected()).toBe(6);
});

test('a revoked host is not served, and a host that is not a member is not called', async () => {
  const { send, there, sealed, laptop, here, box, done } = await commanding();
  await there.roster.take(sealed({ ...laptop.entry, revision: 2, isRevoked: true }));
  await expect(send({ answerMs: 40 })).rejects.toMatchObject({ code: 'host_away' });
  expect(done).toEqual([]);
  await here.roster.take(sealed({ ...box.entry, revision: 2, isRevoked: true }));
  await expect(send()).rejects.toMatchObject({ code: 'no_host' });
});

test('an answer of many megabytes arrives complete, and an error arrives as itself', async () => {
  const { send, dispatch } = await commanding();
  const text = 'ü"\n'.repeat(700_000);
  dispatch.mockResolvedValueOnce({ status: 200, json: { text } });
  expect(await send()).toMatchObject({ json: { text } });
  const error = { error: { code: 'request_gone', message: 'It was answered.', hint: 'Look.' } };
  dispatch.mockResolvedValueOnce({ status: 409, json: error });
  await expect(send()).rejects.toMatchObject({
    code: 'request_gone',
    message: 'It was answered.',
    hint: 'Look.',
  });
});

test('the text of an error is one line, so that a host cannot write lines of its own', async () => {
  const { send, dispatch } = await commanding();
  const text = 'No.\n\nok    all is\x1b[2J well';
  dispatch.mockResolvedValueOnce({
    status: 409,
    json: { error: { code: 'refused', message: text, hint: text } },
  });
  const cleaned = 'No. ok all is [2J well';
  await expect(send()).rejects.toMatchObject({ code: 'refused', message: cleaned, hint: cleaned });
});

test('an answer that cannot be read, or is larger than wanted, is an error of that host', async () => {
  const { send, dispatch } = await commanding();
  dispatch.mockResolvedValueOnce({ status: 'fine' } as unknown as AnswerContent);
  await expect(send()).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('devbox') });
  dispatch.mockResolvedValueOnce({ status: 200, json: 'x'.repeat(2_000) });
  await expect(send({ maxBytes: 1_000 })).rejects.toMatchObject({
    code: 'failed',
    message: expect.stringContaining('too large'),
  });
});

test.each(['constructor', '__proto__', 'of a newer drover'])(
  'an unknown error is a plain failure: %s',
  async code => {
    const { send, dispatch } = await commanding();
    dispatch.mockResolvedValueOnce({ status: 418, json: { error: { code, message: 'No.', hint: 1 } } });
    await expect(send()).rejects.toMatchObject({ code: 'failed', status: 500, message: 'No.' });
  },
);

test('an answer from another host is ignored', async () => {
  const { here, box, worker, fleet, subjects, send, done } = await commanding();
  const { request } = here.bus;
  vi.spyOn(here.bus, 'request').mockImplementation((subject, bytes, onPart, ms) => {
    const text = JSON.stringify({ status: 200, json: { ok: 'forged' } });
    const forged = seal(fleet, 'done', box.host, worker.key.secret, { key: 'any', part: 0, parts: 1, text });
    return Promise.resolve(onPart(forged)).then(() => request.call(here.bus, subject, bytes, onPart, ms));
  });
  expect(await send()).toMatchObject({ json: { ok: 1 } });
  expect(done).toHaveLength(1);
  expect(subjects.root).toContain(fleet);
});

test('a command to a host that does not listen fails at once', async () => {
  const { stranger, open, fleet, subjects } = aFleet();
  const [laptop, box] = [stranger('laptop', 'seat'), stranger('devbox')];
  const here = await open(laptop.host, [laptop.entry, box.entry]);
  const deps = { ...here, fleet, subjects, host: laptop.host, secret: laptop.key.secret, now: Date.now };
  await expect(sendCommand(deps, box.host, call)).rejects.toMatchObject({ code: 'host_away' });
  here.bus.setConnected(false);
  await expect(sendCommand(deps, box.host, call)).rejects.toMatchObject({ code: 'fleet_down' });
});
