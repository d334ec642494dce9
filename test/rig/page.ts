/** The page of a world's daemon, in a browser that signed in with a ticket. */
import { request } from 'node:http';
import type { Page } from 'playwright-core';
import { type Browser, type BrowserOptions, openBrowser } from './browser.ts';
import type { Daemon } from './drover.ts';
import type { World } from './world.ts';

export interface Tab extends Browser {
  tab: Page;
  /** Awaits a text on the page. */
  sees: (text: string | RegExp) => Promise<void>;
}

/** Opens the page as `drover open` does, and waits until it is live. */
export async function openPage(world: World, options: BrowserOptions = {}): Promise<Tab> {
  const browser = await openBrowser(world, options);
  const tab = await browser.page();
  await tab.goto(await addressOf(world));
  await tab.locator('.link.live').waitFor();
  return { ...browser, tab, sees: text => sees(tab, text) };
}

/** Waits for a text; reports what the page shows if it does not appear. */
const sees = async (tab: Page, text: string | RegExp): Promise<void> => {
  try {
    await tab.getByText(text).first().waitFor();
  } catch (error) {
    const shown = await tab.locator('body').innerText();
    throw new Error(`${String(text)} is not on the page, which shows:\n${shown}`, { cause: error });
  }
};

/** An address with a ticket in it. */
export async function addressOf(world: World): Promise<string> {
  const { code, stdout, stderr } = await world.drover('open', '--print');
  if (code !== 0) throw new Error(`drover open: ${stderr}`);
  return stdout.trim();
}

/** A hook payload by POST, for a crowd of sessions that no CLI runs. */
export function post({ url, token }: Daemon, payload: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}` };
    request(`${url}/event`, { method: 'POST', headers }, response =>
      response.resume().on('end', () => resolve()),
    )
      .on('error', reject)
      .end(JSON.stringify(payload));
  });
}
