/**
 * A real Chromium on a world's pages: headless, with a profile inside the world and connections to loopback only. It
 * closes with the world.
 */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import type { World } from './world.ts';

export interface Browser {
  context: BrowserContext;
  /** A new page; what it could not load, threw or logged as an error is in `complaints`. */
  page: () => Promise<Page>;
  complaints: string[];
  close: () => Promise<void>;
}

export interface BrowserOptions {
  viewport?: { width: number; height: number };
  colorScheme?: 'dark' | 'light';
  /** `block`: no service worker, so that `route` of the page gets every request. */
  serviceWorkers?: 'allow' | 'block';
}

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The Chromium of this machine (DROVER_TEST_CHROMIUM names another); undefined where there is none. */
export const chromiumPath: string | undefined = [process.env.DROVER_TEST_CHROMIUM ?? '', ...PLACES].find(
  isProgram,
);

/** Why stories in the browser are skipped, in one line; undefined if they run. With CI set they must run. */
export function noChromium(): string | undefined {
  if (chromiumPath !== undefined) return undefined;
  const line =
    'rig: no Chromium here, its stories are left out (apt-get install chromium, or DROVER_TEST_CHROMIUM=path)';
  if (process.env.CI) throw new Error(`${line}; CI is set, so they must run`);
  return line;
}

/** Starts Chromium inside a world. */
export async function openBrowser(world: World, options: BrowserOptions = {}): Promise<Browser> {
  const { viewport = { width: 1280, height: 800 }, colorScheme = 'dark', serviceWorkers = 'allow' } = options;
  if (chromiumPath === undefined) throw new Error(noChromium());
  const context = await chromium.launchPersistentContext(join(world.root, `chromium-${++started}`), {
    executablePath: chromiumPath,
    headless: true,
    // As root there is no sandbox; without these flags Chromium would also look for updates and a network at every start.
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Letters without coloured edges: the same on every machine, and pictures of half the size.
      '--disable-lcd-text',
    ],
    env: world.env(),
    viewport,
    colorScheme,
    serviceWorkers,
  });
  const complaints: string[] = [];
  context.on('weberror', error => complaints.push(String(error.error())));
  context.on('console', message => {
    // The text does not say what could not be loaded.
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`.trim());
  });
  context.on('requestfailed', request => {
    const why = request.failure()?.errorText ?? 'failed';
    // A stream that the page closed itself is not a complaint.
    if (why !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${why}`);
  });
  const close = () => context.close();
  world.closing(close);
  return { context, page: () => context.newPage(), complaints, close };
}

/** What axe finds wrong on a page that is serious or worse, one line each. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Through the debugger, because the page's policy forbids other scripts.
  const debug = await page.context().newCDPSession(page);
  await debug.send('Runtime.evaluate', { expression: axe.source });
  await debug.detach();
  return page.evaluate(async () => {
    const there = globalThis as unknown as { axe: { run: () => Promise<{ violations: Finding[] }> } };
    const { violations } = await there.axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
  });
}

interface Finding {
  id: string;
  help: string;
  impact: string;
  nodes: { html: string }[];
}

let started = 0;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}
