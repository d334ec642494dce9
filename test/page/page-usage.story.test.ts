/** Tokens and cost on the page: the plot by day, its figures by pointer and keys, and the usage of one session. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chromiumPath, seriousFindings } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import { sessionId } from '../rig/hook.ts';
import { openPage, post } from '../rig/page.ts';
import { world } from '../rig/story.ts';
import type { World } from '../rig/world.ts';

const version = newest;
const day = 86_400_000;

interface Message {
  session: string;
  dir: string;
  model: string;
  daysAgo: number;
  output: number;
}

/** Writes a transcript for each session, as Claude Code does. */
const writeTranscripts = ({ home }: World, messages: Message[]): void => {
  const noon = new Date().setHours(12, 0, 0, 0);
  const files = new Map<string, string>();
  for (const [n, { session, dir, model, daysAgo, output }] of messages.entries()) {
    const path = join(home, '.claude', 'projects', dir.replaceAll('/', '-'), `${session}.jsonl`);
    const line = {
      type: 'assistant',
      sessionId: session,
      cwd: dir,
      timestamp: new Date(noon - daysAgo * day).toISOString(),
      message: { id: `msg_${n}`, model, usage: { input_tokens: 1_000, output_tokens: output } },
    };
    files.set(path, `${files.get(path) ?? ''}${JSON.stringify(line)}\n`);
  }
  for (const [path, text] of files) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
};

describe.skipIf(chromiumPath === undefined)('usage on the page', () => {
  test('is plotted by day with figures on hover and focus, readable by all, on a desk and on a phone', async () => {
    const story = await world({ version });
    const [shop, blog] = [sessionId(1), sessionId(2)];
    writeTranscripts(story, [
      { session: shop, dir: '/srv/shop', model: 'claude-opus-5-5', daysAgo: 0, output: 50_000 },
      { session: shop, dir: '/srv/shop', model: 'claude-unknown-9', daysAgo: 0, output: 7_000 },
      { session: blog, dir: '/srv/blog', model: 'claude-opus-5-5', daysAgo: 2, output: 100_000 },
    ]);
    const daemon = await story.daemon();
    await post(daemon, {
      session_id: shop,
      cwd: '/srv/shop',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'x',
    });
    const { tab, sees, complaints } = await openPage(story);
    await tab.getByRole('link', { name: 'Usage' }).click();
    const plot = tab.getByRole('group', { name: /^Cost by day, stacked by model/ });
    await plot.waitFor();
    // 1,000 tokens of input cost 0.004 dollars, and 50,000 of output 1.
    const caption = tab.locator('.usage-plot figcaption');
    await caption.getByText('$1.00').first().waitFor();
    await tab.locator('.usage-totals').getByText('$3.01+').waitFor();
    await sees(/^Not in the transcript \(compaction, titles\): cost unknown for 2 sessions/);
    await sees(/No price known for claude-unknown-9/);
    const table = tab.getByRole('region', { name: 'By model' });
    expect(await table.getByRole('row', { name: /^claude-unknown-9/ }).textContent()).toContain('7.00k00–');

    // The figures of a day: by pointer, and by keys from there.
    const before = plot.getByRole('img', { name: /\$2\.00, claude-opus-5-5 \$2\.00/ });
    await before.hover();
    await caption.getByText('$2.00').first().waitFor();
    await before.focus();
    await tab.keyboard.press('ArrowRight');
    await caption.getByText('$0.00').first().waitFor();
    await tab.keyboard.press('End');
    await caption.getByText('$1.00').first().waitFor();

    expect(await seriousFindings(tab)).toEqual([]);
    await tab.emulateMedia({ colorScheme: 'light' });
    await tab.getByRole('button', { name: 'Project' }).click();
    await tab.getByRole('button', { name: 'Tokens' }).click();
    await plot.waitFor({ state: 'detached' });
    await tab.getByRole('group', { name: /^Tokens by day, stacked by project/ }).waitFor();
    await caption.getByText('59.0k tokens').first().waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    await tab.setViewportSize({ width: 390, height: 780 });
    expect(await seriousFindings(tab)).toEqual([]);
    const overflow = await tab.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);

    // The session that used it, one tap away.
    await tab.getByRole('region', { name: 'By session' }).getByRole('link', { name: 'shop' }).click();
    await tab.getByRole('tab', { name: 'Usage' }).click();
    const own = tab.getByRole('region', { name: 'Tokens and cost' });
    await own.getByRole('row', { name: /^total .*57\.0k.*\$1\.00\+$/ }).waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('has the quotas of a subscription on top, beside whole links, and above the list on a phone', async () => {
    const story = await world({ version, subscription: true });
    for (const what of [[], ['--statusline']]) expect((await story.drover('setup', ...what)).code).toBe(0);
    await story.daemon();
    story.model.quota = { percent: 62, resetsAt: Math.floor(Date.now() / 1_000) + 5_400 };
    const seat = await story.claude({ prompt: 'SAY hello' });
    await seat.sees('hello');
    const { tab, complaints } = await openPage(story);
    const quota = tab.getByRole('meter', { name: 'Quota 5 h' }).filter({ visible: true });
    await quota.waitFor();
    expect(await quota.textContent()).toBe('62 %');
    /** How far the text of the bar is beyond its place, in pixels. */
    const hidden = () =>
      tab.evaluate<number[]>(
        `[...document.querySelectorAll('.head, .head .places')].map(part => part.scrollWidth - part.clientWidth)`,
      );
    expect(await hidden()).toEqual([0, 0]);
    const gauge = await tab.locator('.head .gauge').first().boundingBox();
    expect(gauge?.height).toBeLessThan(30);
    await tab.setViewportSize({ width: 390, height: 780 });
    await tab.goto(`${tab.url().split('#')[0]}#/`);
    await tab.locator('.list').getByRole('meter', { name: 'Quota 7 d' }).waitFor();
    expect(await hidden()).toEqual([0, 0]);
    expect(await seriousFindings(tab)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
