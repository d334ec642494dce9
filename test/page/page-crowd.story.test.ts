/** The page with many sessions: fast, aware of a lost daemon, and usable with a screen reader. */
import { describe, expect, test } from 'vitest';
import { chromiumPath, seriousFindings } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import type { Daemon } from '../rig/drover.ts';
import { sessionId } from '../rig/hook.ts';
import { addressOf, openPage, post } from '../rig/page.ts';
import { world } from '../rig/story.ts';

const version = newest;
const count = 200;

describe.skipIf(chromiumPath === undefined)('the page', () => {
  test(`${count} sessions: lists all, obeys keys, shows changes, and reports and survives a restart of the daemon`, async () => {
    const story = await world({ version });
    const daemon = await story.daemon();
    await crowd(daemon);
    const { tab, sees, page, complaints } = await openPage(story);
    await tab
      .locator('.row')
      .nth(count - 1)
      .waitFor({ state: 'attached' });
    expect(await tab.locator('.row').count()).toBe(count);
    expect(await tab.title()).toBe(`(${count / 4}) Drover`);
    const first = tab.locator('.row[aria-current=true] .name');
    expect(await first.textContent()).toBe('project-0');
    await tab.keyboard.press('j');
    expect(await first.textContent()).toBe('project-4');
    await tab.keyboard.press('G');
    await tab.keyboard.press('1');
    expect(await first.textContent()).toBe('project-0');
    await tab.keyboard.press('/');
    await tab.keyboard.type('project-19');
    await tab.locator('.row').nth(11).waitFor({ state: 'detached' });
    await tab.keyboard.press('Escape');
    await tab.keyboard.press('?');
    await tab.getByRole('dialog', { name: 'Keys' }).waitFor();
    await tab.keyboard.press('Escape');

    // The open session stays, whatever arrives.
    await tab.locator('.row[aria-current=true]').click();
    await post(daemon, hook(1, 'Stop', { last_assistant_message: 'here I am' }));
    await tab.locator('.row', { hasText: 'here I am' }).waitFor();
    expect(await first.textContent()).toBe('project-0');
    await tab.getByRole('button', { name: 'Skip' }).click();
    await tab.locator('.group.deferred .row', { hasText: 'project-0' }).waitFor();
    expect(await first.textContent()).toBe('project-4');
    await tab.keyboard.press('z');
    await tab.getByRole('dialog', { name: 'Snooze for' }).getByRole('textbox').fill('2h');
    await tab.keyboard.press('Enter');
    await tab.locator('.group.deferred .row', { hasText: 'snoozed' }).waitFor();

    const { stdout } = await story.drover('timeline', '--hours', '1');
    expect(stdout).toMatch(/^5eed0004 project-4 +[ ▒░·]*█/m);
    // One that ended comes when it is asked for, in the list or by its address.
    await post(daemon, hook(199, 'SessionEnd', { reason: 'other' }));
    await tab.locator('.row', { hasText: 'project-199' }).waitFor({ state: 'detached' });
    await tab.getByRole('button', { name: 'Show ended sessions' }).click();
    await tab.locator('.group.ended .row', { hasText: 'project-199' }).waitFor();
    const later = await page();
    await later.goto(await addressOf(story));
    await later.locator('.link.live').waitFor();
    await later.goto(`${daemon.url}/#/s/${sessionId(199)}`);
    await later.getByRole('heading', { name: 'project-199' }).waitFor();
    await later.close();

    expect(complaints).toEqual([]);
    const { port } = new URL(daemon.url);
    await daemon.kill9();
    await sees(/daemon down/);
    await sees('Showing the last known state');
    const again = await story.daemon({ port: Number(port) });
    await tab.locator('.link.live').waitFor();
    await post(again, hook(2, 'Stop', { last_assistant_message: 'after the restart' }));
    await tab.locator('.row', { hasText: 'after the restart' }).waitFor();
    expect(await tab.getByText('Showing the last known state').count()).toBe(0);
  });

  test('axe finds nothing serious and no text is cut off, dark and light, from 360 to 2,000 px', async () => {
    const story = await world({ version });
    const daemon = await story.daemon();
    await asks(daemon);
    const { tab } = await openPage(story);
    const looks = [
      ['dark', 1280],
      ['light', 360],
      ['dark', 360],
      ['light', 2000],
    ] as const;
    for (const [colorScheme, width] of looks) {
      await tab.emulateMedia({ colorScheme });
      await tab.setViewportSize({ width, height: 800 });
      for (const place of ['/', ...[0, 1, 2].map(n => `/s/${sessionId(n)}`), '/day', '/waits', '/usage']) {
        await tab.goto(`${daemon.url}/#${place}`);
        await tab.locator('.row:visible, article:visible, .chart, .figures, .usage-plot').first().waitFor();
        expect([width, place, await seriousFindings(tab)]).toEqual([width, place, []]);
        const over = await tab.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([width, place, over]).toEqual([width, place, 0]);
      }
    }
  });

  test('notifications are off by default, and never shown for what is on screen', async () => {
    const story = await world({ version });
    const daemon = await story.daemon();
    await post(daemon, hook(0, 'UserPromptSubmit'));
    const { tab, context } = await openPage(story);
    await context.grantPermissions(['notifications']);
    await tab.evaluate(`
      window.told = [];
      const Real = window.Notification;
      window.Notification = class extends EventTarget {
        constructor(title) { super(); window.told.push(title); }
        static get permission() { return Real.permission; }
        static requestPermission() { return Real.requestPermission(); }
      };
    `);
    const told = () => tab.evaluate<string[]>('window.told');
    const asks = async (n: number, command: string) => {
      await post(daemon, hook(n, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command } }));
      await tab.locator('.row', { hasText: command }).waitFor();
    };
    const elsewhere = (is: boolean) => tab.evaluate(`document.hasFocus = () => ${!is}`);
    await elsewhere(true);
    await asks(1, 'one');
    const bell = tab.getByRole('button', { name: 'Notifications' });
    expect(await bell.getAttribute('aria-pressed')).toBe('false');
    await bell.click();
    await tab.locator('.bell[aria-pressed=true]').waitFor();
    await asks(2, 'two');
    await elsewhere(false);
    await asks(3, 'three');
    await elsewhere(true);
    // The session that is looked at.
    await asks(0, 'zero');
    expect(await told()).toEqual(['project-2: needs approval']);
  });

  test('an empty list says that no session is waiting, and differs from a lost daemon', async () => {
    const story = await world({ version });
    await story.daemon();
    const { tab, sees } = await openPage(story);
    await sees('No session is waiting.');
    await sees('No sessions.');
    expect(await tab.getByText('daemon down').count()).toBe(0);
    expect(await tab.title()).toBe('Drover');
  });
});

const hook = (n: number, name: string, fields: object = {}) => ({
  session_id: sessionId(n),
  hook_event_name: name,
  cwd: `/srv/project-${n}`,
  ...fields,
});

/** Every fourth of them waits. */
async function crowd(daemon: Daemon): Promise<void> {
  for (let n = 0; n < count; n++) {
    await post(daemon, hook(n, 'UserPromptSubmit', { prompt: `task ${n}` }));
    if (n % 4 === 0) await post(daemon, hook(n, 'Stop', { last_assistant_message: `step ${n} is done` }));
  }
}

/** One of each kind that asks. */
async function asks(daemon: Daemon): Promise<void> {
  const tools: [string, object][] = [
    [
      'Edit',
      { file_path: '/srv/a-rather-long-name/of-a-file.ts', old_string: 'a\nb\n', new_string: 'a\nc\n' },
    ],
    ['ExitPlanMode', { plan: '# Plan\n\n1. `one`\n2. **two**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n' }],
    [
      'AskUserQuestion',
      { questions: [{ question: 'Which?', header: 'It', multiSelect: false, options: [{ label: 'This' }] }] },
    ],
  ];
  for (const [n, [tool_name, tool_input]] of tools.entries()) {
    await post(daemon, hook(n, 'UserPromptSubmit', { prompt: 'go' }));
    await post(daemon, hook(n, 'PermissionRequest', { tool_name, tool_input }));
  }
  await post(daemon, hook(9, 'UserPromptSubmit', { prompt: 'go' }));
}
