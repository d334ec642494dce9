/** The page with the real CLI: requests are answered in the browser while the terminal shows the dialog. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath } from '../rig/browser.ts';
import { edges } from '../rig/cli.ts';
import { openPage } from '../rig/page.ts';
import { attached } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

const PERMISSION = 'Do you want to proceed?';

describe.skipIf(chromiumPath === undefined).each(edges)('Claude Code %s', version => {
  test('a permission is allowed, two questions are answered, a message gets its receipt, the terminal follows', async () => {
    const story = await world({ version });
    await story.drover('setup');
    await story.daemon();
    const seat = await story.claude();
    await seat.ready();
    const { tab, sees, complaints } = await openPage(story);
    const button = (name: string) => tab.getByRole('button', { name, exact: true });
    const more = async (name: string) => {
      await tab.getByText('More', { exact: true }).click();
      await button(name).click();
    };
    const asks = tab.getByRole('region', { name: 'Requests' });
    const terminal = tab.getByRole('region', { name: /^Screen of pane/ });
    await terminal.waitFor();
    // Held from its start; a person can leave it to its terminal, and hold it again.
    await more('Held');
    await sees(/No longer held\. Answers from here press keys in its terminal/);
    await more('Hold');
    await sees(/Held from its next request on\. Answers from here go through its hooks/);

    await seat.type('RUN touch made');
    await button('Allow once').waitFor();
    await seat.asks(PERMISSION);
    expect(await asks.textContent()).toContain('touch made');
    await terminal.getByText(PERMISSION).waitFor();
    expect(await tab.title()).toBe('(1) Drover');
    expect(existsSync(join(story.dir(), 'made'))).toBe(false);
    await button('Allow once').click();
    await seat.sees('Allowed by PermissionRequest hook');
    await seat.file(file => file.status === 'idle');
    expect(existsSync(join(story.dir(), 'made'))).toBe(true);
    await tab.locator('.row.stopped').waitFor();
    await terminal.getByText('Allowed by PermissionRequest hook').waitFor();

    await seat.type('ASK2');
    await tab.getByRole('group', { name: /Which extras\?/ }).waitFor();
    expect(await button('Answer').isDisabled()).toBe(true);
    await tab.getByLabel('Large').check();
    for (const extra of await tab.getByRole('checkbox').all()) await extra.check();
    await button('Answer').click();
    await seat.file(file => file.status === 'idle');
    const { body } = await story.model.asked(({ body }) =>
      /Which extras/.test(JSON.stringify(body.messages)),
    );
    expect(JSON.stringify(body.messages)).toMatch(/Which size\?[^}]*Large/);

    // A person may message every session of theirs; programs only once they were let.
    await more('Drive');
    await sees(/Programs can send messages to the session too/);
    await more('Driven');
    await sees(/Programs can no longer send messages/);
    await tab.getByLabel('Message to the session').fill('SAY hello from the page');
    await button('Send').click();
    await tab.locator('.steps .done', { hasText: 'answered' }).waitFor();
    expect(await tab.getByLabel('Receipts').textContent()).toContain('SAY hello from the page');
    await tab.getByRole('region', { name: 'Last message' }).getByText('hello from the page').waitFor();
    await terminal.getByText('● hello from the page').waitFor();

    // By keys: a title, tags and the filter; skipped and brought back; marked.
    await tab.locator('h1').click();
    // The page ignores keys for a moment after a row has moved, so a person may press again.
    const pressFor = (key: string, effect: Locator) =>
      until(
        20_000,
        () => `${key} has no effect`,
        async () => {
          await tab.keyboard.press(key);
          const isOpen = await effect.waitFor({ timeout: 1_000 }).then(
            () => true,
            () => undefined,
          );
          return isOpen;
        },
      );
    const title = tab.getByLabel('Title');
    await pressFor('e', title);
    await title.fill('Cart work');
    await tab.keyboard.press('Enter');
    await tab.locator('h1', { hasText: 'Cart work' }).waitFor();
    const tags = tab.getByRole('textbox', { name: 'Tags' });
    await pressFor('t', tags);
    await tags.fill('urgent cart');
    await tab.keyboard.press('Enter');
    // Until its dialog is closed, the rest of the page takes no input.
    await tags.waitFor({ state: 'detached' });
    const row = tab.locator('.row', { hasText: 'Cart work' });
    await row.locator('.mark', { hasText: 'urgent' }).waitFor();
    const filter = tab.getByLabel('Filter sessions');
    await filter.fill('tag:other');
    await sees('No matching sessions.');
    await filter.fill('tag:urgent state:waiting');
    await row.waitFor();
    await filter.press('Escape');
    await tab.keyboard.press('s');
    await tab.locator('.group.deferred .row').waitFor();
    await pressFor('u', tab.locator('.group.waiting .row'));
    await sees('Back in the queue.');
    await tab.keyboard.press(' ');
    await sees('1 marked');
    await tab.keyboard.press('Escape');
    await tab.locator('.mark-bar').waitFor({ state: 'detached' });

    await story.tmux(['new-session', '-d', '-s', 'desk', 'sh']);
    const client = await attached(story, 'desk');
    await client.sees('desk');
    await button('Go to pane').click();
    await sees(/shows the session/);
    await client.sees('hello from the page');
    await story.tmux(['switch-client', '-c', client.tty, '-t', 'desk']);
    const { sessionId: id } = await seat.file(() => true);
    expect((await story.drover('go', id, '--client', client.tty)).code).toBe(0);
    await client.sees('hello from the page');
    // With a second terminal no client is moved before a person has chosen one.
    const second = await attached(story, 'desk');
    await second.sees('desk');
    await button('Go to pane').click();
    await tab.getByRole('dialog').getByRole('button', { name: second.tty }).click();
    await second.sees('hello from the page');

    const show = (name: string) => tab.getByRole('tab', { name }).click();
    await show('Transcript');
    await tab.locator('.transcript .assistant', { hasText: 'hello from the page' }).waitFor();
    await show('Evidence');
    await tab.locator('.evidence li').first().getByText('hook Stop').waitFor();
    await show('Audit');
    const sent = /messageokpage [0-9a-f]{8}SAY hello from the page/;
    await tab.locator('.audit tbody tr').filter({ hasText: sent }).waitFor();
    await show('Events');
    await seat.type('SLEEP 60000 SAY never');
    await tab.locator('.events li', { hasText: 'SLEEP 60000 SAY never' }).waitFor();

    await button('Interrupt').click();
    const dialog = tab.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await button('Interrupt').click();
    await dialog.getByRole('button', { name: 'Interrupt' }).click();
    await tab.locator('.row.stopped', { hasText: 'interrupted' }).waitFor();
    await more('Stop');
    await dialog.getByRole('button', { name: 'Stop session' }).click();
    await tab.locator('.group.ended .row').waitFor();
    expect(await tab.title()).toBe('Drover');
    expect(complaints).toEqual([]);
  });
});
