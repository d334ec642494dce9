/** The answer panel in a tmux popup: answers without leaving the pane, and the daily work on the board. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/limits.ts';
import { edges } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hubOf } from '../rig/hub.ts';
import { attached, paneOf, awaitPane, screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import { awaitOption } from '../rig/terminal.ts';

describe.each(edges)('Claude Code %s', version => {
  test('prefix A answers the first request in a popup, and the person stays where they are', async () => {
    const opened = await world({ version, projects: ['shop'] });
    const { claude, drover, tmux, dir } = opened;
    await drover('setup');
    const hub = await hubOf(opened);
    await tmux(['new-session', '-d', '-s', 'desk', '-x', '110', '-y', '40', 'sh']);
    await drover('setup', '--tmux');
    const seat = await claude({ dir: dir('shop') });
    await seat.ready();
    const { sessionId: id } = await seat.file(file => file.status === 'idle');
    await hub.is(id, ({ state }) => state === 'ready');
    const person = await attached(opened, 'desk', { columns: 80, rows: 24 });
    await person.sees('[desk]');
    const here = await paneOf(opened, person);
    const closed = () => person.misses(/[┌┘]/);

    await person.press('C-b', 'A');
    await person.sees('Nothing is waiting. 0 working.');
    await person.press('Escape');
    await closed();

    // No hook holds it: the answer is pressed in its dialog.
    await seat.type('RUN touch made');
    await hub.is(id, ({ requests }) => requests.length === 1);
    await seat.asks('Do you want to proceed?');
    await person.press('C-b', 'A');
    await person.sees(/Allow Bash in shop\?[\s\S]*touch made[\s\S]*\(•\) 1\. [\s\S]*[\s\S]*Enter send/);
    await pauseFor(limits.board.confirmDelay);
    await person.press('Enter');
    await closed();
    await hub.is(id, ({ reason }) => reason === 'stopped');
    expect(existsSync(join(dir('shop'), 'made'))).toBe(true);

    await person.resize(110, 40);

    // A question that a hook holds: a digit chooses, and Esc leaves it open.
    await drover('hold', id);
    await seat.type('ASK');
    await hub.pending(id);
    await person.press('C-b', 'A');
    await person.sees(/A question in shop[\s\S]*Which size\?[\s\S]*\( \) 1\. [\s\S]*1-9 choose/);
    await person.press('2');
    await person.sees(/\(•\) 2\. /);
    await person.press('Escape');
    await closed();
    expect((await hub.read(id)).requests).toHaveLength(1);
    await person.press('C-b', 'A');
    await person.sees('1-9 choose');
    await person.press('2');
    await person.sees(/\(•\) 2\. /);
    await pauseFor(limits.board.confirmDelay);
    await person.press('Enter');
    await closed();
    await hub.is(id, ({ reason }) => reason === 'stopped');
    await opened.model.asked(({ body }) =>
      /Which size\?[^}]*Large/.test(JSON.stringify(body.messages.at(-1))),
    );
    expect(await paneOf(opened, person)).toBe(here);

    // Done until somebody looks at it.
    expect((await drover('ls')).stdout).toMatch(/\[⏸\] .*done/);
    await awaitOption(opened, '@drover_1', seat.pane);
    await person.press('C-b', 'Tab');
    await awaitPane(opened, person, seat.pane);
    await hub.is(id, ({ deferral }) => deferral !== null && deferral.seen !== null, 20_000);
    expect((await drover('ls')).stdout).toMatch(/\[⏸\] .*idle/);
  });

  test('a session that was started by hand takes messages and interrupts from the board, and none from a command', async () => {
    const opened = await world({ version });
    await opened.drover('setup');
    const hub = await hubOf(opened);
    const seat = await opened.claude();
    await seat.ready();
    const { sessionId: id } = await seat.file(file => file.status === 'idle');
    await hub.is(id, ({ state }) => state === 'ready');
    const refused = await opened.drover('send', id, 'SAY no');
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('`drover drive ')]);
    const board = await screenOf(opened, [process.execPath, MAIN]);
    await board.sees(/> +\[⏸\] new/);
    await board.press('m');
    await board.sees('Message to project:');
    await board.paste('SLEEP 60000 SAY late');
    await board.press('Enter');
    await board.sees('Message sent.', 30_000);
    await board.sees(/> +\[▶\] working/);
    await board.press('i');
    await board.sees('Interrupt project?');
    await pauseFor(limits.board.confirmDelay);
    await board.press('Enter');
    await board.sees(/\[⏸\] interrupted/, 20_000);
    expect((await hub.ask<{ driven: boolean }>('GET', `/sessions/${id}`)).body.driven).toBe(false);
  });

  test('a day on the board: new session, message, title, tags, marks, undo, interrupt', async () => {
    const opened = await world({ version, projects: ['shop', 'blog'] });
    writeFileSync(join(opened.droverHome, 'config.json'), JSON.stringify({ drive: 'all' }));
    await opened.drover('setup');
    const hub = await hubOf(opened);
    const { body: known } = await hub.create({ cwd: opened.dir('shop'), prompt: 'SAY first' });
    await hub.is(known.id, ({ reason }) => reason === 'stopped');
    const board = await screenOf(opened, [process.execPath, MAIN], { columns: 100, rows: 30 });
    await board.sees(/> 1 \[⏸\] \S+ done/);

    // A new session in a project that is found by some of its letters.
    await board.press('N');
    await board.sees(/New session[\s\S]*shop/);
    await board.press('s', 'p');
    await board.sees('Project  sp');
    await board.press('Enter');
    await board.sees(/> Prompt/);
    await board.paste('SAY second');
    await board.sees('SAY second');
    await board.press('Enter');
    await board.sees(/Started [0-9a-f]{8}\./, 30_000);
    await board.sees(/2 waiting/, 30_000);

    // Both at once: skipped and restored.
    await board.press('g', 'g');
    await board.press('Space');
    await board.sees('1 marked');
    await board.press('Space');
    await board.sees('2 marked');
    await board.press('s');
    await board.sees('Skipped 2 of 2 sessions.');
    await board.sees('2 deferred');
    await board.press('u');
    await board.sees('Requeued 2 of 2 sessions.');
    await board.sees('2 waiting');

    await board.press('1');
    await board.press('e');
    await board.sees('Title of');
    await board.paste('Checkout');
    await board.press('Enter');
    await board.sees(/(?:done|idle) +\d+ s +Checkout/);
    // A row that is selected for a while counts as seen.
    await board.press('1');
    await board.sees(/> 1 \[⏸\] \S+ idle/);
    await board.press('t');
    await board.sees('Tags of Checkout:');
    await board.paste('urgent');
    await board.press('Enter');
    await board.sees('#urgent');

    // The page opens at the selected session. Without a browser the address is shown.
    await board.press('o');
    await board.sees(/Open this within two minutes: [\s\S]*#ticket=[\w-]+\n?[\w-]*\/s\/[0-9a-f\n-]{36,}/);

    // A message with its receipt, and an interrupt that is asked about first.
    await board.press('m');
    await board.sees('Message to Checkout:');
    await board.paste('SLEEP 60000 SAY late');
    await board.press('Enter');
    await board.sees('Message sent. The session is working on it.', 30_000);
    await board.press('/');
    await board.paste('urgent');
    await board.press('Enter');
    await board.sees(/> +\[▶\] \S+ working/);
    await board.press('i');
    await board.sees('Interrupt Checkout?');
    await pauseFor(limits.board.confirmDelay);
    await board.press('Enter');
    await board.sees(/\[⏸\] \S+ interrupted/, 20_000);
    // The other one, which waits longer, is parked.
    await board.press('Escape');
    await board.sees(/2 waiting(?!.*filter)/);
    await board.press('1');
    await board.press('p');
    await board.sees(/Park .+\? {2}Enter park/);
    await pauseFor(limits.board.confirmDelay);
    await board.press('Enter');
    await board.sees(/\[■\] \S+ parked/, 20_000);
  });
});
