import { readdirSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../contract/caller.ts';
import { shortId } from '../../contract/short-id.ts';
import { writeTokens } from '../../files/token-file.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import { Streams } from '../../live/streams.ts';
import { sha256 } from '../../sha256.ts';
import type { Log } from '../../store/log.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { type Frame, openTestServer } from '../../testing/server.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const hook = (name: string, fields: object = {}) =>
  JSON.stringify({ session_id: id, hook_event_name: name, ...fields });
const is = (event: string) => (frame: Frame) => frame.event === event;

test('a payload posted is durable when answered; the pane and process in its headers are only hints', async () => {
  const { ask, events } = await openTestServer();
  const answer = await ask('POST', '/event', hook('Stop'), {
    'X-Tmux-Pane': '%7',
    'X-Tmux': '/tmp/s,12,0',
    'X-Claude-Pid': String(process.pid),
  });
  expect([answer.status, answer.json()]).toEqual([200, { ok: true }]);
  expect(events()[0]).toMatchObject({ sessionId: id });
  expect(events()[0]?.context).toEqual({ posted: true, hintPane: '%7', hintSocket: '/tmp/s' });
  expect(Buffer.from(events()[0]?.raw ?? []).toString()).toBe(hook('Stop'));
});

test.each(['pane_id', 'tmux_pane', 'TMUX_PANE'])(
  'a pane that the emitter merged as %s is a hint too',
  async name => {
    const { ask, events } = await openTestServer();
    await ask('POST', '/event', hook('Stop', { [name]: '%7' }));
    await ask('POST', '/event', hook('Stop', { [name]: '%7' }), { 'X-Tmux-Pane': '%8' });
    await ask('POST', '/event', hook('Stop', { [name]: 'main:0.0' }));
    expect(events().map(({ context }) => context.hintPane)).toEqual(['%7', '%8', undefined]);
    expect(Buffer.from(events()[0]?.raw ?? []).toString()).toBe(hook('Stop', { [name]: '%7' }));
  },
);

test.each(['', 'no json', '[1,2]', '"x"', '{"a":'])('the body %j is refused and kept aside', async body => {
  const { ask, paths, aside, events } = await openTestServer();
  expect((await ask('POST', '/events', body)).status).toBe(400);
  expect(events()).toEqual([]);
  expect(aside.count).toBe(1);
  expect(readdirSync(paths.aside)).toHaveLength(2);
});

test('a repeated delivery is recorded once', async () => {
  const { ask, events } = await openTestServer();
  for (let n = 0; n < 3; n++)
    expect((await ask('POST', '/events', hook('Stop'), { 'X-Drover-Event': '123.abc-def' })).status).toBe(
      200,
    );
  expect(events()).toHaveLength(1);
});

test('a stream without a cursor starts with one state snapshot, then what happens, verbatim', async () => {
  const { ask, follow } = await openTestServer();
  await ask('POST', '/event', hook('SessionStart'));
  const stream = await follow('/events');
  await stream.next(is('state'));
  const text = hook('UserPromptSubmit', { prompt: 'zwei\nZeilen "ü" ✓' });
  await ask('POST', '/event', text);
  const got = await stream.next(is('hook'));
  expect(got.data).toBe(text);
  expect(stream.frames[0]).toMatchObject({ event: 'state', id: '1' });
  expect(JSON.parse(stream.frames[0]?.data ?? '')).toMatchObject({ sessions: [{ id, state: 'ready' }] });
});

test.each(['/events', `/sessions/${id}/events`])(
  'a reader of %s that breaks off before anything happens comes back with the id of its snapshot',
  async path => {
    const pipeline = await openPipeline();
    const first = await openTestServer(pipeline);
    await first.ask('POST', '/event', hook('SessionStart'));
    const stream = await first.follow(path);
    const { id: cursor } = await stream.next(is('state'));
    first.streams.disconnectAll();
    await stream.ended;
    await first.ask('POST', '/event', hook('UserPromptSubmit'));
    const second = await openTestServer(pipeline);
    const again = await second.follow(path, { 'Last-Event-ID': cursor ?? '' });
    await again.next(is('state'));
    expect(again.frames.map(({ event, id: seq }) => [event, seq])).toEqual([
      ['hook', '2'],
      ['state', '2'],
    ]);
  },
);

test('a snapshot of an ended session leaves the id to the end behind it', async () => {
  const { ask, follow } = await openTestServer();
  await ask('POST', '/event', hook('SessionStart'));
  await ask('POST', '/event', hook('SessionEnd'));
  const stream = await follow(`/sessions/${id}/events`);
  await stream.ended;
  expect(stream.frames.map(({ event, id: seq }) => [event, seq])).toEqual([
    ['state', undefined],
    ['end', '2'],
  ]);
});

/** `/clear` in a pane, as the spool reports it. */
const clear = async (loop: Loop) => {
  const pane = { socket: '/s', serverPid: 9, pane: '%1' };
  await loop.append([{ draft: hookDraft('SessionEnd', { reason: 'clear' }, pane) }]);
  const next = { session_id: 'cccccccc', source: 'clear' };
  await loop.append([{ draft: hookDraft('SessionStart', next, pane) }]);
};

const start = (loop: Loop) =>
  loop.append([{ draft: hookDraft('SessionStart', {}, { socket: '/s', serverPid: 9, pane: '%1' }) }]);

test('a reader that missed an end gets it, also when it came with an event of another session', async () => {
  const { ask, follow, loop } = await openTestServer();
  await start(loop);
  await clear(loop);
  const stream = await follow(`/sessions/${id}/events?after=2`);
  const end = await stream.next(is('end'));
  expect([end.id, JSON.parse(end.data)]).toMatchObject(['3', { next: 'cccccccc' }]);
  expect((await ask('GET', `/sessions/${id}/events?after=3`)).status).toBe(204);
});

test('the state that an event changed comes before its hook, and the hook carries the id', async () => {
  const { ask, follow } = await openTestServer();
  const stream = await follow('/events');
  await stream.next(is('state'));
  await ask('POST', '/event', hook('UserPromptSubmit'));
  await ask('POST', '/event', hook('ConfigChange'));
  await stream.next(frame => frame.data.includes('ConfigChange'));
  expect(stream.frames.slice(1).map(({ event, id: seq }) => [event, seq])).toEqual([
    ['state', undefined],
    ['hook', '1'],
    ['hook', '2'],
  ]);
});

test('a payload over several lines comes back as it was; CR and bad UTF-8 travel as raw, in base64', async () => {
  const { ask, follow } = await openTestServer();
  const stream = await follow('/events');
  await stream.next(is('state'));
  const pretty = JSON.stringify({ session_id: id, hook_event_name: 'Stop', deep: { a: 1 } }, null, 2);
  const crlf = pretty.replaceAll('\n', '\r\n');
  const bad = Buffer.concat([
    Buffer.from(`{"session_id":"${id}","x":"`),
    Buffer.from([0xff]),
    Buffer.from('"}'),
  ]);
  for (const body of [pretty, crlf, bad]) expect((await ask('POST', '/event', body)).status).toBe(200);
  await stream.next(frame => frame.event === 'raw' && Buffer.from(frame.data, 'base64').equals(bad));
  expect(stream.frames.find(is('hook'))?.data).toBe(pretty);
  expect(Buffer.from(stream.frames.find(is('raw'))?.data ?? '', 'base64').toString()).toBe(crlf);
});

test.each(['header', 'query'])(
  'replay by cursor (%s) has no gap and no doubles while events pour in',
  async how => {
    const { ask, follow } = await openTestServer();
    for (let n = 0; n < 700; n++) void ask('POST', '/event', hook('PostToolUse', { n }));
    await expect
      .poll(async () => ((await ask('GET', '/status')).json() as { events: { kept: number } }).events.kept)
      .toBe(700);
    const stream =
      how === 'header'
        ? await follow('/events', { 'Last-Event-ID': '100' })
        : await follow('/events?after=100');
    const more = Array.from({ length: 300 }, (_, n) =>
      ask('POST', '/event', hook('PostToolUse', { n: 700 + n })),
    );
    await Promise.all(more);
    await expect.poll(() => stream.frames.filter(is('hook')).length).toBe(900);
    const hooks = stream.frames.filter(is('hook')).map(({ data }) => data);
    expect(new Set(hooks).size).toBe(900);
    // The snapshot carries the id of the last one before it once more.
    const ids = new Set(stream.frames.flatMap(frame => (frame.id ? [Number(frame.id)] : [])));
    expect([...ids]).toEqual(Array.from({ length: 900 }, (_, n) => 101 + n));
    expect(stream.frames.filter(is('state')).length).toBeGreaterThanOrEqual(1);
  },
);

test('a session stream carries its own session only', async () => {
  const { ask, follow } = await openTestServer();
  await ask('POST', '/event', hook('SessionStart'));
  const stream = await follow(`/sessions/${id}/events`);
  await ask('POST', '/event', JSON.stringify({ session_id: 'bbbbbbbb', hook_event_name: 'Stop' }));
  await ask('POST', '/event', hook('Stop'));
  await stream.next(is('hook'));
  expect(stream.frames.filter(is('hook'))).toHaveLength(1);
  expect(stream.frames.every(frame => !frame.data.includes('bbbbbbbb'))).toBe(true);
});

test('SessionEnd reaches the reader, then `end` closes the stream; a reconnect past it gets 204', async () => {
  const { ask, follow } = await openTestServer();
  await ask('POST', '/event', hook('SessionStart'));
  const stream = await follow(`/sessions/${id}/events`);
  await stream.next(is('state'));
  await ask('POST', '/event', hook('SessionEnd', { reason: 'prompt_input_exit' }));
  await stream.ended;
  expect(stream.frames.map(({ event }) => event)).toEqual(['state', 'state', 'hook', 'end']);
  expect(JSON.parse(stream.frames.at(-1)?.data ?? '')).toEqual({ sessionId: id, reason: 'exit', next: null });
  const last = stream.frames.at(-1)?.id ?? '';
  expect((await ask('GET', `/sessions/${id}/events`, undefined, { 'Last-Event-ID': last })).status).toBe(204);
  const again = await follow(`/sessions/${id}/events?after=0`);
  await again.ended;
  expect(again.frames.map(({ event }) => event)).toEqual(['hook', 'hook', 'state', 'end']);
});

test('after /clear the end names the session that follows', async () => {
  const { follow, loop } = await openTestServer();
  await start(loop);
  const stream = await follow(`/sessions/${id}/events`);
  await stream.next(is('state'));
  await clear(loop);
  const end = await stream.next(is('end'));
  expect(JSON.parse(end.data)).toEqual({ sessionId: id, reason: 'clear', next: 'cccccccc' });
});

test('an old SessionEnd followed by a resume ends neither replay nor stream', async () => {
  const { ask, follow } = await openTestServer();
  await ask('POST', '/event', hook('SessionStart'));
  await ask('POST', '/event', hook('SessionEnd'));
  await new Promise(done => setTimeout(done, 2));
  await ask('POST', '/event', hook('SessionStart', { source: 'resume' }));
  const stream = await follow(`/sessions/${id}/events?after=0`);
  await stream.next(is('state'));
  await ask('POST', '/event', hook('Stop'));
  await stream.next(frame => frame.data.includes('"Stop"'));
  expect(stream.frames.some(is('end'))).toBe(false);
});

test('a cursor before the oldest event gets a gap frame', async () => {
  const server = await openTestServer();
  for (let n = 0; n < 5; n++) await server.ask('POST', '/event', hook('PostToolUse', { n }));
  await server.ask('POST', '/event', JSON.stringify({ session_id: 'bbbbbbbb', hook_event_name: 'Stop' }));
  server.store.erase(() => server.store.log.removeOf(id));
  const stream = await server.follow('/events?after=2');
  expect(JSON.parse((await stream.next(is('gap'))).data)).toEqual({ after: 2, first: 6 });
});

test('a reader that stalls is cut off, the others miss nothing, and it can resume', async () => {
  const { ask, follow, streams, loop } = await openTestServer();
  const stalled = await follow('/events');
  await stalled.next(is('state'));
  stalled.response.pause();
  const brisk = await follow('/events');
  await brisk.next(is('state'));
  const total = Math.ceil((limits.stream.readerBytes * 5) / 500_000);
  for (let n = 0; n < total; n++)
    await loop.append([{ draft: hookDraft('PostToolUse', { n, pad: 'x'.repeat(500_000) }) }]);
  await expect.poll(() => streams.counts.cut).toBe(1);
  await expect.poll(() => brisk.frames.filter(is('hook')).length, { timeout: 10_000 }).toBe(total);
  const back = await follow('/events?after=0');
  await expect.poll(() => back.frames.filter(is('hook')).length, { timeout: 10_000 }).toBe(total);
  expect((await ask('GET', '/metrics')).text).toContain('drover_streams_cut_total 1');
});

test('the log can be read in pages, by session and from its end', async () => {
  const pipeline = await openPipeline();
  const { ask } = await openTestServer(pipeline);
  for (let n = 0; n < 5; n++) await ask('POST', '/event', hook('PostToolUse', { n }));
  const page = (await ask('GET', `/log?last=2&session=${shortId(id)}`)).json() as {
    events: { seq: number; payload: { n: number } }[];
    next: number;
  };
  expect(page.events.map(event => event.payload.n)).toEqual([3, 4]);
  expect(page.next).toBe(5);
  expect((await ask('GET', '/log?after=5')).json()).toEqual({ events: [], after: 5, next: null });
});

test('a reader of states only gets no hook events', async () => {
  const { ask, follow } = await openTestServer();
  await ask('POST', '/event', hook('SessionStart'));
  const stream = await follow('/events?only=state');
  await stream.next(is('state'));
  await ask('POST', '/event', hook('UserPromptSubmit'));
  await stream.next(({ data }) => data.includes('"working"'));
  expect(stream.frames.map(({ event }) => event)).toEqual(['state', 'state']);
  // This is how a board distinguishes all sessions from those that changed.
  expect(stream.frames.map(({ id: seq }) => seq)).toEqual([undefined, '2']);
});

test('one caller cannot take all streams, and the user can still open one', () => {
  const streams = new Streams({} as Loop, {} as Log);
  onTestFinished(() => streams.close());
  const reader = (name: string | null, kind: Caller['kind'] = 'token'): Caller => ({
    kind,
    name,
    session: null,
    rights: ['read'],
  });
  for (let n = 0; n < limits.stream.callerReaders; n++) streams.addOutlines(new PassThrough(), reader('ci'));
  expect(streams.isFull(reader('ci'))).toBe(true);
  expect(streams.isFull(reader('other'))).toBe(false);
  expect(streams.isFull(reader(null, 'board'))).toBe(false);
  for (let n = 0; n < limits.stream.readers; n++) streams.addOutlines(new PassThrough(), reader(`r${n}`));
  expect(streams.isFull(reader(null, 'board'))).toBe(true);
});

test('an origin cannot report sessions without end, nor events without a session', async () => {
  const { ask, paths, loop } = await openTestServer();
  writeTokens(paths.tokens, [
    { name: 'ci', rights: ['ingest'], hash: sha256('posts'), createdAt: 0, usedAt: null },
  ]);
  const post = async (fields: object) =>
    ask('POST', '/event', JSON.stringify({ hook_event_name: 'Stop', ...fields }), {
      Authorization: 'Bearer posts',
    });
  expect((await post({})).status).toBe(400);
  const many = 2 * limits.retention.originSessions;
  await loop.append(
    Array.from({ length: many }, (_, n) => ({
      draft: hookDraft('SessionStart', { session_id: `s-${n}@ci` }, { origin: 'ci' }),
    })),
  );
  const refused = await post({ session_id: 'one-more' });
  expect([refused.status, refused.json()]).toMatchObject([503, { error: { code: 'busy' } }]);
  expect((await post({ session_id: 's-1' })).status).toBe(200);
});
