/** A session that is started from the page, and commands for several sessions at once. */
import { describe, expect, test } from 'vitest';
import { chromiumPath, seriousFindings } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import { sessionId } from '../rig/hook.ts';
import { openPage, post } from '../rig/page.ts';
import { world } from '../rig/story.ts';

const version = newest;

describe.skipIf(chromiumPath === undefined)('the page', () => {
  test('starts a session in a worktree of a project, and defers and messages several at once', async () => {
    const story = await world({ version });
    await story.drover('setup');
    const daemon = await story.daemon();
    const git = (...args: string[]) =>
      story.run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);
    await git('init', '-b', 'main');
    await git('commit', '--allow-empty', '-m', 'first');
    const { tab, sees, complaints } = await openPage(story);
    const dialog = tab.getByRole('dialog');
    await tab.getByRole('button', { name: 'New session' }).click();
    await dialog.getByLabel('Project').fill('nothing like it');
    await sees('No matching project.');
    expect(await seriousFindings(tab)).toEqual([]);
    await tab.keyboard.press('Escape');
    await tab.keyboard.press('N');
    await dialog.getByLabel('Project').fill(`${story.dir()}/`);
    await dialog.getByLabel('Prompt').fill('SAY hello from a worktree');
    await dialog.getByLabel('In its own git worktree').check();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await dialog.waitFor({ state: 'detached' });
    await tab
      .getByRole('region', { name: 'Last message' })
      .getByText('hello from a worktree')
      .waitFor({ timeout: 40_000 });
    await tab.locator('.facts', { hasText: '(worktree)' }).waitFor();
    const mine = tab.locator('.group.waiting .row', { hasText: 'hello from a worktree' });
    await mine.waitFor();

    for (const n of [1, 2])
      await post(daemon, {
        session_id: sessionId(n),
        cwd: `/srv/other-${n}`,
        hook_event_name: 'Stop',
        last_assistant_message: `other ${n} is done`,
      });
    const waiting = tab.locator('.group.waiting .row');
    await waiting.nth(2).waitFor();
    // Space belongs to the button that has the focus, but to the list on a row.
    await mine.click();
    for (const key of ['1', ' ', '2', ' ', '3', ' ']) await tab.keyboard.press(key);
    await sees('3 marked');
    expect(await seriousFindings(tab)).toEqual([]);
    await tab.keyboard.press('d');
    await sees(/^Dismissed 3 sessions/);
    await tab.locator('.group.deferred .row').nth(2).waitFor();
    await tab.keyboard.press('u');
    await waiting.nth(2).waitFor();

    // Those that are reported from elsewhere refuse a message, and the receipts say so.
    await mine.click();
    for (const key of ['1', ' ', '2', ' ', '3', ' ']) await tab.keyboard.press(key);
    await tab
      .getByRole('group', { name: 'Marked sessions' })
      .getByRole('button', { name: 'Message' })
      .click();
    await dialog.getByLabel('Message').fill('SAY to all of you');
    await dialog.getByRole('button', { name: 'Send' }).click();
    const receipts = dialog.getByLabel('Receipts').locator('li');
    await receipts.filter({ hasText: /queued|typed|submitted/ }).waitFor();
    await receipts
      .filter({ hasText: /sending/ })
      .first()
      .waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await tab.locator('.row', { hasText: 'to all of you' }).waitFor();
    expect(await tab.locator('.mark-bar').count()).toBe(0);
    expect(complaints.filter(text => !text.includes('409'))).toEqual([]);
  });
});
