/** A program drives a session over HTTP from start to end, while others watch. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { Receipt, ReceiptList, TranscriptPage } from '../../src/contract/hub.ts';
import type { Session } from '../../src/contract/session.ts';
import { withoutPasteMarks } from '../../src/claude/paste-marks.ts';
import { edges } from '../rig/cli.ts';
import { type Hub, hubOf, pauseUntilKeysCount } from '../rig/hub.ts';
import type { Run } from '../rig/run.ts';
import { sharedWorld, world } from '../rig/story.ts';
import { subscribe } from '../rig/sse.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const PERMISSION = 'Do you want to proceed?';

describe.each(edges)('Claude Code %s', version => {
  describe('a whole session over HTTP, with curl watching', () => {
    const shared = sharedWorld({ version });
    const id = randomUUID();
    let opened: World;
    let hub: Hub;
    let session: Session;
    let watching: Promise<Run>;
    const made = (name: string) => existsSync(join(opened.dir(), name));
    const idle = () => hub.is(id, ({ state, reason }) => state === 'waiting' && reason === 'stopped');

    beforeAll(async () => {
      opened = shared();
      hub = await hubOf(opened);
    });

    test('it starts with a prompt, which is answered', async () => {
      const { status, body } = await hub.create({
        session_id: id,
        name: 'nightly',
        prompt: 'SAY first',
        approvals: 'held',
      });
      session = body;
      expect([status, session]).toMatchObject([
        201,
        { id, name: 'nightly', managed: true, approvals: 'held', dir: opened.dir() },
      ]);
      expect(session.pane?.session).toBe(`claude-${shortId(id)}`);
      const header = `Authorization: Bearer ${hub.token}`;
      watching = opened.run('curl', ['-sN', '-H', header, `${hub.url}/sessions/${id}/events?after=0`], {
        ms: 120_000,
      });
      const { body: prompts } = await hub.ask<ReceiptList>('GET', `/sessions/${id}/messages`);
      await until(
        20_000,
        () => 'the first prompt was not answered',
        async () => {
          const { body: receipt } = await hub.ask<Receipt>('GET', `/messages/${prompts.messages[0]?.id}`);
          return receipt.answer === 'first' || undefined;
        },
      );
    });

    test('a message is answered, with its usage', async () => {
      const answered = await hub.send(id, { text: 'TOKENS 1234 SAY second\nline', wait: 'answered' });
      expect(answered.body).toMatchObject({
        status: 'answered',
        outcome: 'stopped',
        answer: 'second\nline',
        usage: { input_tokens: 1234 },
      });
      expect((await hub.ask<Receipt>('GET', `/messages/${answered.body.id}`)).body).toEqual(answered.body);
    });

    test('a request is allowed while its dialog is on the screen; what is sent meanwhile is refused', async () => {
      await hub.send(id, { text: 'RUN touch allowed', wait: 'submitted' });
      const asked = await hub.pending(id);
      await hub.sees(session, PERMISSION);
      expect(asked.pending).toMatchObject({ kind: 'permission', input: { command: 'touch allowed' } });
      const over = await hub.send(id, '1');
      expect([over.status, over.body.error?.message]).toEqual([
        409,
        expect.stringContaining('needs approval'),
      ]);
      expect(await hub.screen(session)).toContain(PERMISSION);
      expect(made('allowed')).toBe(false);
      expect((await hub.answer(id, { behavior: 'allow', id: asked.pending?.id })).status).toBe(200);
      await idle();
      expect(made('allowed')).toBe(true);
    });

    test('a request is denied with a message', async () => {
      await hub.send(id, { text: 'RUN touch denied', wait: 'submitted' });
      await hub.pending(id);
      expect((await hub.answer(id, { behavior: 'deny', message: 'not on a Sunday' })).status).toBe(200);
      await opened.model.asked(({ body }) => JSON.stringify(body.messages).includes('not on a Sunday'));
      await idle();
      expect(made('denied')).toBe(false);
    });

    test('a request that was answered in the terminal first', async () => {
      await hub.send(id, { text: 'RUN touch typed', wait: 'submitted' });
      const late = await hub.pending(id);
      await hub.sees(session, PERMISSION);
      await pauseUntilKeysCount();
      expect((await hub.ask('POST', `/sessions/${id}/keys`, { keys: ['Enter'] })).status).toBe(200);
      await hub.is(id, ({ pending }) => pending === null);
      const stale = await hub.answer(id, { behavior: 'deny', id: late.pending?.id });
      expect([stale.status, stale.body.error?.message]).toEqual([409, expect.stringContaining('terminal')]);
      await idle();
      expect(made('typed')).toBe(true);
    });

    test('questions are answered', async () => {
      await hub.send(id, { text: 'ASK2', wait: 'submitted' });
      await hub.pending(id);
      expect((await hub.answer(id, { answers: { Size: 'Large', Extras: ['Nuts', 'Milk'] } })).status).toBe(
        200,
      );
      await opened.model.asked(({ body }) => JSON.stringify(body.messages).includes('Nuts, Milk'));
      await idle();
    });

    test('while it works a message waits for its turn', async () => {
      const one = await hub.send(id, { text: 'SLEEP 1000 SAY one', wait: 'submitted' });
      const two = await hub.send(id, 'SAY two');
      expect([one.body.status, two.body.status]).toEqual(['submitted', 'queued']);
      const three = await hub.send(id, { text: 'SAY three', wait: 'answered' });
      expect(three.body).toMatchObject({ status: 'answered', answer: 'three' });
      for (const [{ body }, said] of [
        [one, 'one'],
        [two, 'two'],
      ] as const)
        expect((await hub.ask<Receipt>('GET', `/messages/${body.id}`)).body).toMatchObject({
          status: 'answered',
          answer: said,
        });
    });

    test('it is interrupted once', async () => {
      await hub.send(id, { text: 'STREAM 100', wait: 'submitted' });
      // Before its first word an Esc restores the prompt.
      await hub.sees(session, /line \d+ of 100/);
      const { body: stopped } = await hub.ask('POST', `/sessions/${id}/interrupt`);
      expect(stopped).toMatchObject({ state: 'waiting', reason: 'interrupted' });
      expect((await hub.ask('POST', `/sessions/${id}/interrupt`)).status).toBe(409);
    });

    test('a draft of a person stays as it is', async () => {
      await hub.ask('POST', `/sessions/${id}/keys`, { keys: [{ text: 'my own words' }] });
      await hub.sees(session, /^❯.my own words/m);
      const drafted = await hub.send(id, { text: 'SAY four', wait: 'submitted' });
      expect([drafted.status, drafted.body.error?.message]).toEqual([409, expect.stringContaining('draft')]);
      const { body: kept } = await hub.ask<ReceiptList>('GET', `/sessions/${id}/messages?last=1`);
      expect(kept.messages).toMatchObject([{ status: 'refused', reason: expect.stringContaining('draft') }]);
      const screen = await hub.screen(session);
      expect(screen).toMatch(/^❯.my own words/m);
      expect(screen).not.toContain('SAY four');
    });

    test('its transcript is read in pages', async () => {
      const { body: page } = await hub.ask<TranscriptPage>('GET', `/sessions/${id}/transcript?limit=2`);
      expect(page.messages.map(({ role, text }) => [role, text])).toEqual([
        ['user', 'SAY first'],
        ['assistant', 'first'],
      ]);
      expect(page.next).toBe(page.end);
    });

    test('it is ended, and curl has heard all of it', async () => {
      const { body: gone } = await hub.ask('DELETE', `/sessions/${id}`);
      expect(gone).toMatchObject({ state: 'ended', reason: 'exit' });
      expect((await opened.run('tmux', ['-S', opened.socket, 'ls'])).stdout).not.toContain('claude-');
      const { stdout, code } = await watching;
      const heard = [...stdout.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event, data = '']) =>
        event === 'hook' ? (JSON.parse(data) as { hook_event_name: string }).hook_event_name : event,
      );
      expect(code).toBe(0);
      expect(heard.filter(name => name === 'PermissionRequest')).toHaveLength(4);
      expect(heard.filter(name => name === 'UserPromptSubmit')).toHaveLength(10);
      expect(heard.indexOf('SessionEnd')).toBeGreaterThan(heard.lastIndexOf('UserPromptSubmit'));
      expect(heard.at(-1)).toBe('end');
    });
  });

  test('text arrives unchanged, whatever it begins or ends with, also 100 KB', async () => {
    const opened = await world({ version });
    const { send, create, url, token } = await hubOf(opened);
    const stream = await subscribe(url, token);
    const { body: session } = await create();
    const texts = [
      '!touch shell',
      '/nothing',
      '# heading',
      'ends with \\',
      'SAY zwei\n\nZeilen „ü“ 日本 👩‍👩‍👧',
      `SAY ${'x'.repeat(100_000)}`,
    ];
    for (const text of texts) {
      const { body } = await send(session.id, { text, wait: 'answered' });
      expect([text.slice(0, 20), body.status, body.reason]).toEqual([text.slice(0, 20), 'answered', null]);
      if (text.startsWith('SAY ')) expect(body.answer).toBe(text.slice(4));
    }
    // Line ends as Windows has them are line ends.
    const { body } = await send(session.id, { text: 'SAY a\r\nb', wait: 'answered' });
    expect(body.answer).toBe('a\nb');
    const prompts = stream.frames
      .filter(({ event, data }) => event === 'hook' && data.includes('"UserPromptSubmit"'))
      .map(({ data }) => withoutPasteMarks((JSON.parse(data) as { prompt: string }).prompt).trim());
    expect(prompts).toEqual([...texts, 'SAY a\nb']);
  });

  test('each message sent during a turn gets its own answer', async () => {
    const opened = await world({ version });
    const { send, create, ask } = await hubOf(opened);
    const { body: session } = await create();
    const force = (text: string) => send(session.id, { text, force: true, wait: 'answered', timeout: 30 });
    const receipt = async (id: string) => (await ask<Receipt>('GET', `/messages/${id}`)).body;

    // While the model answers: a separate turn follows.
    const one = await send(session.id, { text: 'SLEEP 1500 SAY one', wait: 'submitted' });
    const two = await force('SAY two\nlines');
    expect([two.status, two.body]).toMatchObject([200, { status: 'answered', answer: 'two\nlines' }]);
    expect(await receipt(one.body.id)).toMatchObject({ status: 'answered', answer: 'one' });

    // While a tool runs: the running turn includes it, and 2.1.197 fires no hook for that.
    const tool = await send(session.id, { text: 'RUN echo begun; sleep 2', wait: 'submitted' });
    await opened.model.asked(({ body }) => JSON.stringify(body.messages).includes('echo begun'));
    const three = await force('SAY three');
    expect([three.status, three.body]).toMatchObject([200, { status: 'answered', answer: 'three' }]);
    expect(await receipt(tool.body.id)).toMatchObject({ status: 'answered', outcome: 'stopped' });
  });

  test('after /clear the conversation that follows is managed, and the old id names it', async () => {
    const opened = await world({ version });
    const { create, send, ask, is, read, url, token } = await hubOf(opened);
    const { body: session } = await create({ approvals: 'held' });
    const stream = await subscribe(url, token, { path: `/sessions/${session.id}/events` });
    await send(session.id, { text: 'SAY one', wait: 'answered' });
    const cleared = await send(session.id, { text: '/clear', as: 'command', wait: 'submitted' });
    expect(cleared.body.status).toBe('submitted');
    const { next } = await is(session.id, one => one.next !== null);
    const end = await stream.next(frame => frame.event === 'end');
    expect(JSON.parse(end.data)).toMatchObject({ reason: 'clear', next });
    const id = String(next);
    expect(await read(id)).toMatchObject({
      managed: true,
      approvals: 'held',
      pane: { id: session.pane?.id, session: session.pane?.session },
    });
    const calls: [string, string, object?][] = [
      ['POST', '/message', { text: 'SAY two' }],
      ['POST', '/keys', { keys: ['Enter'] }],
      ['POST', '/interrupt'],
      ['POST', '/answer', { behavior: 'allow' }],
      ['POST', '/approvals', { approvals: 'terminal' }],
      ['POST', '/ask', { answers: { 'Which size?': 'Large' } }],
      ['GET', '/menu'],
      ['POST', '/menu', { action: 'enter' }],
      ['DELETE', '/commands'],
      ['DELETE', ''],
    ];
    for (const [method, path, body] of calls) {
      const old = await ask(method, `/sessions/${session.id}${path}`, body);
      expect([path, old.status, old.body.error?.message]).toEqual([path, 409, expect.stringContaining(id)]);
    }
    expect((await send(id, { text: 'SAY two', wait: 'answered' })).body.answer).toBe('two');
    // It ends with its terminal, and comes back with the settings that its line was started with.
    expect((await ask('DELETE', `/sessions/${id}`)).body).toMatchObject({ state: 'ended' });
    expect((await opened.run('tmux', ['-S', opened.socket, 'ls'])).stdout).not.toContain('claude-');
    expect((await ask('POST', `/sessions/${id}/resume`)).status).toBe(200);
    await is(id, ({ state, hooks }) => state === 'ready' && hooks === 'live');
    expect((await send(id, { text: 'SAY three', wait: 'answered' })).body.answer).toBe('three');
    expect((await ask('DELETE', `/sessions/${id}`)).body).toMatchObject({ state: 'ended' });
    expect((await opened.run('tmux', ['-S', opened.socket, 'ls'])).stdout).not.toContain('claude-');
  });
});
