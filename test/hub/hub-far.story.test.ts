/** Use the hub from another host: through a mapped port, with `drover/client`, and across a restart of the daemon. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect as dial, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type * as Client from '../../src/client/library.ts';
import { newest } from '../rig/cli.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import { subscribe } from '../rig/sse.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const client = async () => (await import(join(dist, 'client.js'))) as typeof Client;

/** A port that leads to `target`, like the mapped port of a container. */
const mappedPort = async (): Promise<{ host: string; target: { port: number } }> => {
  const target = { port: 0 };
  const mapped = createServer(socket => {
    const inner = dial(target.port, '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    for (const end of [socket, inner]) end.on('error', () => {}).on('close', () => end.destroy());
  });
  await new Promise<void>(done => mapped.listen(0, '127.0.0.1', done));
  onTestFinished(() => void mapped.close());
  return { host: `127.0.0.1:${(mapped.address() as AddressInfo).port}`, target };
};

test('hooks reach a hub through a mapped port that is not the bound one, once its Host is allowed', async () => {
  const opened = await world({ version: newest });
  await opened.drover('setup');
  const { host, target } = await mappedPort();
  const { url, token } = await opened.daemon({ args: ['--allow-host', host] });
  target.port = Number(new URL(url).port);
  const stream = await subscribe(`http://${host}`, token);
  const env = { DROVER_URL: `http://${host}`, DROVER_TOKEN: token };
  const seat = await opened.claude({ prompt: 'SAY through the port', env });
  await seat.sees('through the port');
  const stop = await stream.next(frame => frame.event === 'hook' && frame.data.includes('"Stop"'), 20_000);
  expect(JSON.parse(stop.data)).toMatchObject({ last_assistant_message: 'through the port' });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const { host: stranger, target: elsewhere } = await mappedPort();
  elsewhere.port = target.port;
  expect((await fetch(`http://${stranger}/healthz`)).status).toBe(403);
});

test('an address that others can reach is bound only with an explicit confirmation', async () => {
  const opened = await world({ version: newest });
  const refused = await opened.drover('up', '--foreground', '--host', '0.0.0.0', '--port', '0');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--i-understand') });
  for (const args of [
    ['--host', '0.0.0.0', '--i-understand'],
    ['--allow-host', 'elsewhere'],
  ])
    expect(await opened.drover('up', ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--foreground'),
    });
  const { url } = await opened.daemon({ args: ['--host', '0.0.0.0', '--i-understand'] });
  expect((await fetch(`http://127.0.0.1:${new URL(url).port}/sessions`)).status).toBe(401);
});

test('a program with the client: create, send, answer, and a stream without gaps when the daemon is killed', async () => {
  const opened = await world({ version: newest });
  const first = await opened.daemon();
  const { connect, DroverError } = await client();
  const drover = connect({ home: opened.droverHome });
  const { id } = await drover.create({
    session_id: randomUUID(),
    cwd: opened.dir(),
    permission_mode: 'default',
    approvals: 'held',
  });
  const listen = (options: { after?: number }) => {
    const heard: string[] = [];
    const listening = (async () => {
      for await (const frame of drover.events({ session: id, ...options })) {
        const { hook_event_name: name, prompt } = 'payload' in frame ? frame.payload : {};
        heard.push([typeof name === 'string' ? name : frame.event, prompt].join(' ').trim());
      }
    })();
    return { heard, listening };
  };
  const { heard, listening } = listen({ after: 0 });
  expect(await drover.send(id, { text: 'SAY one', wait: 'answered' })).toMatchObject({ answer: 'one' });
  // This reader had received no hook when the daemon stopped, only the state.
  const late = listen({});
  await expect.poll(() => late.heard, { timeout: 10_000 }).toContain('state');
  await first.kill9();
  // Events without a reader are read afterwards.
  const pane = `claude-${shortId(id)}`;
  await opened.tmux(['send-keys', '-t', pane, '-l', 'SAY two']);
  await until(
    10_000,
    () => 'no draft',
    async () => (await opened.tmux(['capture-pane', '-p', '-t', pane])).includes('SAY two') || undefined,
  );
  await opened.tmux(['send-keys', '-t', pane, 'Enter']);
  await opened.model.asked(({ body }) => JSON.stringify(body.messages).includes('SAY two'));
  const { url, token } = await opened.daemon();

  const far = connect({ url, token });
  const { id: message } = await far.send(id, { text: 'RUN touch made', wait: 'submitted' });
  let asked = await far.session(id);
  for (const begun = Date.now(); !asked.pending && Date.now() - begun < 10_000; )
    asked = await far.session(id);
  expect(asked.pending).toMatchObject({ kind: 'permission', input: { command: 'touch made' } });
  expect(await far.answer(id, { behavior: 'allow', id: asked.pending?.id })).toMatchObject({
    behavior: 'allow',
  });
  await expect(far.answer(id, { behavior: 'allow' })).rejects.toThrow(DroverError);
  await expect.poll(async () => (await far.message(message)).status, { timeout: 10_000 }).toBe('answered');
  expect((await far.hold(id, false)).approvals).toBe('terminal');
  expect((await far.transcript(id)).messages.map(({ text }) => text)).toContain('SAY two');
  await far.stop(id);
  await Promise.all([listening, late.listening]);
  const prompts = (all: string[]) => all.filter(name => name.startsWith('UserPromptSubmit'));
  const since = ['UserPromptSubmit SAY two', 'UserPromptSubmit RUN touch made'];
  expect(prompts(heard)).toEqual(['UserPromptSubmit SAY one', ...since]);
  expect(prompts(late.heard)).toEqual(since);
  expect(heard.filter(name => name.startsWith('SessionEnd'))).toHaveLength(1);
  expect(heard.at(-1)).toBe('end');
});

test('the types of the client need no other package', async () => {
  const opened = await world({ version: newest });
  const program = join(opened.root, 'program.ts');
  await writeFile(
    program,
    `import { connect, type DroverEvent } from '${dist}/client.js';
const drover = connect({ url: 'http://127.0.0.1:1', token: 'x' });
const { id, pending } = await drover.session('abcdef');
const kind: 'permission' | 'question' | 'plan' | undefined = pending?.kind;
const { answer } = await drover.send(id, { text: 'x', wait: 'answered' });
await drover.answer(id, { answers: { Size: ['Large'] } });
// @ts-expect-error there is no such status
const wrong: 'sent' = (await drover.message(id)).status;
const events: AsyncGenerator<DroverEvent> = drover.events();
const said = (frame: DroverEvent): unknown => {
  if (frame.event === 'hook') return frame.payload.hook_event_name;
  if (frame.event === 'state') return frame.sessions[0]?.state;
  return frame.event === 'end' ? frame.next : frame.data;
};
export { answer, events, kind, said, wrong };
`,
  );
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const flags = ['--noEmit', '--strict', '--module', 'preserve', '--target', 'es2022', '--types', ''];
  expect(await opened.run(process.execPath, [tsc, ...flags, program])).toMatchObject({ code: 0, stdout: '' });
});
