/** Several requests on the page: each is shown with its complete input, and its buttons answer only that one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath, seriousFindings } from '../rig/browser.ts';
import { newest, type Version } from '../rig/cli.ts';
import { type Hub, hubOf } from '../rig/hub.ts';
import { openPage, type Tab } from '../rig/page.ts';
import { waitersOf } from '../rig/process.ts';
import { world } from '../rig/story.ts';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const PERMISSION = 'Do you want to proceed?';
const FETCH = 'FETCH https://127.0.0.1:9/a';

// One version: what differs between them, the requests and their dialogs, is in the stories of requests/.
describe.skipIf(chromiumPath === undefined).each([newest])('Claude Code %s', version => {
  test('two requests for one URL: both are shown, and Allow on the second leaves the first open', async () => {
    const { story, hub, seat, id, tab } = await held(version);
    await seat.type(`TOGETHER ${FETCH} one ;; ${FETCH} two`);
    const { requests } = await hub.is(id, session => areHeld(session.requests, 2));
    await waits(story, 2);
    await tab.locator('.row', { hasText: '(2 requests)' }).waitFor();
    const [first, second] = ['one', 'two'].map(prompt => {
      const found = requests.find(({ input }) => input?.prompt === prompt);
      return { id: found?.id ?? 0, card: cardOf(tab, found?.id) };
    }) as [Shown, Shown];
    for (const { card } of [first, second]) await opened(card);
    await first.card.getByText('one', { exact: true }).waitFor();
    await second.card.getByText('two', { exact: true }).waitFor();
    expect(await seriousFindings(tab)).toEqual([]);

    await second.card.getByRole('button', { name: 'Allow once' }).click();
    await second.card.getByText('Allowed.').waitFor();
    const after = await hub.is(id, session => session.requests.length === 1);
    expect(after.requests).toMatchObject([{ id: first.id, input: { prompt: 'one' } }]);
    await waits(story, 1);
    const ends = await released(story, id);
    expect(ends).toHaveLength(1);
    expect(ends).toMatchObject([{ hold: second.id, by: 'answer', behavior: 'allow' }]);
    expect(await first.card.getByRole('button', { name: 'Allow once' }).isVisible()).toBe(true);

    await first.card.getByRole('button', { name: 'Deny …' }).click();
    await first.card.getByRole('button', { name: 'Deny', exact: true }).click();
    await first.card.getByText('Denied.').waitFor();
    await waits(story, 0);
    await seat.file(file => file.status === 'idle');
    expect(await released(story, id)).toMatchObject([
      { hold: second.id, behavior: 'allow' },
      { hold: first.id, behavior: 'deny' },
    ]);
  });

  test('a request that the terminal answers says so on its card, and a late answer changes nothing', async () => {
    const { story, hub, seat, id, tab, complaints } = await held(version);
    await seat.type('RUN touch made');
    await seat.asks(PERMISSION);
    const { pending } = await hub.pending(id);
    const card = cardOf(tab, pending?.id);
    const allow = card.getByRole('button', { name: 'Allow once' });
    await allow.click({ trial: true });
    // The page learns of it only after the person has pressed the button.
    let go = (): void => {};
    const pressed = new Promise<void>(done => (go = done));
    await tab.route('**/answer', async route => {
      await pressed;
      await route.continue();
    });
    await allow.click();
    await seat.press('Enter');
    // The decision in the terminal is known when the tool has run.
    await hub.is(id, ({ past }) => past.some(one => one.id === pending?.id && one.behavior === 'allow'));
    go();
    await card.getByText(/Already allowed in the terminal [\d.]+ s ago/).waitFor();
    expect(await allow.count()).toBe(0);
    await seat.file(file => file.status === 'idle');
    expect(await released(story, id)).toMatchObject([{ hold: pending?.id, by: 'terminal' }]);
    expect(complaints).toEqual([expect.stringContaining('409')]);

    // Nobody presses anything here.
    await tab.unroute('**/answer');
    await seat.type('RUN touch other');
    await seat.asks(PERMISSION);
    const other = cardOf(tab, (await hub.pending(id)).pending?.id);
    await other.getByRole('button', { name: 'Allow once' }).waitFor();
    await seat.press('Enter');
    await other.getByText(/Already allowed in the terminal [\d.]+ (s|min) ago/).waitFor();
  });

  test('the input of a Write with 20,000 characters is complete, and so is a long last message', async () => {
    const { story, hub, seat, id, tab } = await held(version);
    const text = Array.from({ length: 2_500 }, (_, n) => `${n}`.padStart(7, 'x')).join(' ');
    expect(text).toHaveLength(19_999);
    await seat.type(`WRITE ${join(story.dir(), 'long.txt')} ${text}`);
    const { pending } = await hub.pending(id);
    expect(pending?.input?.content).toBe(text);
    const card = cardOf(tab, pending?.id);
    const changes = card.getByRole('region', { name: 'Changes' });
    await changes.waitFor();
    expect(await changes.locator('ins').allTextContents()).toEqual([text]);
    // Nobody can allow what was not shown to its end, on a desktop or a phone; anybody can deny it.
    const allow = card.getByRole('button', { name: 'Allow once' });
    // On a phone the address names the session that covers the list.
    await tab.evaluate(`location.hash = '#/s/${id}'`);
    for (const width of [390, 1280]) {
      await tab.setViewportSize({ width, height: 800 });
      await card.getByText('Scroll to the end of the request to allow it.').waitFor();
      await expect(allow.click({ timeout: 1_500 })).rejects.toThrow('not enabled');
      expect(await card.getByRole('button', { name: 'Deny …' }).isEnabled()).toBe(true);
    }
    await tab.setViewportSize({ width: 390, height: 800 });
    await card
      .getByRole('region', { name: 'Complete request' })
      .evaluate((region: { scrollTo: (left: number, top: number) => void }) => region.scrollTo(0, 1e9));
    await allow.click();
    await seat.file(file => file.status === 'idle');
    expect(readFileSync(join(story.dir(), 'long.txt'), 'utf8').trimEnd()).toBe(text);

    await seat.type(`SAY ${text}`);
    const last = tab.getByRole('region', { name: 'Last message' });
    await last.getByText('11,999 more characters').waitFor();
    expect(await last.getByRole('region', { name: 'Text' }).textContent()).toBe(
      text.slice(0, 8_000).trimEnd(),
    );
    await last.getByRole('button', { name: 'Show all' }).click();
    await last.getByText('11,999 more characters').waitFor({ state: 'detached' });
    expect(await last.getByRole('region', { name: 'Text' }).textContent()).toBe(text);
  });

  test('by keys: a confirmation shows the complete request, ignores early and pasted keys, and answers nothing once its request is over', async () => {
    const { story, hub, seat, id, tab, sees } = await held(version);
    const text = Array.from({ length: 400 }, (_, n) => `line ${n}`).join('\n');
    const dialog = tab.getByRole('dialog');
    await seat.type(`WRITE ${join(story.dir(), 'long.txt')} ${text}`);
    await hub.pending(id);
    await tab.locator('.request.unanswered button', { hasText: 'Allow once' }).waitFor();
    const moved: string[] = [];
    tab.on('request', request => request.url().endsWith('/go') && moved.push(request.url()));
    // Pasted text is not a key.
    await tab.keyboard.insertText('a\n');
    expect(await dialog.count()).toBe(0);
    await Promise.all([tab.keyboard.press('a'), tab.keyboard.press('Enter')]);
    await dialog.getByText('Scroll to the end of the request to allow it.').waitFor();
    await dialog.locator('ins').nth(399).waitFor({ state: 'attached' });
    expect(await dialog.locator('ins').count()).toBe(400);
    expect(await dialog.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true);
    expect(await seriousFindings(tab)).toEqual([]);
    await tab.keyboard.press('End');
    await dialog.locator('button:enabled', { hasText: 'Allow once' }).waitFor();
    await tab.keyboard.press('Enter');
    await sees(/^Allowed\.$/);
    await seat.file(file => file.status === 'idle');
    expect(readFileSync(join(story.dir(), 'long.txt'), 'utf8').trimEnd()).toBe(text);

    await seat.type('RUN touch made');
    await seat.asks(PERMISSION);
    const { pending } = await hub.pending(id);
    await tab.locator('.request.unanswered button', { hasText: 'Allow once' }).waitFor();
    await Promise.all([tab.keyboard.press('a'), tab.keyboard.press('Enter')]);
    await dialog.locator('button:enabled', { hasText: 'Allow once' }).waitFor();
    await dialog.getByText('touch made').waitFor();
    await seat.press('Enter');
    await dialog.getByText(/Already (allowed|answered) in the terminal/).waitFor();
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close']);
    await tab.keyboard.press('Enter');
    await tab.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await cardOf(tab, pending?.id)
      .getByText(/Already (allowed|answered) in the terminal/)
      .waitFor();
    expect((await released(story, id)).map(({ by }) => by)).toEqual(['answer', 'terminal']);
    // No Enter reached the list below, where it would go to a session.
    expect(moved).toEqual([]);
  });

  test('25 requests at once: all are listed, and each is answered by its own buttons', async () => {
    const { story, hub, seat, id, tab } = await held(version);
    await seat.type(`TOGETHER 25 x ${FETCH}-# number-#`);
    const { requests } = await hub.is(id, session => areHeld(session.requests, 25), 30_000);
    await waits(story, 25);
    await tab.locator('.row', { hasText: '(25 requests)' }).waitFor();
    expect(await tab.locator('.request').count()).toBe(25);
    const order = [...requests.keys()].map(n => requests[(n * 7) % 25] ?? requests[0]);
    for (const [n, request] of order.entries()) {
      const card = cardOf(tab, request?.id);
      await opened(card);
      await card.getByText(String(request?.input?.prompt), { exact: true }).waitFor();
      await card.getByRole('button', { name: 'Deny …' }).click();
      await card.getByRole('button', { name: 'Deny', exact: true }).click();
      await card.getByText('Denied.').waitFor();
      const left = await hub.is(id, session => session.requests.length === 24 - n);
      expect(left.requests.map(one => one.id)).not.toContain(request?.id);
    }
    await waits(story, 0);
    await seat.file(file => file.status === 'idle');
    expect((await released(story, id)).map(({ hold }) => hold)).toEqual(order.map(request => request?.id));
  });
});

interface Shown {
  id: number;
  card: Locator;
}

interface Stage extends Tab {
  story: World;
  hub: Hub;
  seat: Seat;
  id: string;
}

/** A session whose requests are held, and the page that shows it. */
async function held(version: Version): Promise<Stage> {
  const story = await world({ version });
  await story.drover('setup');
  const hub = await hubOf(story);
  const seat = await story.claude();
  await seat.ready();
  const { sessionId: id } = await seat.file(file => file.status === 'idle');
  await hub.is(id, ({ state }) => state === 'ready');
  expect((await story.drover('hold', id)).code).toBe(0);
  return { story, hub, seat, id, ...(await openPage(story)) };
}

const areHeld = (requests: { until: number | null }[], count: number): boolean =>
  requests.length === count && requests.every(({ until }) => until !== null);

const cardOf = (tab: Page, id: number | undefined): Locator =>
  tab.getByRole('region', { name: new RegExp(`^Request ${id}:`) });

/** Opens a card that is folded. */
async function opened(card: Locator): Promise<void> {
  const folded = card.locator('h2 button[aria-expanded=false]');
  await card.waitFor();
  // A card unfolds by itself once it is the first one, perhaps at this moment.
  await until(
    10_000,
    () => 'the card stays folded',
    async () => {
      if ((await folded.count()) === 0) return true;
      await folded.click({ timeout: 500 }).catch(() => {});
      return undefined;
    },
  );
}

/** Awaits this number of hooks that wait for an answer. */
const waits = (story: World, count: number): Promise<unknown> => {
  let last: number[] = [];
  return until(
    10_000,
    () => `${last.length} hooks wait, not ${count}`,
    async () => {
      last = await waitersOf(story.root);
      return last.length === count ? true : undefined;
    },
  );
};

/** What the log says of holds that ended. */
async function released(story: World, id: string): Promise<{ hold: number; by: string }[]> {
  const { stdout } = await story.drover('events', id, '--json', '--after', '0');
  return stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { name: string; payload: { hold: number; by: string } })
    .filter(({ name }) => name === 'Released')
    .map(({ payload }) => payload);
}
