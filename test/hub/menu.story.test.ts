/** `drover menu`: answer menus by what is on the screen, several questions at once, and commands in a row. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { AskReport, Commands, MenuView } from '../../src/contract/menu.ts';
import { type Version, versions } from '../rig/cli.ts';
import { world } from '../rig/story.ts';
import type { Seat, SeatOptions } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';

/** Not what an earlier question left behind on the screen. */
const SIZE = /❯ 1\. Small/;
const EXTRAS = /❯ 1\. \[.\] Nuts/;

describe.each(versions)('Claude Code %s', version => {
  test('a permission and a prompt line: what does not match the screen is refused, and no key is pressed', async () => {
    const { story, seat, menu, json } = await sitting(version);
    expect(await menu('choose', '1')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('not a menu'),
    });
    expect(await menu('enter')).toMatchObject({ code: 6 });
    expect(await menu('esc')).toMatchObject({ code: 6 });
    expect(await menu('ask', 'Large')).toMatchObject({ code: 6 });

    expect(await json<MenuView>('type', 'RUN touch made')).toMatchObject({ draft: 'RUN touch made' });
    expect(await menu('type', 'more')).toMatchObject({ code: 6, stderr: expect.stringContaining('draft') });
    expect(await menu('submit')).toMatchObject({ code: 0 });
    await seat.sees('Do you want to proceed?');
    const shown = await json<MenuView>('snapshot');
    expect(shown).toMatchObject({ shows: 'menu', menu: { title: 'Do you want to proceed?' }, draft: null });
    expect(shown.menu?.options[0]).toEqual({ number: 1, label: 'Yes', selected: true, checked: null });
    for (const words of [
      ['choose', '9'],
      ['choose', 'Yes, and'.repeat(9)],
      ['choose', '1', '--expect', 'touch other'],
      ['submit'],
      ['type', 'words'],
    ])
      expect([words, (await menu(...words)).code]).toEqual([words, 6]);
    expect(await json<MenuView>('snapshot')).toEqual(shown);
    expect(await json<MenuView>('choose', 'No', '--expect', 'touch made')).toMatchObject({ shows: 'prompt' });
    await idle(seat);
    expect(existsSync(join(story.dir(), 'made'))).toBe(false);

    await seat.type('RUN touch second');
    await seat.sees('Do you want to proceed?');
    expect(await menu('esc')).toMatchObject({ code: 0 });
    await idle(seat);
    expect(existsSync(join(story.dir(), 'second'))).toBe(false);
    await seat.type('RUN touch third');
    await seat.sees('Do you want to proceed?');
    // A new dialog ignores keys for a moment: no story has to wait for that.
    expect(await menu('enter')).toMatchObject({ code: 0 });
    await idle(seat);
    expect(existsSync(join(story.dir(), 'third'))).toBe(true);
  });

  test('a plan: sent back with a comment, then approved', async () => {
    const { story, seat, menu, json } = await sitting(version, { permissionMode: 'plan' });
    await seat.type('PLAN');
    await seat.sees('Would you like to proceed?');
    expect(await menu('type', 'shorter, please')).toMatchObject({ code: 0 });
    expect(await menu('enter', '--expect', 'shorter, please')).toMatchObject({ code: 0 });
    await story.model.asked(({ body }) => JSON.stringify(body.messages).includes('shorter, please'));
    await idle(seat);
    await seat.type('PLAN');
    await seat.sees('Would you like to proceed?');
    expect(await json<MenuView>('choose', 'Yes, manually')).toMatchObject({ shows: 'prompt' });
    await idle(seat);
    await until(
      10_000,
      () => 'plan mode is still on',
      async () => !(await seat.screen()).includes('plan mode on') || undefined,
    );
  });

  test('two questions at once, by keys with free text, and through the held hook; one with several answers', async () => {
    const { story, seat, menu, json, id, knows } = await sitting(version);
    await seat.type('ASK2');
    await seat.sees(SIZE);
    await knows(text => text.includes('"reason":"question"'));
    expect(await menu('ask', 'Large')).toMatchObject({ code: 2 });
    expect(await json<AskReport>('ask', 'as large as a barn', '2,oat drink')).toMatchObject({
      by: 'keys',
      verdict: 'matched',
      answers: [
        { question: 'Which size?', taken: 'as large as a barn' },
        { question: 'Which extras?', taken: 'Milk, oat drink' },
      ],
    });
    await idle(seat);
    await seat.type('ASK');
    await seat.sees(SIZE);
    await knows(text => text.includes('"reason":"question"'));
    expect(await menu('ask', '2')).toMatchObject({ code: 0, stdout: 'Which size? Large\n' });
    await idle(seat);
    await seat.type('TICK');
    await seat.sees(EXTRAS);
    await knows(text => text.includes('"reason":"question"'));
    expect(await json<AskReport>('ask', 'Nuts,2')).toMatchObject({
      by: 'keys',
      verdict: 'matched',
      answers: [{ question: 'Which extras?', given: 'Nuts, Milk', taken: 'Nuts, Milk' }],
    });
    await idle(seat);

    await story.drover('hold', id);
    await seat.type('ASK2');
    await seat.sees(SIZE);
    await knows(text => text.includes('"reason":"question"'));
    await knows(text => !text.includes('"pending":null'));
    expect(await json<AskReport>('ask', 'Small', 'Milk,Nuts')).toMatchObject({
      by: 'hook',
      verdict: 'matched',
    });
    await idle(seat);
    const { stdout } = await story.drover('events', '--json', '--last', '1000');
    expect(stdout.match(/"AskAnswered"/g)).toHaveLength(4);
  });

  test('commands one after the other: /clear, then a prompt; typing by a person cancels the rest', async () => {
    const { story, seat, json, id } = await sitting(version);
    await seat.type('SAY before');
    await seat.sees('● before');
    await idle(seat);
    const cleared = await json<Commands>('queue', '/clear', 'SAY after', 'SAY last');
    expect(cleared).toMatchObject({
      status: 'done',
      reason: null,
      steps: [
        { command: '/clear', status: 'done', awaits: 'SessionStart(clear)' },
        { command: 'SAY after', status: 'done', awaits: 'Stop', result: 'after' },
        { command: 'SAY last', status: 'done', awaits: 'Stop', result: 'last' },
      ],
    });
    expect(cleared.sessionId).not.toBe(id);
    expect(await seat.screen()).not.toContain('SAY before');
    expect(story.model.requests.filter(({ prompt }) => prompt === 'SAY after')).toHaveLength(1);

    const again = await story.drover('menu', cleared.sessionId, 'clear_then', 'SAY again', '--json');
    const { steps, sessionId } = JSON.parse(again.stdout) as Commands;
    expect(steps).toMatchObject([{ command: '/clear' }, { command: 'SAY again', result: 'again' }]);
    const now = (...words: string[]) => story.drover('menu', sessionId, ...words);
    expect(await now('queue', 'SLEEP 12000 SAY slow', 'SAY never', '--no-wait')).toMatchObject({ code: 0 });
    await story.model.asked(({ body }) => JSON.stringify(body.messages).includes('SLEEP 12000'));
    expect(await now('queue', 'SAY other')).toMatchObject({ code: 6 });
    await seat.type('SAY mine');
    await seat.sees('● mine', 30_000);
    const { stdout } = await now('queue', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'cancelled',
      reason: 'Somebody else sent a prompt.',
      steps: [{}, { command: 'SAY never', status: 'cancelled' }],
    });
    await idle(seat);
    expect(story.model.requests.map(({ prompt }) => prompt)).not.toContain('SAY never');
  });
});

/** A person's session, a daemon that may drive it, and `drover menu` on it. */
async function sitting(version: Version, options: SeatOptions = {}) {
  const story = await world({ version });
  await story.drover('setup');
  writeFileSync(
    join(story.droverHome, 'config.json'),
    JSON.stringify({ drive: 'all', approvals: 'terminal' }),
  );
  await story.daemon();
  const seat = await story.claude(options);
  await seat.ready();
  const { sessionId: id } = await seat.file(file => file.status === 'idle');
  const menu = (...words: string[]) => story.drover('menu', shortId(id), ...words);
  const json = async <T>(...words: string[]): Promise<T> => {
    const { code, stdout, stderr } = await menu(...words, '--json');
    expect([words, code, stderr, stdout]).toEqual([words, 0, '', expect.any(String)]);
    return JSON.parse(stdout) as T;
  };
  /** Waits until the daemon knows what the screen already shows: hooks arrive a moment later. */
  const knows = (wanted: (session: string) => boolean) =>
    until(
      10_000,
      () => 'the daemon does not know of it',
      async () => wanted((await story.drover('show', id, '--json')).stdout) || undefined,
    );
  return { story, seat, menu, json, id, knows };
}

/** Awaits the end of a turn. */
async function idle(seat: Seat): Promise<void> {
  await seat.file(file => file.status === 'idle');
}
