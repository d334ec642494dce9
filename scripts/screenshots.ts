/** `npm run screenshots`: the pictures of the page in docs/images, taken by a real Chromium over `drover demo`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openBrowser } from '../test/rig/browser.ts';
import { startDemo } from '../test/rig/demo.ts';
import { openWorld } from '../test/rig/world.ts';
import { paletted } from './png.ts';

const folder = 'docs/images';
const wide = { width: 1280, height: 720 };
const narrow = { width: 390, height: 780 };

mkdirSync(folder, { recursive: true });
const world = await openWorld({ version: '2.1.197' });
try {
  const { page } = await openBrowser(world, { viewport: wide });
  const tab = await page();
  // A short path is shown in full.
  const demo = await startDemo(world, { TMPDIR: tmpdir() });
  world.closing(async () => {
    demo.child.kill('SIGTERM');
    await demo.ended;
  });
  await tab.goto(demo.page);
  // The longest wait comes first; three sessions wait before the first one is answered.
  await tab.getByRole('link', { name: /api.*Move the orders table/ }).waitFor();
  await choose(tab, /shop.*npm publish/);
  await tab
    .getByRole('region', { name: /^Screen of pane/ })
    .getByText('Do you want to proceed?')
    .waitFor();
  await take(tab, 'page-dark');
  await tab.keyboard.press('a');
  await tab.getByRole('dialog').getByText('Allow once').waitFor();
  await take(tab, 'page-answer');
  await tab.keyboard.press('Escape');
  await choose(tab, /api.*Move the orders table/);
  await tab.getByRole('heading', { name: 'Move the orders table to UUID keys' }).waitFor();
  await take(tab, 'page-light', 'light');
  await tab.setViewportSize(narrow);
  await tab.getByRole('link', { name: 'All sessions' }).click();
  await take(tab, 'page-narrow-dark', 'dark');
  await choose(tab, /shop.*npm publish/);
  await tab.getByRole('button', { name: 'Allow once' }).waitFor();
  await take(tab, 'page-phone', 'dark');
  await tab.getByRole('link', { name: 'All sessions' }).click();
  await choose(tab, /blog.*accent colour/);
  await tab.getByLabel('Teal').check();
  await take(tab, 'page-narrow-light', 'light');
  await tab.setViewportSize({ ...wide, height: 480 });
  await tab.getByRole('link', { name: 'Day' }).click();
  // By then every session has worked, asked and been answered, and one has ended.
  await demo.session(({ project, state }) => project === 'docs' && state === 'ready', 90_000);
  await take(tab, 'page-day', 'dark');
} finally {
  await world.close();
}

async function choose(tab: Page, name: RegExp): Promise<void> {
  await tab.getByRole('link', { name }).click();
}

async function take(tab: Page, name: string, colorScheme: 'dark' | 'light' = 'dark'): Promise<void> {
  await tab.emulateMedia({ colorScheme });
  await tab.getByText('Loading …').waitFor({ state: 'detached' });
  // A new request is pale for a moment, because it ignores clicks.
  await pause(700);
  const path = `${folder}/${name}.png`;
  writeFileSync(path, paletted(await tab.screenshot({ animations: 'disabled', caret: 'hide' })));
  console.log(path);
}
