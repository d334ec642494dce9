/** Every tool and resource, with the SDK's client, which checks each result against the schema of its tool. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { ownEvent } from '../session/own-event.ts';
import { hookDraft } from '../testing/pipeline.ts';
import { openMcp, otherId, ownId } from '../testing/mcp.ts';
import { waitFor } from '../testing/wait-for.ts';
import { tools } from './tools.ts';

const body = (value: unknown) => JSON.stringify(value);
const transcriptLine = (role: string, text: string) => body({ type: role, message: { role, content: text } });

/** The other session has answered, has a transcript and a title. */
const openAnswered = async () => {
  const opened = await openMcp(['read']);
  const transcript = join(opened.paths.home, 'transcript.jsonl');
  writeFileSync(
    transcript,
    `${transcriptLine('user', 'what is it?')}\n${transcriptLine('assistant', 'It is a gate.')}\n`,
  );
  const stop = { session_id: otherId, last_assistant_message: 'It is a gate.', transcript_path: transcript };
  const now = Date.now();
  const prompt = { session_id: otherId, prompt: 'what is it?' };
  await opened.loop.append([
    { draft: hookDraft('UserPromptSubmit', prompt, {}, now - 3_000) },
    { draft: hookDraft('Stop', stop, {}, now - 2_000) },
    { draft: ownEvent('Settled', otherId, now, {}) },
  ]);
  await opened.askLocal('POST', `/sessions/${otherId}/title`, body({ title: 'Fix the gate' }));
  return opened;
};

test('a token that only reads is offered only what reads; one that drives, everything', async () => {
  const names = async (rights: Parameters<typeof openMcp>[0]) => {
    const { client } = await openMcp(rights);
    return (await client.listTools()).tools;
  };
  const reading = await names(['read']);
  expect(reading.map(({ name }) => name)).toEqual([
    'list_sessions',
    'read_session',
    'read_request',
    'read_transcript',
    'read_screen',
    'read_changes',
    'read_usage',
    'read_queue',
    'read_message',
    'wait_for_change',
  ]);
  for (const { annotations, outputSchema } of reading) {
    expect(annotations?.readOnlyHint).toBe(true);
    expect(outputSchema?.type).toBe('object');
  }
  expect((await names(['read', 'answer', 'drive'])).map(({ name }) => name)).toEqual(
    tools.map(({ name }) => name),
  );
});

test('a tool without its right says who can give it, and no session is started with held approvals', async () => {
  const { client, use } = await openMcp(['read', 'drive']);
  const offered = (await client.listTools()).tools;
  expect(offered.map(({ name }) => name)).not.toContain('answer_request');
  expect(await use('answer_request', { session: otherId, request: 1 })).toMatch(
    /answer_request needs the right `answer`.*\n.*setup --mcp --drive --answer/,
  );
  const start = offered.find(({ name }) => name === 'start_session');
  expect(Object.keys(start?.inputSchema.properties ?? {})).toEqual([
    'cwd',
    'prompt',
    'name',
    'model',
    'permission_mode',
  ]);
  const reading = await openMcp(['read']);
  expect(await reading.use('stop_session', { session: otherId })).toContain('drover setup --mcp --drive`');
});

test('sessions are listed, found by their title, and read with reasons and last answer', async () => {
  const { use } = await openAnswered();
  expect(await use('list_sessions')).toMatchObject({
    sessions: [
      { id: otherId, title: 'Fix the gate', state: 'waiting', line: 'It is a gate.', isOwn: false },
      { id: ownId, state: 'ready' },
    ],
  });
  expect(await use('list_sessions', { state: 'waiting', limit: 1 })).toMatchObject({
    sessions: [{ id: otherId }],
  });
  expect(await use('list_sessions', { query: 'gate' })).toContain('The search index is off.');
  expect(await use('read_session', { session: 'gate' })).toMatchObject({
    session: { id: otherId, state: 'waiting', reason: 'stopped', cwd: '/w/p1' },
    requests: [],
    why: {
      steps: [
        { evidence: { name: 'SessionStart' } },
        { evidence: { name: 'UserPromptSubmit' } },
        { evidence: { name: 'Stop' } },
      ],
    },
    lastAnswer: 'It is a gate.',
  });
  expect(await use('read_session', { session: 'nowhere' })).toContain('No session matches "nowhere".');
  expect(await use('read_session', {})).toMatch(/session[^]*The schema of the tool/);
  expect(await use('read_session', { session: 'x'.repeat(100_000) })).toContain('Too big');
  expect(await use('read_request', { session: otherId, request: -1 })).toMatch(
    /-1[^]*The schema of the tool/,
  );
});

test('transcript, screen, changes, usage and queue', async () => {
  const { use } = await openAnswered();
  expect(await use('read_transcript', { session: otherId })).toMatchObject({
    messages: [
      { role: 'user', text: 'what is it?' },
      { role: 'assistant', text: 'It is a gate.' },
    ],
    next: null,
  });
  expect(await use('read_transcript', { session: ownId })).toContain('has no transcript');
  expect(await use('read_screen', { session: otherId })).toEqual({ screen: null });
  expect(await use('read_changes', { session: otherId, diff: true })).toMatchObject({
    sessionId: otherId,
    files: [],
    git: null,
  });
  expect(await use('read_usage', { session: otherId })).toEqual({ usage: null });
  expect(await use('read_queue')).toMatchObject({
    items: [{ position: 1, deferred: null, session: { id: otherId, line: 'It is a gate.' } }],
  });
  expect(await use('read_message', { message: otherId })).toContain('There is no message');
});

test('sessions and transcripts are resources', async () => {
  const { client } = await openAnswered();
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    'drover://sessions',
    `drover://sessions/${otherId}`,
    `drover://sessions/${otherId}/transcript`,
    `drover://sessions/${ownId}`,
  ]);
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return content && 'text' in content ? content.text : '';
  };
  expect(JSON.parse(await read('drover://sessions'))).toMatchObject({ sessions: [{ id: otherId }, {}] });
  expect(JSON.parse(await read('drover://sessions/bbbbbbbb'))).toMatchObject({ title: 'Fix the gate' });
  expect(await read(`drover://sessions/${otherId}/transcript`)).toBe(
    '## user\n\nwhat is it?\n\n## assistant\n\nIt is a gate.',
  );
  for (const name of [
    'drover://elsewhere',
    'drover://sessions/%',
    `drover://sessions/${'x'.repeat(100_000)}`,
  ])
    await expect(read(name)).rejects.toThrow(/^MCP error -32002: There is no resource drover:/);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'drover://sessions/{id}',
    'drover://sessions/{id}/transcript',
  ]);
});

test('a huge conversation is read in amounts that a model can take in, and its end is found', async () => {
  const { use, client, loop, paths } = await openMcp(['read']);
  const transcript = join(paths.home, 'huge.jsonl');
  const write = (count: number, length: number) =>
    writeFileSync(
      transcript,
      Array.from({ length: count }, (_, n) =>
        transcriptLine(n % 2 ? 'assistant' : 'user', `message ${n} ${'x'.repeat(length)}`),
      ).join('\n') + '\n',
    );
  write(60_000, 1);
  const prompt = { session_id: otherId, prompt: 'x', transcript_path: transcript };
  await loop.append([{ draft: hookDraft('UserPromptSubmit', prompt, {}) }]);
  expect(await use('read_session', { session: otherId })).toMatchObject({ lastAnswer: 'message 59999 x' });

  write(8, 200_000);
  type Page = { messages: { text: string }[]; next: number | null };
  const numbers: number[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = (await use('read_transcript', { session: otherId, after, limit: 1_000 })) as Page;
    expect(page.messages.every(({ text }) => text.length <= 80_000)).toBe(true);
    expect(page.messages[0]?.text).toMatch(/x\n\[\d+ more characters\]$/);
    numbers.push(...page.messages.map(({ text }) => Number(text.split(' ')[1])));
    after = page.next;
  }
  expect(numbers).toEqual(Array.from({ length: 8 }, (_, n) => n));

  write(1_000, 1_000);
  const { messages, next } = (await use('read_transcript', { session: otherId, limit: 1_000 })) as Page;
  expect([messages.length, next === null]).toEqual([79, false]);
  const [resource] = (await client.readResource({ uri: `drover://sessions/${otherId}/transcript` })).contents;
  expect(resource && 'text' in resource && resource.text).toMatch(
    /^\(921 earlier messages; [^]*message 999 x+$/,
  );
});

test('a wait reports progress and ends with the next change', async () => {
  const { use, loop, streams } = await openMcp(['read']);
  const heard: Progress[] = [];
  const waiting = use('wait_for_change', { sessions: [otherId] }, progress => heard.push(progress));
  await waitFor(() => {
    expect(streams.size).toBe(2);
    expect(heard.length).toBeGreaterThan(0);
  });
  await loop.append([{ draft: hookDraft('UserPromptSubmit', { session_id: ownId, prompt: 'not this' }) }]);
  await loop.append([{ draft: hookDraft('UserPromptSubmit', { session_id: otherId, prompt: 'go' }) }]);
  expect(await waiting).toMatchObject({ changed: [{ id: otherId, state: 'working' }], timedOut: false });
  expect(heard[0]).toMatchObject({ total: 600, message: 'p1: ready' });
  expect(heard.map(({ progress }) => progress)).toEqual(
    heard.map(({ progress }) => progress).toSorted((a, b) => a - b),
  );
  await waitFor(() => expect(streams.size).toBe(0));
});

test('a wait for a state returns at once where it holds already, and says when its time is over', async () => {
  const { use, streams } = await openMcp(['read']);
  expect(await use('wait_for_change', { sessions: [otherId], until: ['ready'] })).toMatchObject({
    changed: [{ id: otherId }],
    timedOut: false,
  });
  expect(await use('wait_for_change', { sessions: [otherId], until: ['ended'], timeout: 0.2 })).toEqual({
    changed: [],
    timedOut: true,
  });
  await waitFor(() => expect(streams.size).toBe(0));
});

test('a cancelled wait closes its streams', async () => {
  const { client, streams } = await openMcp(['read']);
  const cancel = new AbortController();
  const call = { name: 'wait_for_change', arguments: { sessions: [otherId] } };
  const waiting = client.callTool(call, undefined, { signal: cancel.signal });
  await waitFor(() => expect(streams.size).toBe(2));
  cancel.abort();
  await expect(waiting).rejects.toThrow('abort');
  await waitFor(() => expect(streams.size).toBe(0));
});

test('without a token, and without a daemon, a tool says what to do', async () => {
  const { use, client, paths } = await openMcp(['read']);
  rmSync(paths.daemon);
  expect(await use('read_queue')).toContain('drover up');
  rmSync(paths.mcp);
  expect(await use('read_queue')).toContain('`drover setup --mcp`');
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
});

test('a revoked token is named as such: no error tells a model where another token is', async () => {
  const { use, client, askLocal } = await openMcp(['read', 'drive']);
  expect((await askLocal('DELETE', '/tokens/drover-mcp')).status).toBeLessThan(300);
  const texts = [
    await use('list_sessions'),
    await use('wait_for_change', { sessions: [otherId] }),
    await use('start_session', { cwd: '/' }),
    await client.listResources().catch((error: Error) => error.message),
  ];
  for (const text of texts) {
    expect(text).toContain('`drover setup --mcp`');
    expect(text).not.toMatch(/Bearer|\.drover/);
  }
});

test('a daemon that is not running is started before a call, if the user allows it', async () => {
  let saved: string | undefined;
  const { use, client, paths } = await openMcp(['read'], undefined, async ({ daemon }) => {
    if (saved !== undefined) writeFileSync(daemon, saved);
  });
  const away = readFileSync(paths.daemon, 'utf8');
  rmSync(paths.daemon);
  expect(await use('read_queue')).toContain('drover up');
  saved = away;
  expect(await use('read_queue')).toMatchObject({ items: [] });
  rmSync(paths.daemon);
  expect((await client.listResources()).resources.length).toBeGreaterThan(1);
});

test('names of messages and resources that do not exist are errors about what was named', async () => {
  const { use, client } = await openMcp(['read']);
  expect(await use('read_message', { message: 'nope' })).toContain('is not the id of a message');
  expect(await use('read_message', { message: otherId })).toContain('`send_message` returns the id');
  for (const uri of ['drover://elsewhere', 'drover://sessions/nobody'])
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
});

test('the answers of the daemon to tools that drive are passed on', async () => {
  const { use } = await openMcp(['read', 'answer', 'drive']);
  const session = otherId;
  for (const [tool, input] of [
    ['send_message', { session, text: 'hello' }],
    ['interrupt_session', { session }],
    ['stop_session', { session }],
  ] as const)
    expect([tool, await use(tool, input)]).toEqual([tool, expect.stringContaining('drover drive bbbbbbbb')]);
  const heard: Progress[] = [];
  expect(await use('start_session', { cwd: '/nowhere/at/all' }, progress => heard.push(progress))).toContain(
    '/nowhere/at/all',
  );
  expect(heard[0]).toMatchObject({ progress: 0, total: 60, message: 'starting' });
  expect(await use('resume_session', { session })).toContain('bbbbbbbb');
  expect(await use('resume_session', { session: 'abcdef' })).toContain('with `past` it lists ended ones');
  expect(await use('start_session', { cwd: '/', permission_mode: 'bypassPermissions' })).toContain(
    'permission_mode',
  );
});
