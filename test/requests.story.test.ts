/** Several requests at once: each is shown, named by its id, and answered alone. */
import { describe, expect, test } from 'vitest';
import { versions } from './rig/cli.ts';
import { installPlugin } from './rig/plugin.ts';
import { heldSession, resultsOf } from './rig/requests.ts';

/** Nobody listens there: a fetch that is allowed fails at once. */
const URL_A = 'https://127.0.0.1:9/a';

describe.each(versions)('Claude Code %s', version => {
  test('two requests for one URL: both are shown, and an answer reaches the one that it names', async () => {
    const { story, hub, seat, id, held, waiters } = await heldSession(version);
    const short = id.slice(0, 8);
    await seat.type(`TOGETHER FETCH ${URL_A} one ;; FETCH ${URL_A} two`);
    const [first, second] = await held(2);
    expect([first?.input, second?.input]).toEqual([
      { url: URL_A, prompt: 'one' },
      { url: URL_A, prompt: 'two' },
    ]);
    await waiters(2);
    const list = `  ${first?.id}  WebFetch: ${URL_A}\n  ${second?.id}  WebFetch: ${URL_A}`;

    const show = (await story.drover('show', id)).stdout;
    expect(show).toContain('prompt: one');
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

    const denied = await story.drover('answer', id, 'deny', '--id', String(second?.id), '-m', 'not two');
    expect([denied.code, denied.stdout.trim()]).toEqual([0, `denied WebFetch: ${URL_A}`]);
    await waiters(1);
    expect(await held(1)).toMatchObject([{ id: first?.id, input: { prompt: 'one' } }]);
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
      resultsOf(body.messages).some(({ result }) => result.includes('not two')),
    );
    const results = resultsOf(body.messages);
    expect(results.map(({ input }) => input.prompt)).toEqual(['one', 'two']);
    expect(results[0]?.result).not.toContain('not two');
    expect(results[1]?.result).toContain('not two');
  });

  test('two equal requests stay two, also where plugin and settings both register the hooks', async () => {
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
});
