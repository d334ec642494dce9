/** The daemon is killed while messages are being delivered: none is lost or typed twice, and every receipt is right. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { LogPage } from '../../src/contract/api.ts';
import type { Receipt } from '../../src/contract/hub.ts';
import { limits } from '../../src/limits.ts';
import { edges, newest } from '../rig/cli.ts';
import { interceptTmux } from '../rig/intercept-tmux.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import { soak } from '../soak/soak.ts';

const starts = '*" new-session "*';

describe.each(edges)('Claude Code %s', version => {
  test('the daemon is killed while typing: nothing is typed twice, and the receipt says what happened', async () => {
    const opened = await world({ version });
    const first = await hubOf(opened);
    const { body: session } = await first.create();
    // Answered as soon as it is typed: Enter is on its way.
    const sent = await first.send(session.id, 'SAY once', { 'Idempotency-Key': 'k1' });
    expect(sent.body.status).toMatch(/typed|submitted/);
    await first.kill9();
    const second = await hubOf(opened);
    const receipt = await until(
      15_000,
      () => 'the message is not over',
      async () => {
        const { body } = await second.ask<Receipt>('GET', `/messages/${sent.body.id}`);
        return ['answered', 'unknown', 'refused'].includes(body.status) ? body : undefined;
      },
    );
    expect(receipt).toMatchObject({ status: 'answered', answer: 'once' });
    const same = { text: 'SAY once', wait: 'answered' };
    const again = await second.send(session.id, same, { 'Idempotency-Key': 'k1' });
    expect(again.body.id).toBe(sent.body.id);
    const other = await second.send(session.id, 'SAY other', { 'Idempotency-Key': 'k1' });
    expect(other.status).toBe(409);
    const log = await opened.drover('events', session.id, '--after', '0', '--json');
    const prompts = log.stdout.split('\n').filter(line => line.includes('"UserPromptSubmit"'));
    expect(prompts).toHaveLength(1);
  });

  test('the daemon is killed between typed and submitted: the next one presses Enter, and types nothing again', async () => {
    const opened = await world({ version });
    const first = await hubOf(opened, await interceptTmux(opened, '*send-keys*Enter*', 'kill -9 $PPID'));
    const { body: session } = await first.create();
    const request = { text: 'SAY once', wait: 'answered' };
    const key = { 'Idempotency-Key': 'k1' };
    await expect(first.send(session.id, request, key)).rejects.toThrow('fetch failed');
    const killedAt = Date.now();
    await first.kill9();
    expect(await first.screen(session)).toMatch(/❯\sSAY once/);
    const second = await hubOf(opened);
    // The request is repeated, as after any lost response: finally the same message.
    const { body: receipt } = await second.send(session.id, request, key);
    expect(receipt).toMatchObject({ status: 'answered', answer: 'once' });
    const { body } = await second.ask<{ messages: Receipt[] }>('GET', `/sessions/${session.id}/messages`);
    expect(body.messages.map(({ id }) => id)).toEqual([receipt.id]);
    const { body: log } = await second.ask<LogPage>('GET', `/log?after=0&session=${session.id}`);
    const told = log.events.filter(({ name }) =>
      /^Message(?:Typed|Submitted)$|^UserPromptSubmit$/.test(name),
    );
    expect(told.map(({ name }) => name)).toEqual(['MessageTyped', 'UserPromptSubmit', 'MessageSubmitted']);
    const [typed, submitted] = told.map(({ at }) => at);
    expect(typed).toBeLessThanOrEqual(killedAt);
    expect(submitted).toBeGreaterThan(killedAt);
  });

  test('text for a CLI that gets no CPU time is typed once, and accepted when it runs', async () => {
    const opened = await world({ version });
    const hub = await hubOf(opened);
    const { body: session } = await hub.create();
    const pid = session.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    const sent = hub.send(session.id, { text: 'SAY late', wait: 'answered' });
    // A paste is looked for this long; meanwhile nothing happens that could be awaited.
    await pauseFor(limits.message.pasteTimeout + 3_000);
    process.kill(pid, 'SIGCONT');
    expect((await sent).body).toMatchObject({ status: 'answered', answer: 'late' });
    expect((await hub.send(session.id, { text: 'SAY next', wait: 'answered' })).body.answer).toBe('next');
  });

  test('the daemon is killed right after tmux started a session: the next one manages it, started once', async () => {
    const opened = await world({ version });
    const first = await hubOf(opened, await interceptTmux(opened, starts, '"$real" "$@"; kill -9 $PPID'));
    // The session that starts would start the next daemon too, before the story does.
    await rm(join(opened.droverHome, 'autostart'));
    const request = { session_id: randomUUID(), approvals: 'held', prompt: 'RUN touch made' };
    const key = { 'Idempotency-Key': 'k1' };
    await expect(first.create(request, key)).rejects.toThrow('fetch failed');
    await first.kill9();
    const second = await hubOf(opened);
    const known = await second.is(request.session_id, ({ pid }) => pid !== null);
    expect(known).toMatchObject({ managed: true, approvals: 'held', state: 'ready' });
    expect((await second.create(request)).status).toBe(409);
    // The request is repeated, as after any lost response: the same session, and now its prompt.
    const again = await second.create(request, key);
    expect([again.status, again.body]).toMatchObject([201, { id: known.id, pid: known.pid, managed: true }]);
    await second.pending(known.id);
    expect((await second.answer(known.id, { behavior: 'allow' })).status).toBe(200);
    await second.is(known.id, ({ state, reason }) => state === 'waiting' && reason === 'stopped');
    const told = await opened.drover('events', known.id, '--after', '0', '--json');
    const times = (name: string) => told.stdout.split('\n').filter(line => line.includes(`"${name}"`)).length;
    expect([times('SessionStart'), times('UserPromptSubmit')]).toEqual([1, 1]);
    // No force is needed: it is the hub's own.
    expect((await second.ask('DELETE', `/sessions/${known.id}`)).body).toMatchObject({ state: 'ended' });
    expect((await opened.run('tmux', ['-S', opened.socket, 'ls'])).stdout).not.toContain('claude-');
  });
});

test('the daemon is killed right before a start: the next one reports it, and the same request starts it', async () => {
  const opened = await world({ version: newest });
  const first = await hubOf(opened, await interceptTmux(opened, starts, 'kill -9 $PPID'));
  const request = { session_id: randomUUID() };
  const key = { 'Idempotency-Key': 'k1' };
  await expect(first.create(request, key)).rejects.toThrow('fetch failed');
  await first.kill9();
  const second = await hubOf(opened);
  const lost = await second.is(request.session_id, ({ state }) => state === 'ended');
  expect(lost.detail?.line).toContain('The daemon exited before it could start the session');
  expect((await second.send(lost.id, 'SAY hello')).status).toBe(409);
  const again = await second.create(request, key);
  expect([again.status, again.body]).toMatchObject([201, { managed: true, state: 'ready' }]);
  expect((await second.send(lost.id, { text: 'SAY hello', wait: 'answered' })).body.answer).toBe('hello');
});

test('100 messages to five sessions with three daemon kills: none lost, doubled, merged or misreported', {
  timeout: 180_000,
}, async () => {
  const opened = await world({ version: newest });
  expect(await soak(opened, { sessions: 5, messages: 100, kills: 3 })).toMatchObject({
    lost: [],
    doubled: [],
    merged: [],
    untrue: [],
  });
});
