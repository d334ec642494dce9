/** Held requests: answer a permission, a question and a plan through Drover while the dialog is open in the terminal. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { SessionPage } from '../../src/contract/api.ts';
import { limits } from '../../src/limits.ts';
import { versions } from '../rig/cli.ts';
import { type Daemon, MAIN } from '../rig/drover.ts';
import { waitersOf } from '../rig/process.ts';
import { screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const PERMISSION = 'Do you want to proceed?';

describe.each(versions)('Claude Code %s', version => {
  test('a permission: allowed over HTTP, denied with a comment, allowed on the board, answered in the terminal first', async () => {
    const story = await world({ version });
    const { drover, model } = story;
    await drover('setup');
    const hub = hubOf(await story.daemon());
    const seat = await story.claude();
    await seat.ready();
    const { sessionId: id } = await seat.file(file => file.status === 'idle');
    await hub.is(id, ({ state }) => state === 'ready');
    expect((await hub.answer(id, { behavior: 'allow' })).status).toBe(409);
    // A program may not decide who answers for a person.
    const hold = await hub.post(id, 'approvals', { approvals: 'held' });
    expect([hold.status, hold.body]).toMatchObject([
      409,
      { error: { hint: expect.stringContaining('drover hold') } },
    ]);
    expect((await drover('hold', shortId(id))).stdout).toContain('is held from its next request on');

    await seat.type('RUN touch made');
    const asked = await hub.pending(id);
    await seat.asks(PERMISSION);
    expect(asked.pending).toMatchObject({
      kind: 'permission',
      tool: 'Bash',
      input: { command: 'touch made' },
      agent: null,
      rememberable: true,
    });
    expect((await drover('show', id)).stdout).toContain(
      `drover answer ${shortId(id)} allow|deny --id ${asked.pending?.id}`,
    );
    expect(await hub.answer(id, { answers: { 'Which size?': 'Large' } })).toMatchObject({ status: 400 });
    expect(await hub.answer(id, { behavior: 'allow', id: 1 })).toMatchObject({ status: 409 });
    expect(await seat.screen()).toContain(PERMISSION);
    expect(await waitersOf(story.root)).toHaveLength(1);
    expect(await hub.answer(id, { behavior: 'allow', id: asked.pending?.id })).toMatchObject({
      status: 200,
      body: { id: asked.pending?.id, tool: 'Bash', line: 'Bash: touch made', behavior: 'allow' },
    });
    await seat.sees('Allowed by PermissionRequest hook');
    await idle(seat);
    expect(existsSync(join(story.dir(), 'made'))).toBe(true);
    expect(await hub.answer(id, { behavior: 'allow' })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringMatching(/^Already allowed through Drover/) as string } },
    });

    await seat.type('RUN touch other');
    await hub.pending(id);
    await seat.asks(PERMISSION);
    expect((await drover('answer', id, 'deny', '-m', 'not on a Sunday')).stdout).toContain(
      'denied Bash: touch other',
    );
    await seat.sees('Denied by PermissionRequest hook');
    await model.asked(({ body }) => JSON.stringify(body.messages).includes('not on a Sunday'));
    await idle(seat);
    expect(existsSync(join(story.dir(), 'other'))).toBe(false);

    const board = await screenOf(story, [process.execPath, MAIN]);
    await board.sees('Enter go');
    await seat.type('RUN touch second');
    await hub.pending(id);
    await seat.asks(PERMISSION);
    await board.sees('Bash: touch second');
    await board.press('a');
    await board.sees(/Allow Bash in project[?][\s\S]*touch second[\s\S]*Enter send/);
    // A person takes as long to read it.
    await pauseFor(limits.board.confirmDelay);
    await board.press('Enter');
    await seat.sees(/touch second[\s\S]*Allowed by PermissionRequest hook/);
    await idle(seat);
    expect(existsSync(join(story.dir(), 'second'))).toBe(true);

    await seat.type('RUN touch third');
    await hub.pending(id);
    await seat.asks(PERMISSION);
    await seat.press('Enter');
    await seat.sees(/touch third[\s\S]*● done/);
    expect(await hub.answer(id, { behavior: 'deny' })).toMatchObject({
      status: 409,
      body: {
        error: {
          message: expect.stringMatching(
            /^Already allowed in the terminal [\d.]+ s ago: Bash: touch third$/,
          ) as string,
        },
      },
    });
    expect(existsSync(join(story.dir(), 'third'))).toBe(true);
    await noWaiters(story);

    expect((await drover('hold', id, '--off')).stdout).toContain('no longer held');
    await seat.type('RUN touch fourth');
    await seat.asks(PERMISSION);
    expect(await waitersOf(story.root)).toEqual([]);
    expect(await hub.answer(id, { behavior: 'allow' })).toMatchObject({
      status: 200,
      body: { way: 'screen' },
    });
    await idle(seat);
    expect(existsSync(join(story.dir(), 'fourth'))).toBe(true);
  });

  test('two questions and a plan', async () => {
    const story = await world({ version });
    const { drover, model } = story;
    await drover('setup');
    const hub = hubOf(await story.daemon());
    const seat = await story.claude({ permissionMode: 'plan' });
    await seat.ready();
    const { sessionId: id } = await seat.file(file => file.status === 'idle');
    await hub.is(id, ({ state }) => state === 'ready');
    expect((await drover('hold', id)).code).toBe(0);

    await seat.type('ASK2');
    const asked = await hub.pending(id);
    await seat.asks('Which size?');
    expect(asked.pending).toMatchObject({ kind: 'question', tool: 'AskUserQuestion' });
    for (const answers of [
      { Colour: 'red' },
      { 'Which size?': 'Large' },
      { Size: ['Small', 'Large'], Extras: 'Milk' },
    ])
      expect((await hub.answer(id, { answers })).status).toBe(400);
    const answers = { 'Which size?': 'as large as a barn', Extras: ['Nuts', 'Milk'] };
    expect((await hub.answer(id, { answers })).status).toBe(200);
    await model.asked(({ body }) => {
      const told = JSON.stringify(body.messages);
      return told.includes('as large as a barn') && told.includes('Nuts, Milk');
    });
    await idle(seat);

    await seat.type('PLAN');
    expect((await hub.pending(id)).pending).toMatchObject({ kind: 'plan', tool: 'ExitPlanMode' });
    await seat.asks('Would you like to proceed?');
    expect((await hub.answer(id, { behavior: 'deny', message: 'shorter, please' })).status).toBe(200);
    await model.asked(({ body }) => JSON.stringify(body.messages).includes('shorter, please'));
    await idle(seat);
    await seat.type('PLAN');
    await hub.pending(id);
    await seat.asks('Would you like to proceed?');
    expect((await drover('answer', id, 'allow')).stdout).toContain('approved the plan: ');
    await idle(seat);
    await until(
      5_000,
      () => 'plan mode is still on',
      async () => !(await seat.screen()).includes('plan mode on') || undefined,
    );
    await noWaiters(story);
  });

  test('allowed with changed input, allowed permanently, denied and interrupted', async () => {
    const story = await world({ version });
    await story.drover('setup');
    const hub = hubOf(await story.daemon());
    const seat = await story.claude();
    await seat.ready();
    const { sessionId: id } = await seat.file(file => file.status === 'idle');
    await hub.is(id, ({ state }) => state === 'ready');
    expect((await story.drover('hold', id)).code).toBe(0);
    const made = (name: string) => existsSync(join(story.dir(), name));

    await seat.type('RUN touch asked');
    await hub.pending(id);
    await seat.asks(PERMISSION);
    const changed = { behavior: 'allow', updated_input: { command: 'touch changed' } };
    expect((await hub.answer(id, changed)).status).toBe(200);
    await idle(seat);
    expect([made('asked'), made('changed')]).toEqual([false, true]);

    await seat.type('RUN touch halted');
    await hub.pending(id);
    await seat.asks(PERMISSION);
    expect((await hub.answer(id, { behavior: 'deny', interrupt: true })).status).toBe(200);
    await hub.is(id, ({ state, reason }) => state === 'waiting' && reason === 'interrupted');
    expect(made('halted')).toBe(false);

    await seat.type('RUN touch first');
    await hub.pending(id);
    await seat.asks(PERMISSION);
    expect((await hub.answer(id, { behavior: 'allow', remember: true })).status).toBe(200);
    await idle(seat);
    // What the dialog remembers covers the next one: nobody is asked.
    await seat.type('RUN touch second');
    await until(
      10_000,
      () => 'it was not run without being asked',
      () => made('second') || undefined,
    );
    expect(made('first')).toBe(true);
    await noWaiters(story);
  });

  test('the daemon is killed while a request is held: the waiter exits, and the dialog works', async () => {
    const story = await world({ version });
    await story.drover('setup');
    const daemon = await story.daemon();
    const seat = await story.claude();
    await seat.ready();
    const { sessionId: id } = await seat.file(file => file.status === 'idle');
    await hubOf(daemon).is(id, ({ state }) => state === 'ready');
    expect((await story.drover('hold', id)).code).toBe(0);
    await seat.type('RUN touch made');
    await hubOf(daemon).pending(id);
    await seat.asks(PERMISSION);
    expect(await waitersOf(story.root)).toHaveLength(1);
    await daemon.kill9();
    await noWaiters(story);
    const hub = hubOf(await story.daemon());
    expect(await hub.read(id)).toMatchObject({ approvals: 'held', pending: null });
    // No hook waits any more: the answer uses the dialog.
    await seat.asks(PERMISSION);
    expect(await hub.answer(id, { behavior: 'allow' })).toMatchObject({
      status: 200,
      body: { way: 'screen' },
    });
    await seat.sees(/touch made[\s\S]*● done/);
    expect(existsSync(join(story.dir(), 'made'))).toBe(true);
  });

  test('a session is held from its start, also after /clear; a subagent whose dialog comes after its hook is let go at once', async () => {
    const story = await world({ version });
    await story.drover('setup');
    const folder = { approvals: 'terminal', hold: { projects: [story.dir()] } };
    if (version === '2.1.197') writeFileSync(join(story.droverHome, 'config.json'), JSON.stringify(folder));
    const hub = hubOf(await story.daemon());
    const seat = await story.claude();
    await seat.ready();
    const { sessionId: first } = await seat.file(file => file.status === 'idle');
    await hub.is(first, ({ approvals }) => approvals === 'held');
    await seat.type('/clear');
    const { sessionId: id } = await seat.file(file => file.sessionId !== first);
    await hub.is(id, ({ approvals }) => approvals === 'held');
    await hub.is(first, ({ state }) => state === 'ended');
    await seat.ready();

    await seat.type('AGENT RUN touch made');
    const [request] = (await hub.is(id, ({ requests }) => requests.length === 1)).requests;
    expect(request).toMatchObject({ tool: 'Bash', agent: 'general-purpose' });
    if (version !== '2.1.197') {
      // The CLI awaits the hook before it shows the dialog of a subagent that runs in the background.
      expect(request?.until).toBeNull();
      await seat.asks(PERMISSION);
      expect(await hub.answer(id, { behavior: 'allow' })).toMatchObject({
        body: { behavior: 'allow', way: 'screen' },
      });
    } else {
      await seat.asks(PERMISSION);
      await hub.is(id, session => (session.pending?.until ?? 0) > session.since + 60_000);
      expect((await hub.answer(id, { behavior: 'allow' })).status).toBe(200);
      await idle(seat);
      expect(existsSync(join(story.dir(), 'made'))).toBe(true);
    }
    await noWaiters(story);
  });
});

/** The daemon as a program uses it. */
function hubOf({ url, token }: Daemon) {
  const headers = { Authorization: `Bearer ${token}` };
  const read = async (id: string) =>
    (await (await fetch(`${url}/sessions/${id}`, { headers })).json()) as SessionPage;
  const is = async (id: string, wanted: (session: SessionPage) => boolean, ms = 15_000) => {
    let last: SessionPage | undefined;
    const missing = () => `${id} is ${JSON.stringify(last)}`;
    return until(ms, missing, async () => {
      last = await read(id);
      return wanted(last) ? last : undefined;
    });
  };
  const post = async (id: string, what: string, wish: object) => {
    const body = JSON.stringify(wish);
    const response = await fetch(`${url}/sessions/${id}/${what}`, { method: 'POST', headers, body });
    return { status: response.status, body: await response.json() };
  };
  return {
    read,
    is,
    pending: (id: string) => is(id, session => session.pending !== null && session.pending !== undefined),
    post,
    answer: (id: string, answer: object) => post(id, 'answer', answer),
  };
}

/** Awaits the end of a turn: the prompt line is empty while one continues, too. */
async function idle(seat: Seat): Promise<void> {
  await seat.file(file => file.status === 'idle');
}

/** Awaits that no hook of a world waits for an answer any more. */
async function noWaiters({ root }: World, ms = 10_000): Promise<void> {
  await until(
    ms,
    () => 'a waiter is left',
    async () => (await waitersOf(root)).length === 0 || undefined,
  );
}
