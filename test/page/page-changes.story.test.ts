/** The Changes view of the page: diffs by file and by turn, counts and collisions on the rows. */
import { describe, expect, test } from 'vitest';
import { chromiumPath, seriousFindings } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import { sessionId } from '../rig/hook.ts';
import { openPage, post } from '../rig/page.ts';
import { world } from '../rig/story.ts';

const version = newest;

describe.skipIf(chromiumPath === undefined)('changes on the page', () => {
  test('rows have counts and collisions, and `f` shows the diffs by file or by turn', async () => {
    const story = await world({ version });
    const daemon = await story.daemon();
    const [shop, blog] = [sessionId(1), sessionId(2)];
    const edit = (session_id: string, file: string, ...lines: string[]) =>
      post(daemon, {
        session_id,
        hook_event_name: 'PostToolUse',
        tool_name: 'Edit',
        tool_input: { file_path: file },
        tool_response: { structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines }] },
      });
    const prompt = (session_id: string, text: string, cwd: string) =>
      post(daemon, { session_id, cwd, hook_event_name: 'UserPromptSubmit', prompt: text });
    await prompt(shop, 'Rename the total', '/srv/shop');
    await edit(shop, '/srv/shop/pay.ts', '-const sum = 1;', '+const total = 1;');
    await prompt(shop, 'Add a test', '/srv/shop');
    await edit(shop, '/srv/shop/pay.test.ts', '+test(<b>);');
    const { tab, complaints } = await openPage(story);
    const row = tab.locator(`li[data-id="${shop}"]`);
    await row.getByText('+2 −1, 2 files').waitFor();
    await row.locator('a').click();
    await tab.keyboard.press('f');
    const panel = tab.getByRole('tabpanel', { name: 'Changes' });
    await panel.locator('del', { hasText: 'const sum = 1;' }).waitFor();
    // Text of a file is text, never an element.
    await panel.locator('ins', { hasText: 'test(<b>);' }).waitFor();
    expect(await panel.locator('summary').allTextContents()).toEqual([
      expect.stringMatching(/^pay\.test\.ts\+1 −0/),
      expect.stringMatching(/^pay\.ts\+1 −1/),
    ]);
    expect(await seriousFindings(tab)).toEqual([]);

    await panel.getByRole('button', { name: 'By turn' }).click();
    await panel.getByText('Add a test').waitFor();
    expect(await panel.locator('summary .path').allTextContents()).toEqual([
      'Add a test',
      'Rename the total',
    ]);

    // A change while it is open, by another session too.
    await prompt(blog, 'Mine', '/srv/shop');
    await edit(blog, '/srv/shop/pay.ts', '+// mine');
    await panel.getByText('/srv/shop/pay.ts is changed by').waitFor();
    await row.getByText('collision: pay.ts').waitFor();
    await tab.locator(`li[data-id="${blog}"]`).getByText('collision: pay.ts').waitFor();
    expect(await panel.getByText('// mine').count()).toBe(0);
    expect(await seriousFindings(tab)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
