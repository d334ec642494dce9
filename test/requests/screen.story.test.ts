/** Requests that no hook holds, answered through Drover by keys in their dialogs. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { RequestPage } from '../../src/contract/answer.ts';
import type { SessionList } from '../../src/contract/api.ts';
import { type Version, versions } from '../rig/cli.ts';
import { elicitationArgs } from '../rig/elicit.ts';
import { hubOf } from '../rig/hub.ts';
import { resultsOf } from '../rig/requests.ts';
import { world } from '../rig/story.ts';
import type { Seat, SeatOptions } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';

/** A session whose requests are answered by keys. */
const opened = async (version: Version, options: SeatOptions = {}) => {
  const story = await world({ version, approvals: 'terminal' });
  await story.drover('setup');
  // The message of an answer by keys is sent as a prompt.
  mkdirSync(story.droverHome, { recursive: true });
  writeFileSync(
    join(story.droverHome, 'config.json'),
    JSON.stringify({ approvals: 'terminal', drive: 'all' }),
  );
  const hub = await hubOf(story);
  const seat = await story.claude({ args: elicitationArgs('elicit'), ...options });
  await seat.ready();
  const { sessionId: id } = await seat.file(file => file.status === 'idle');
  await hub.is(id, ({ state }) => state === 'ready');
  const requests = async (count: number, ms = 20_000) =>
    (await hub.is(id, session => session.requests.length === count, ms)).requests;
  return {
    ...story,
    hub,
    seat,
    id,
    requests,
    /** Sends a script, and awaits its only request. */
    asks: async (script: string): Promise<RequestPage> => {
      await seat.type(script);
      const [request] = await requests(1);
      return (await hub.ask<RequestPage>('GET', `/sessions/${id}/requests/${request?.id}`)).body;
    },
    read: async (request: number | undefined) =>
      (await hub.ask<RequestPage>('GET', `/sessions/${id}/requests/${request}`)).body,
    answer: (body: object) => hub.answer(id, body),
    idle: () => seat.file(file => file.status === 'idle'),
    /** Awaits a prompt that the model is given. */
    told: (text: string) => story.model.asked(({ prompt }) => prompt?.includes(text) === true),
    /** The result of the newest tool call, as the model got it. */
    result: () =>
      resultsOf(
        (story.model.requests.findLast(({ body }) => (body.tools?.length ?? 0) > 2)?.body ?? { messages: [] })
          .messages,
      ).at(-1)?.result ?? '',
  };
};

const byScreen = (choice: string) => ({ status: 200, body: { way: 'screen', choice } });

describe.each(versions)('Claude Code %s', version => {
  test('permissions: allowed once, denied with a message, allowed for good, and never the wrong one', async () => {
    const { seat, asks, answer, idle, dir, requests, read, told, tmux, drover, id } = await opened(version);
    const made = await asks('RUN touch made');
    expect(made).toMatchObject({ way: 'screen', input: { command: 'touch made' } });
    expect(made.choices.map(({ choice }) => choice)).toEqual([
      'allow',
      'allow_always',
      ...(version !== '2.1.197' ? ['allow_auto_mode'] : []),
      'deny',
    ]);
    expect(made.choices[1]?.rule).toMatch(/access to .*project/);
    // The first effect wins, and the other caller gets an error.
    const race = await Promise.all(['allow', 'deny'].map(choice => answer({ id: made.id, choice })));
    expect(race).toMatchObject([
      byScreen('allow'),
      { status: 409, body: { error: { code: 'request_gone' } } },
    ]);
    await idle();
    expect(existsSync(join(dir(), 'made'))).toBe(true);
    expect(await answer({ id: made.id, behavior: 'allow' })).toMatchObject({
      status: 409,
      body: { error: { code: 'request_gone', message: expect.stringContaining('allowed through Drover') } },
    });

    const other = await asks('RUN touch other');
    const denied = await answer({ id: other.id, behavior: 'deny', message: 'call it 2nd, please' });
    expect(denied).toMatchObject(byScreen('deny'));
    await told('call it 2nd, please');
    await idle();
    expect(existsSync(join(dir(), 'other'))).toBe(false);

    // Somebody at the terminal moves the selection.
    const moved = await asks('RUN touch moved');
    await seat.asks('Do you want to proceed?');
    await seat.press('Down');
    await seat.sees('❯ 2.');
    const busy = new AbortController();
    const person = movesSelection(seat, busy.signal);
    expect(await answer({ id: moved.id, choice: 'allow' }).then(pressed(seat))).toMatchObject({
      status: 409,
      body: { error: { message: 'Someone is using that terminal.' } },
    });
    busy.abort();
    await person;
    await pauseFor(2_200);
    // The digit means the same wherever the selection is. In copy mode keys would go to tmux.
    await tmux(['copy-mode', '-t', seat.pane]);
    expect(await answer({ id: moved.id, choice: 'deny' })).toMatchObject(byScreen('deny'));
    await tmux(['send-keys', '-t', seat.pane, '-X', 'cancel']);
    await idle();
    expect(existsSync(join(dir(), 'moved'))).toBe(false);

    // A dialog that does not fit on the screen.
    await seat.type('RUN touch tall');
    const [tall] = await requests(1);
    await seat.sees('Do you want to proceed?');
    await tmux(['resize-window', '-t', seat.pane, '-x', '80', '-y', '7']);
    await until(
      5_000,
      () => 'the dialog is not cut',
      async () =>
        /^(?![\s\S]*Bash command)[\s\S]*Do you want to proceed/.test(await seat.screen()) || undefined,
    );
    expect(await answer({ id: tall?.id, choice: 'allow' })).toMatchObject({
      status: 409,
      body: { error: { code: 'refused', message: expect.stringContaining('Do you want to proceed?') } },
    });
    expect((await read(tall?.id)).way).toBe('none');
    await tmux(['resize-window', '-t', seat.pane, '-x', '70', '-y', '40']);
    await seat.sees('Bash command');
    // A session that is named by its project is answered only after a question, which needs a terminal.
    const byName = await drover('answer', 'project', 'allow');
    expect([byName.code, byName.stderr]).toEqual([
      5,
      expect.stringContaining(`\`drover answer ${shortId(id)} allow\``),
    ]);
    expect((await drover('show', id)).stdout).toContain(`--id ${tall?.id}\` lists the choices`);
    expect((await drover('answer', id, 'allow')).stdout).toBe('allowed Bash: touch tall\n');
    await idle();
    expect(existsSync(join(dir(), 'tall'))).toBe(true);

    // Two that look the same, and two that differ.
    await seat.type('TOGETHER FETCH https://127.0.0.1:9/a ;; FETCH https://127.0.0.1:9/a');
    const [twin] = await requests(2);
    expect(await answer({ id: twin?.id, choice: 'allow' })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('2 open requests look the same') } },
    });
    // 2.1.325 closes both with one key, 2.1.197 each with its own.
    await until(
      20_000,
      () => 'the dialogs do not close',
      async () => {
        if ((await seat.screen()).includes('Do you want')) await seat.press('Escape');
        await pauseFor(500);
        return (await requests(0, 100).catch(() => undefined)) && true;
      },
    );
    await idle();
    await seat.type('TOGETHER FETCH https://127.0.0.1:9/b ;; FETCH https://127.0.0.1:9/c');
    const both = await requests(2);
    const pages = await until(
      10_000,
      () => 'no dialog is shown',
      async () => {
        const found = await Promise.all(both.map(request => read(request.id)));
        return found.some(({ way }) => way === 'screen') ? found : undefined;
      },
    );
    expect(pages.map(({ way }) => way).sort()).toEqual(['none', 'screen']);
    const shown = pages.find(({ way }) => way === 'screen');
    const hidden = both.find(request => request.id !== shown?.id);
    expect(await answer({ id: hidden?.id, choice: 'allow' })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('shows another request first') } },
    });
    expect(shown?.choices[1]?.rule).toContain('WebFetch(domain:127.0.0.1)');
    expect(await answer({ id: shown?.id, choice: 'allow' })).toMatchObject(byScreen('allow'));
    expect(await answer({ id: hidden?.id, choice: 'allow_always' })).toMatchObject(byScreen('allow_always'));
    await idle();
    await seat.type('FETCH https://127.0.0.1:9/d');
    await idle();
    expect(await seat.screen()).not.toContain('Do you want to allow');
  });

  test("“allow and don't ask again” does what its rule says", async () => {
    const { asks, answer, idle, seat, hub, id } = await opened(version);
    const made = await asks('RUN touch made');
    const setsMode = version === '2.1.197';
    const mode = 'permission mode acceptEdits';
    expect(made.choices[1]?.rule).toEqual(
      setsMode ? expect.stringContaining(mode) : expect.not.stringContaining(mode),
    );
    expect(await answer({ id: made.id, choice: 'allow_always' })).toMatchObject(byScreen('allow_always'));
    await idle();
    if (setsMode) {
      await seat.type('RUN touch more');
      await seat.sees(/touch more[\s\S]*● done/);
    } else expect(await asks('RUN touch more')).toMatchObject({ line: 'Bash: touch more' });
    await hub.is(id, session => session.permissionMode === (setsMode ? 'acceptEdits' : 'default'));
  });

  test('questions, and the form of an MCP server', async () => {
    const { asks, answer, idle, result, requests, drover, id } = await opened(version);
    const one = await asks('ASK');
    expect(one).toMatchObject({ way: 'screen', choices: [{ choice: 'answer' }, { choice: 'deny' }] });
    expect((await drover('answer', id)).stdout).toMatch(
      /Which size\?\n[\s\S]*1\. Small: Fits in a pocket\n[\s\S]*<answer> /,
    );
    expect(await answer({ id: one.id, answers: { Size: 'Large' } })).toMatchObject(byScreen('answer'));
    await idle();
    expect(result()).toContain('Large');
    const own = await asks('ASK');
    expect(await answer({ id: own.id, answers: { Size: 'as 2 barns' } })).toMatchObject(byScreen('answer'));
    await idle();
    expect(result()).toContain('as 2 barns');
    const two = await asks('ASK2');
    const both = { 'Which size?': 'Small', Extras: ['Nuts', 'oat drink'] };
    expect(await answer({ id: two.id, answers: both })).toMatchObject(byScreen('answer'));
    await idle();
    expect(result()).toMatch(/Small[\s\S]*Nuts, oat drink/);
    const none = await asks('ASK');
    expect(await answer({ id: none.id, behavior: 'deny' })).toMatchObject(byScreen('deny'));
    await idle();

    for (const [choice, values, told] of [
      ['accept', { colour: 'blue 1' }, '"action\\\\\\":\\\\\\"accept'],
      ['decline', undefined, 'decline'],
      ['cancel', undefined, 'cancel'],
    ] as const) {
      const tool = await asks('MCP elicit ask');
      expect(await answer({ id: tool.id, choice: 'allow' })).toMatchObject(byScreen('allow'));
      const form = await until(
        15_000,
        () => 'no form',
        async () => {
          const [request] = await requests(1);
          return request?.kind === 'elicitation' ? request : undefined;
        },
      );
      expect(await answer({ id: form.id, choice, ...(values && { values }) })).toMatchObject(
        byScreen(choice),
      );
      await idle();
      expect(result()).toContain(choice);
      if (values) expect(result()).toContain('blue 1');
      void told;
    }
  });

  test('a form with fields of every kind is filled in, and a value that does not fit presses nothing', async () => {
    const { asks, answer, idle, result, requests, seat } = await opened(version);
    const tool = await asks('MCP elicit order');
    expect(await answer({ id: tool.id, choice: 'allow' })).toMatchObject(byScreen('allow'));
    await seat.sees('What shall it be?');
    const [form] = await requests(1);
    const give = (values: object) => answer({ id: form?.id, choice: 'accept', values });
    expect(await give({ name: 'Ann', size: 'huge', gift: false })).toMatchObject({
      status: 400,
      body: { error: { hint: 'It can be Small one, Medium one, Large one.' } },
    });
    expect(await seat.screen()).not.toContain('Ann');
    const values = { name: 'Ann', size: 'Large one', gift: 'no', hurry: true, count: 3 };
    expect(await give(values)).toMatchObject(byScreen('accept'));
    await idle();
    const given = { name: 'Ann', size: 'l', gift: false, hurry: true, count: 3 };
    const [, content = '{}'] = /"content\W+(\{[^}]*\})/.exec(result()) ?? [];
    expect(JSON.parse(content.replaceAll('\\', ''))).toEqual(given);
  });

  test('plans: kept with a message, and approved in the mode that was chosen', async () => {
    const { asks, answer, read, idle, hub, id, told, drover, seat } = await opened(version, {
      permissionMode: 'plan',
    });
    const script = 'PLAN # The *plan*\n\n1. Write `a`\n2. See [docs](https://x.example/y)';
    const plan = await asks(script);
    expect(plan.choices.map(({ choice }) => choice)).toEqual(['plan:auto', 'plan:default', 'keep_planning']);
    const kept = await answer({ id: plan.id, choice: 'keep_planning', message: 'add 1 test' });
    expect(kept).toMatchObject(byScreen('keep_planning'));
    await told('add 1 test');
    await idle();
    // Its hook can approve a plan, but not choose the mode: then it is released, and the terminal is used.
    expect((await drover('hold', '--all')).stdout).toContain('1 session changed. Every session is held');
    await asks(script);
    await seat.sees('Would you like to proceed');
    const again = await read((await hub.pending(id)).pending?.id);
    expect(again).toMatchObject({ way: 'hook' });
    expect(again.choices.map(({ choice }) => choice)).toEqual(['plan:auto', 'plan:default', 'keep_planning']);
    expect(await answer({ id: again.id, choice: 'plan:default' })).toMatchObject(byScreen('plan:default'));
    await hub.is(id, ({ permissionMode }) => permissionMode === 'default');
    await idle();
  });
});

describe.each(versions)('Claude Code %s', version => {
  test('the dialog about a new folder: only for a person, who has confirmed what it does', async () => {
    const story = await world({ version, approvals: 'terminal' });
    await story.drover('setup');
    const hub = await hubOf(story);
    const dir = join(story.home, 'stranger');
    mkdirSync(dir);
    const seat = await story.claude({ dir });
    await seat.sees('trust this folder');
    const session = await until(
      10_000,
      () => 'no dialog is known',
      async () => {
        const { body } = await hub.ask<SessionList>('GET', '/sessions?live=1');
        return body.sessions.find(({ reason, requests }) => reason === 'dialog' && requests.length === 1);
      },
    );
    const [request] = session.requests;
    const { body } = await hub.ask<RequestPage>('GET', `/sessions/${session.id}/requests/${request?.id}`);
    expect(body.way).toBe('screen');
    const trust = body.choices.find(({ label }) => label.startsWith('Yes'));
    expect(trust?.confirm).toContain(`Claude Code may read, change and run files in ${dir}`);
    const choice = trust?.choice ?? '';
    expect(await hub.answer(session.id, { id: request?.id, choice, confirmed: true })).toMatchObject({
      status: 409,
      body: { error: { message: 'Only a person may answer this dialog.' } },
    });
    const unconfirmed = await story.drover('answer', session.id, choice);
    expect([unconfirmed.code, unconfirmed.stderr]).toEqual([
      6,
      expect.stringContaining('may read, change and run'),
    ]);
    expect(await seat.screen()).toContain('trust this folder');
    expect(await story.drover('answer', session.id, choice, '--yes')).toMatchObject({ code: 0 });
    await seat.ready();
  });
});

/** Somebody who moves the selection between the second and the third option until they are told to stop. */
const movesSelection = async (seat: Seat, stop: AbortSignal): Promise<void> => {
  for (let isUp = false; !stop.aborted; isUp = !isUp) {
    await seat.press(isUp ? 'Up' : 'Down');
    await pauseFor(150);
  }
};

/** Nothing was pressed when an answer was refused: the dialog is still there. */
const pressed =
  ({ screen }: { screen: () => Promise<string> }) =>
  async <T>(said: T): Promise<T> => {
    expect(await screen()).toContain('Do you want to proceed?');
    return said;
  };
