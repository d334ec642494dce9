/** A program drives sessions over HTTP: create, message, interrupt, stop, with receipts. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Receipt, ReceiptList } from '../src/contract/hub.ts';
import type { Session } from '../src/contract/session.ts';
import { versions } from './rig/cli.ts';
import { world } from './rig/story.ts';
import type { World } from './rig/world.ts';
import { subscribe } from './rig/sse.ts';
import { until } from './rig/within.ts';
import { soak } from './soak/soak.ts';

interface Answer<T> {
  status: number;
  body: T & { error?: { code: string; message: string; hint: string } };
}

const hub = async (opened: World) => {
  const { url, token, kill9 } = await opened.daemon();
  const ask = async <T = Session>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer<T>['body'] };
  };
  const send = (id: string, body: object, headers = {}) =>
    ask<Receipt>('POST', `/sessions/${id}/message`, body, headers);
  const create = (fields: object = {}, headers = {}) =>
    ask(
      'POST',
      '/sessions?wait=ready',
      { session_id: randomUUID(), cwd: opened.dir(), permission_mode: 'default', ...fields },
      headers,
    );
  const screen = ({ pane }: Session) => opened.tmux(['capture-pane', '-p', '-t', pane?.id ?? '']);
  return { url, token, kill9, ask, send, create, screen };
};

describe.each(versions)('Claude Code %s', version => {
  test('the whole life: create with a prompt, message, interrupt, stop; SessionEnd before the end of the stream', async () => {
    const opened = await world({ version });
    const { ask, send, create, url, token } = await hub(opened);
    const id = randomUUID();
    const stream = await subscribe(url, token);
    const { status, body } = await create({ session_id: id, prompt: 'SAY first' });
    expect([status, body.error]).toEqual([201, undefined]);
    expect(body).toMatchObject({
      id,
      managed: true,
      dir: opened.dir(),
      pane: { session: `claude-${id.slice(0, 8)}` },
    });
    const own = await subscribe(url, token, { path: `/sessions/${id}/events` });
    await stream.next(frame => frame.event === 'hook' && frame.data.includes('"Stop"'), 20_000);

    const answered = await send(id, { text: 'SAY second\nline', wait: 'answered' });
    expect(answered.body).toMatchObject({ status: 'answered', outcome: 'stopped' });
    expect(answered.body.answer).toContain('second');
    expect(answered.body.usage).toMatchObject({ input_tokens: expect.any(Number) });
    const { body: kept } = await ask<Receipt>('GET', `/messages/${answered.body.id}`);
    expect(kept).toEqual(answered.body);

    await send(id, { text: 'STREAM 100', wait: 'submitted' });
    const { body: stopped } = await ask('POST', `/sessions/${id}/interrupt`);
    expect(stopped).toMatchObject({ state: 'waiting', reason: 'interrupted' });
    expect((await ask('POST', `/sessions/${id}/interrupt`)).status).toBe(409);

    const { body: gone } = await ask('DELETE', `/sessions/${id}`);
    expect(gone).toMatchObject({ state: 'ended', reason: 'exit' });
    await own.next(frame => frame.event === 'end');
    const names = own.frames.map(frame =>
      frame.event === 'hook'
        ? (JSON.parse(frame.data) as { hook_event_name: string }).hook_event_name
        : frame.event,
    );
    expect(names.indexOf('SessionEnd')).toBeGreaterThan(0);
    expect(names.indexOf('end')).toBeGreaterThan(names.indexOf('SessionEnd'));
    await until(
      5_000,
      () => 'the tmux session stays',
      async () => {
        const { stdout } = await opened.run('tmux', ['-S', opened.socket, 'ls']);
        return stdout.includes('claude-') ? undefined : true;
      },
    );
  });

  test('what is asked over a dialog or a draft is refused, and neither is touched; while it works it waits', async () => {
    const opened = await world({ version });
    const { send, create, screen, ask } = await hub(opened);
    const { body: session } = await create();
    const first = await send(session.id, { text: 'SLEEP 1500 SAY one', wait: 'submitted' });
    expect(first.body.status).toBe('submitted');
    const second = await send(session.id, { text: 'SAY two' });
    expect(second.body.status).toBe('queued');
    const later = await send(session.id, { text: 'SAY three', wait: 'answered' });
    expect(later.body).toMatchObject({ status: 'answered', answer: 'three' });
    expect((await ask<Receipt>('GET', `/messages/${second.body.id}`)).body).toMatchObject({
      status: 'answered',
      answer: 'two',
    });
    expect((await ask<Receipt>('GET', `/messages/${first.body.id}`)).body).toMatchObject({
      status: 'answered',
      answer: 'one',
    });

    await opened.tmux(['send-keys', '-t', session.pane?.id ?? '', '-l', 'my own words']);
    await until(
      3_000,
      () => 'no draft',
      async () => (await screen(session)).includes('my own words') || undefined,
    );
    const over = await send(session.id, { text: 'SAY four', wait: 'submitted' });
    expect([over.status, over.body.error?.message]).toEqual([409, expect.stringContaining('draft')]);
    const { body: kept } = await ask<ReceiptList>('GET', `/sessions/${session.id}/messages?last=1`);
    expect(kept.messages).toMatchObject([{ status: 'refused', reason: expect.stringContaining('draft') }]);
    expect(await screen(session)).toMatch(/❯.my own words/);
    expect(await screen(session)).not.toContain('SAY four');
    await opened.tmux(['send-keys', '-t', session.pane?.id ?? '', 'C-u']);
    await until(
      3_000,
      () => 'the draft stays',
      async () => (/^❯\s*$/m.test(await screen(session)) ? true : undefined),
    );

    await send(session.id, { text: 'RUN touch made', wait: 'submitted' });
    await until(
      10_000,
      () => 'no dialog',
      async () =>
        (await ask('GET', `/sessions/${session.id}`)).body.reason === 'permission' ? true : undefined,
    );
    const dialog = await send(session.id, { text: '1' });
    expect([dialog.status, dialog.body.error?.code]).toEqual([409, 'refused']);
    // 2.1.325 shows it when no key was pressed for a moment.
    await until(
      5_000,
      () => 'the dialog is gone',
      async () => (await screen(session)).includes('Do you want to proceed?') || undefined,
    );
    expect(existsSync(join(opened.dir(), 'made'))).toBe(false);
  });

  test('text arrives as text, whatever it begins or ends with, also 100 KB', async () => {
    const opened = await world({ version });
    const { send, create, url, token } = await hub(opened);
    const stream = await subscribe(url, token);
    const { body: session } = await create();
    const texts = [
      '!touch shell',
      '/nothing',
      '# heading',
      'ends with \\',
      'SAY zwei\n\nZeilen „ü“ 日本',
      `SAY ${'x'.repeat(100_000)}`,
    ];
    for (const text of texts) {
      const { body } = await send(session.id, { text, wait: 'answered' });
      expect([text.slice(0, 20), body.status, body.reason]).toEqual([text.slice(0, 20), 'answered', null]);
      if (text.startsWith('SAY ')) expect(body.answer).toBe(text.slice(4));
    }
    const prompts = stream.frames
      .filter(({ event, data }) => event === 'hook' && data.includes('"UserPromptSubmit"'))
      .map(({ data }) => (JSON.parse(data) as { prompt: string }).prompt.trim());
    expect(prompts).toEqual(texts);
  });

  test('the daemon is killed while it types: nothing is typed twice, and the receipt says what happened', async () => {
    const opened = await world({ version });
    const first = await hub(opened);
    const { body: session } = await first.create();
    const sent = await first.send(session.id, { text: 'SAY once' }, { 'Idempotency-Key': 'k1' });
    await first.kill9();
    const second = await hub(opened);
    const receipt = await until(
      15_000,
      () => 'the message is not over',
      async () => {
        const { body } = await second.ask<Receipt>('GET', `/messages/${sent.body.id}`);
        return ['answered', 'unknown', 'refused'].includes(body.status) ? body : undefined;
      },
    );
    expect(receipt.status).toBe('answered');
    const again = await second.send(
      session.id,
      { text: 'SAY once', wait: 'answered' },
      { 'Idempotency-Key': 'k1' },
    );
    expect(again.body.id).toBe(sent.body.id);
    const other = await second.send(session.id, { text: 'SAY other' }, { 'Idempotency-Key': 'k1' });
    expect(other.status).toBe(409);
    const log = await opened.drover('events', session.id, '--after', '0', '--json');
    const prompts = log.stdout.split('\n').filter(line => line.includes('"UserPromptSubmit"'));
    expect(prompts).toHaveLength(1);
  });

  test('after /clear the conversation that follows is managed, and the old id names it', async () => {
    const opened = await world({ version });
    const { create, send, ask } = await hub(opened);
    const { body: session } = await create();
    await send(session.id, { text: 'SAY one', wait: 'answered' });
    const cleared = await send(session.id, { text: '/clear', as: 'command', wait: 'submitted' });
    expect(cleared.body.status).toBe('submitted');
    const { next } = await until(
      10_000,
      () => 'nothing follows',
      async () => {
        const { body } = await ask('GET', `/sessions/${session.id}`);
        return body.next ? body : undefined;
      },
    );
    expect((await ask('GET', `/sessions/${next}`)).body).toMatchObject({ managed: true });
    const old = await send(session.id, { text: 'SAY two' });
    expect([old.status, old.body.error?.message]).toEqual([409, expect.stringContaining(String(next))]);
    expect((await send(String(next), { text: 'SAY two', wait: 'answered' })).body.answer).toBe('two');
  });

  test('the trust dialog is shown, and answered only when told to', async () => {
    const opened = await world({ version, projects: ['app'] });
    const { create } = await hub(opened);
    await mkdir(join(opened.home, 'strange'));
    const shy = await create({ cwd: join(opened.home, 'strange') });
    expect(shy.body).toMatchObject({ state: 'waiting', reason: 'dialog' });
    // Nothing in the name of a folder is taken for a format of tmux or a word of the shell.
    const odd = join(opened.home, `#(touch ran)#{pid} $(touch ran) 'x'`);
    await mkdir(odd);
    const bold = await create({ cwd: odd, trust: true, prompt: 'SAY hello' });
    expect([bold.status, bold.body.error, bold.body.dir]).toEqual([201, undefined, odd]);
    expect(existsSync(join(odd, 'ran')) || existsSync(join(opened.home, 'ran'))).toBe(false);
  });

  test('wrong wishes are refused with a clear word, and nothing is started', async () => {
    const opened = await world({ version });
    const { create, ask } = await hub(opened);
    expect((await create({ session_id: undefined })).body.error?.message).toContain('session_id');
    expect((await create({ session_id: 'abc' })).status).toBe(400);
    expect((await create({ cwd: 'relative' })).status).toBe(400);
    expect((await create({ cwd: '/nowhere/at/all' })).status).toBe(400);
    expect((await create({ colour: 'red' })).status).toBe(400);
    const bad = await create({ args: ['--no-such-flag'] });
    expect([bad.status, bad.body.error?.message]).toEqual([
      500,
      expect.stringContaining('ended as it began'),
    ]);
    const { body: session } = await create();
    expect((await create({ session_id: session.id })).status).toBe(409);
    const other = await ask<Receipt>('POST', `/sessions/${'f'.repeat(8)}/message`, { text: 'x' });
    expect(other.status).toBe(404);
  });
});

test('100 messages to five sessions, the daemon killed thrice: none lost, none typed twice', {
  timeout: 180_000,
}, async () => {
  const opened = await world({ version: versions[1] });
  expect(await soak(opened, { sessions: 5, messages: 100, kills: 3 })).toMatchObject({
    lost: [],
    doubled: [],
  });
});

test('hooks reach a hub through a mapped port that is not the bound one, once its Host is allowed', async () => {
  const opened = await world({ version: versions[0] });
  await opened.drover('setup');
  const target = { port: 0 };
  const mapped = createServer(socket => {
    const inner = connect(target.port, '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    for (const end of [socket, inner]) end.on('error', () => {});
  });
  await new Promise<void>(done => mapped.listen(0, '127.0.0.1', done));
  onTestFinished(() => void mapped.close());
  const host = `127.0.0.1:${(mapped.address() as AddressInfo).port}`;
  const { url, token } = await opened.daemon({ args: ['--allow-host', host] });
  target.port = Number(new URL(url).port);
  const stream = await subscribe(`http://${host}`, token);
  const env = { DROVER_URL: `http://${host}`, DROVER_TOKEN: token };
  const seat = await opened.claude({ prompt: 'SAY through the port', env });
  await seat.sees('through the port');
  const stop = await stream.next(frame => frame.event === 'hook' && frame.data.includes('"Stop"'), 20_000);
  expect(JSON.parse(stop.data)).toMatchObject({ last_assistant_message: 'through the port' });
});
