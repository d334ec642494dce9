/** Several requests at once: each is shown, has an id, and is answered by itself. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { oldest, versions } from '../rig/cli.ts';
import { installPlugin } from '../rig/plugin.ts';
import { heldSession, resultsOf } from '../rig/requests.ts';
import { until } from '../rig/within.ts';

/** Nothing listens there: an allowed fetch fails at once. */
const URL_A = 'https://127.0.0.1:9/a';

describe.each(versions)('Claude Code %s', version => {
  test('two requests for one URL: both are shown, and an answer reaches the one that it names', async () => {
    const { story, hub, seat, id, held, waiters } = await heldSession(version);
    const short = shortId(id);
    await seat.type(`TOGETHER FETCH ${URL_A} one ;; FETCH ${URL_A} two`);
    const [first, second] = await held(2);
    // Which of their hooks is faster is not said.
    const prompts = [String(first?.input?.prompt), String(second?.input?.prompt)];
    expect([first?.input?.url, second?.input?.url, ...prompts.toSorted()]).toEqual([
      URL_A,
      URL_A,
      'one',
      'two',
    ]);
    await waiters(2);
    const list = `  ${first?.id}  WebFetch: ${URL_A}\n  ${second?.id}  WebFetch: ${URL_A}`;

    const show = (await story.drover('show', id)).stdout;
    expect(show).toContain(`prompt: ${prompts[0]}`);
    expect(show).toContain(`1 more open request:\n  ${second?.id}  WebFetch: ${URL_A}`);
    expect(show).toContain(`drover answer ${short} allow|deny --id ${first?.id}`);
    expect((await story.drover('ls')).stdout).toContain(`(2 requests) WebFetch: ${URL_A}`);

    const unnamed = await hub.answer(id, { behavior: 'allow' });
    expect(unnamed).toMatchObject({
      status: 409,
      body: { error: { code: 'several_requests', message: `2 requests are open:\n${list}` } },
    });
    const words = await story.drover('answer', id, 'allow');
    expect([words.code, words.stdout]).toEqual([6, '']);
    expect(words.stderr).toContain(list);
    await waiters(2);

    const denied = await story.drover('answer', id, 'deny', '--id', String(second?.id), '-m', 'not this');
    expect([denied.code, denied.stdout.trim()]).toEqual([0, `denied WebFetch: ${URL_A}`]);
    await waiters(1);
    expect(await held(1)).toMatchObject([{ id: first?.id, input: { prompt: prompts[0] } }]);
    expect(await hub.answer(id, { behavior: 'allow', id: second?.id })).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'request_gone',
          message: expect.stringMatching(/^Already denied through Drover/) as string,
        },
      },
    });
    // Only one is open now: it need not be named.
    expect(await hub.answer(id, { behavior: 'allow' })).toMatchObject({
      status: 200,
      body: { id: first?.id },
    });
    await waiters(0);
    const { body } = await story.model.asked(({ body }) =>
      resultsOf(body.messages).some(({ result }) => result.includes('not this')),
    );
    const results = resultsOf(body.messages);
    expect(results.map(({ input, result }) => [input.prompt, result.includes('not this')])).toEqual([
      ['one', prompts[1] === 'one'],
      ['two', prompts[1] === 'two'],
    ]);
  });

  test('two equal requests stay two, even if plugin and settings both register the hooks', async () => {
    const { story, hub, seat, id, held, waiters } = await heldSession(version, { prepare: installPlugin });
    await seat.type(`TOGETHER FETCH ${URL_A} same ;; FETCH ${URL_A} same`);
    const [first, second] = await held(2);
    // The hooks of one registration wait; those of the other have left.
    await waiters(2);
    expect(first?.input).toEqual(second?.input);
    await hub.answer(id, { behavior: 'deny', message: 'not the second', id: second?.id });
    await waiters(1);
    expect(await held(1)).toMatchObject([{ id: first?.id }]);
    await seat.sees(URL_A);
    await hub.answer(id, { behavior: 'deny', message: 'nor the first', id: first?.id });
    await waiters(0);
    const { body } = await story.model.asked(({ body }) =>
      JSON.stringify(body.messages).includes('nor the first'),
    );
    const results = resultsOf(body.messages).map(({ result }) => result);
    expect(results.filter(result => result.includes('not the second'))).toHaveLength(1);
    expect(results.filter(result => result.includes('nor the first'))).toHaveLength(1);
  });

  test('25 requests at once: all are listed, and each is answered once, by its id, in any order', async () => {
    const { story, hub, seat, id, held, waiters } = await heldSession(version);
    await seat.type('TOGETHER 25 x FETCH https://127.0.0.1:9/# p');
    const requests = await held(25);
    expect(new Set(requests.map(({ input }) => input?.url)).size).toBe(25);
    await waiters(25);
    // Every third one, until all are answered: neither oldest nor newest first.
    const order = requests.map((_, n) => requests[(n * 3) % 25]);
    for (const [n, request] of order.entries()) {
      const message = `no to ${request?.id}`;
      const answer = n % 5 ? { behavior: 'deny', message } : { behavior: 'allow' };
      expect(await hub.answer(id, { ...answer, id: request?.id })).toMatchObject({
        status: 200,
        body: { id: request?.id, line: `WebFetch: ${String(request?.input?.url)}` },
      });
      expect((await hub.answer(id, { behavior: 'allow', id: request?.id })).status).toBe(409);
    }
    await waiters(0);
    const isOver = (messages: unknown) => {
      const results = resultsOf(messages);
      return results.length === 25 && results.every(({ result }) => result !== '');
    };
    const { body } = await story.model.asked(asked => isOver(asked.body.messages));
    for (const { input, result } of resultsOf(body.messages)) {
      const request = requests.find(one => one.input?.url === input.url);
      const isAllowed = order.indexOf(request) % 5 === 0;
      expect([input.url, /no to (\d+)/.exec(result)?.[1]]).toEqual([
        input.url,
        isAllowed ? undefined : String(request?.id),
      ]);
    }
    await hub.is(id, session => session.requests.length === 0);
  });

  test('an answer that races with the terminal: one wins, and the other is reported', async () => {
    const { story, hub, seat, id, held } = await heldSession(version);
    for (let round = 0; round < 8; round++) {
      const name = `race-${round}`;
      await seat.type(`RUN touch ${name}`);
      const [request] = await held(1);
      await seat.asks(new RegExp(`touch ${name}[\\s\\S]*Do you want to proceed\\?`));
      // Enter allows; the other answer denies, so the result shows who won.
      const press = async () => {
        if (round % 2) await pause(round * 10);
        await seat.press('Enter');
      };
      const deny = async () => {
        if (round % 2 === 0) await pause(round * 10);
        return hub.answer(id, { behavior: 'deny', id: request?.id });
      };
      const [, { status, body }] = await Promise.all([press(), deny()]);
      // The turn is over, and all that happened in it is known.
      await hub.is(id, ({ reason }) => reason === 'stopped', 15_000);
      const isMade = existsSync(join(story.dir(), name));
      const again = await hub.answer(id, { behavior: 'deny', id: request?.id });
      expect([again.status, again.body.error?.code]).toEqual([409, 'request_gone']);
      expect(again.body.error?.message).toMatch(
        isMade ? /^Already allowed in the terminal/ : /^Already denied through Drover/,
      );
      if (status !== 200) expect(body.error?.message).toMatch(/^Already (allowed|answered) in the terminal/);
      await seat.ready();
    }
  });
});

// In later versions the dialog of a subagent appears only after its hook, which is let go at once.
describe.each(versions.filter(version => version === oldest))('Claude Code %s alone', version => {
  test("one subagent's hold expires while another is held: every surface shows what an answer reaches", async () => {
    const held = await heldSession(version, { config: { hold: { minutes: 0.1 } } });
    const { story, hub, seat, id, waiters } = held;
    await seat.type('TOGETHER AGENT RUN touch one ;; AGENT SLEEP 9000 RUN touch two');
    const first = (await hub.pending(id)).pending;
    expect(first?.input).toMatchObject({ command: 'touch one' });
    await hub.is(id, ({ pending, requests }) => pending === null && requests.length === 1, 12_000);
    const { requests, pending, detail } = await hub.is(
      id,
      session => session.requests.length === 2 && session.pending !== null,
      15_000,
    );
    expect(requests.map(({ input, until: to }) => [input?.command, to !== null])).toEqual([
      ['touch two', true],
      ['touch one', false],
    ]);
    const [second] = requests;
    expect([pending?.id, detail?.request, detail?.line]).toEqual([second?.id, second?.id, 'Bash: touch two']);
    const show = (await story.drover('show', id)).stdout;
    expect(show).toMatch(/It asks to use Bash \(subagent general-purpose\):\n\n.*touch two/);
    expect(show).toContain(`  ${first?.id}  Bash: touch one (subagent general-purpose)`);
    expect((await story.drover('ls')).stdout).toContain('(2 requests) Bash: touch two');
    const late = await story.drover('answer', id, 'allow', '--id', String(first?.id));
    // The newest dialog is on the screen, so the other one cannot be answered there.
    expect([late.code, late.stderr]).toMatchObject([
      6,
      expect.stringContaining('The terminal shows another request first: Bash: touch two') as string,
    ]);
    expect((await story.drover('answer', id, 'allow')).code).toBe(6);
    const denied = await story.drover('answer', id, 'deny', '--id', String(second?.id));
    expect(denied.stdout.trim()).toBe('denied Bash: touch two');
    await waiters(0);
    await seat.asks(/Bash command[^?]*touch one[^?]*Do you want to proceed\?/);
    expect((await story.drover('answer', id, 'allow')).stdout).toBe('allowed Bash: touch one\n');
    await until(
      15_000,
      () => 'nothing was made',
      async () => existsSync(join(story.dir(), 'one')) || undefined,
    );
    expect(existsSync(join(story.dir(), 'two'))).toBe(false);
  });
});
