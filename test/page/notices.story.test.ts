/** Notifications and the page: a session that a focused tab shows is not notified about, and the page lists why. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NoticePage } from '../../src/contract/notice.ts';
import { chromiumPath, seriousFindings } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import { sessionId } from '../rig/hook.ts';
import { openPage, post } from '../rig/page.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

describe.skipIf(chromiumPath === undefined)('the page', () => {
  test('keeps a session that it shows from being notified about, and lists what was suppressed', async () => {
    const story = await world({ version: newest });
    const notify = { blockedAfter: 8, command: ['true'] };
    await writeFile(join(story.droverHome, 'config.json'), JSON.stringify({ notify }));
    const daemon = await story.daemon();
    const fire = (number: number, hook_event_name: string, more: object = {}) =>
      post(daemon, { session_id: sessionId(number), hook_event_name, cwd: story.dir(), ...more });
    for (const number of [1, 2]) await fire(number, 'UserPromptSubmit', { prompt: 'go on' });
    const { tab, complaints } = await openPage(story);
    await tab.goto(`${daemon.url}/#/s/${sessionId(1)}`);
    await tab.locator('article').first().waitFor();
    for (const number of [1, 2])
      await fire(number, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'make' } });

    const log = async () => JSON.parse((await story.drover('notify', '--json')).stdout) as NoticePage;
    const entries = await until(
      30_000,
      () => 'not both sessions are in the log',
      async () => {
        const { entries: found } = await log();
        return found.length >= 2 ? found : undefined;
      },
    );
    const outcomes = entries.map(({ sessions: [id], outcome, reason }) => ({ id, outcome, reason }));
    expect(outcomes).toContainEqual({ id: sessionId(1), outcome: 'suppressed', reason: 'in sight' });
    expect(outcomes).toContainEqual({ id: sessionId(2), outcome: 'sent', reason: null });

    await tab.getByRole('link', { name: 'Waits' }).click();
    const table = tab.getByRole('table', { name: /^Notifications \(1 sent, 0 failed, 1 suppressed/ });
    await table.getByRole('cell', { name: 'in sight' }).waitFor();
    await table.getByRole('cell', { name: 'command' }).waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
