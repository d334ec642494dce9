/** Requests that no hook holds, answered on the page: a permission, a question, a form, a start-up dialog and a plan. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chromiumPath, seriousFindings } from '../rig/browser.ts';
import { versions } from '../rig/cli.ts';
import { elicitationArgs } from '../rig/elicit.ts';
import { hubOf } from '../rig/hub.ts';
import { openPage } from '../rig/page.ts';
import { world } from '../rig/story.ts';

describe.skipIf(chromiumPath === undefined).each(versions)('Claude Code %s', version => {
  test('every kind of request is answered on the page without a hold', async () => {
    const story = await world({ version, approvals: 'terminal' });
    await story.drover('setup');
    const hub = await hubOf(story);
    const seat = await story.claude({ args: elicitationArgs('elicit') });
    await seat.ready();
    const { tab, sees, complaints } = await openPage(story);
    const button = (name: string | RegExp) => tab.getByRole('button', { name });
    const idle = () => seat.file(file => file.status === 'idle');
    const open = tab.locator('.request.unanswered');

    await seat.type('RUN touch made');
    await button('Allow once').click();
    await sees('Allowed in its terminal.');
    await idle();
    expect(existsSync(join(story.dir(), 'made'))).toBe(true);

    // By keys, with a message: the panel has the exact rule too.
    await seat.type('RUN touch other');
    await open.getByText('Will not ask again:').waitFor();
    await tab.locator('h1').click();
    await tab.keyboard.press('x');
    const dialog = tab.getByRole('dialog');
    await dialog.getByLabel('Message to the model').fill('not in this folder');
    expect(await seriousFindings(tab)).toEqual([]);
    await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
    await sees('Denied in its terminal.');
    await story.model.asked(({ prompt }) => prompt?.includes('not in this folder') === true);
    await idle();
    expect(existsSync(join(story.dir(), 'other'))).toBe(false);

    await seat.type('ASK');
    await tab.getByLabel('Large').check();
    await button('Answer').click();
    await sees('Answered in its terminal.');
    await idle();

    await seat.type('MCP elicit ask');
    await button('Allow once').click();
    await tab.getByRole('textbox', { name: 'Colour' }).fill('blue 1');
    await button('Accept').click();
    await idle();
    expect(JSON.stringify(story.model.requests.at(-1)?.body.messages)).toContain('blue 1');

    // A start-up dialog says what it does before it is answered.
    const dir = join(story.home, 'stranger');
    mkdirSync(dir);
    const second = await story.claude({ dir, permissionMode: 'plan' });
    await second.sees('trust this folder');
    await tab.locator('.row', { hasText: 'start-up dialog' }).click();
    await button(/^Yes, .* …$/).click();
    await dialog.getByText(`Claude Code may read, change and run files in ${dir}`).waitFor();
    await dialog.getByRole('button', { name: /^Yes/ }).click();
    await second.ready();
    const { sessionId: id } = await second.file(file => file.status === 'idle');
    await hub.is(id, ({ state }) => state === 'ready' || state === 'waiting');
    await tab.goto(`${new URL(tab.url()).origin}/#/s/${id}`);
    await second.type('PLAN Do it');
    await tab.getByRole('region', { name: 'Plan' }).getByText('Do it').waitFor();
    await button('Keep planning …').waitFor();
    await button(/manually approve edits/).click();
    await sees('Approved in its terminal.');
    await hub.is(id, ({ permissionMode }) => permissionMode === 'default');
    expect(complaints).toEqual([]);
  });
});
