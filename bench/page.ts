/** The page in a real Chromium, with 200 sessions: how fast it loads, how fast it shows a change; and the demo. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { openBrowser } from '../test/rig/browser.ts';
import { newest } from '../test/rig/cli.ts';
import { MAIN } from '../test/rig/drover.ts';
import { hooksOf } from '../test/rig/hook.ts';
import { addressOf } from '../test/rig/page.ts';
import { screenOf } from '../test/rig/screen.ts';
import { until } from '../test/rig/within.ts';
import { openWorld, type World } from '../test/rig/world.ts';
import { crowd, crowdId, sessions } from './board.ts';
import { median, ms, percentile, type Row } from './figures.ts';

const loads = 12;
const changes = 60;
const demos = 5;

export const pageRows = async (): Promise<Row[]> => {
  const world = await openWorld({ version: newest });
  try {
    const { fire } = await hooksOf(world);
    const daemon = await world.daemon();
    await crowd(daemon);
    const { context } = await openBrowser(world, { viewport: { width: 1280, height: 800 } });
    const firsts: number[] = [];
    for (let n = 0; n < loads; n++) firsts.push(await coldLoad(await context.newPage(), world));
    const tab = context.pages().at(-1) as Page;
    const shown: number[] = [];
    for (let n = 0; n < changes; n++) {
      const id = crowdId(n);
      const changed = tab.evaluate(workingAt, id);
      const began = Date.now();
      await fire({ session_id: id, hook_event_name: 'UserPromptSubmit', prompt: 'go on', marked: n });
      shown.push((await changed) - began);
    }
    const script = firstScripts('dist/web/app.js').reduce(
      (bytes, path) => bytes + gzipSync(readFileSync(path), { level: 9 }).length,
      0,
    );
    return [
      {
        what: `page with ${sessions} sessions, cold load to the first session on screen (${loads} loads, nothing cached)`,
        target: '<= 400 ms',
        seen: `median ${ms(median(firsts))}, at most ${ms(Math.max(...firsts))}`,
        met: median(firsts) <= 400,
      },
      {
        what: `page with ${sessions} sessions, from the start of a hook to the row changed on the page (${changes} hooks)`,
        target: 'p95 <= 200 ms',
        seen: `median ${ms(median(shown))}, p95 ${ms(percentile(shown, 95))}`,
        met: percentile(shown, 95) <= 200,
      },
      {
        what: 'scripts of the first load of the page, gzipped',
        target: '<= 120 KB',
        seen: `${(script / 1000).toFixed(1)} KB`,
        met: script <= 120_000,
      },
    ];
  } finally {
    await world.close();
  }
};

/** Measures from the start of the navigation to the frame that shows a session, by the page's own clock. */
const coldLoad = async (tab: Page, world: World): Promise<number> => {
  for (const other of tab.context().pages()) if (other !== tab) await other.close();
  const network = await tab.context().newCDPSession(tab);
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  await tab.addInitScript(noteFirstRow);
  const address = await addressOf(world);
  await tab.goto(address);
  return until(
    10_000,
    () => 'no session is shown',
    () => tab.evaluate(() => (globalThis as unknown as Noted).firstRow),
  );
};

interface Noted {
  firstRow?: number;
}

/** The few types of the browser that are used here: the benchmarks are compiled for Node. */
interface Dom {
  document: { querySelector: (selector: string) => { className: string } | null };
  requestAnimationFrame: (then: () => void) => void;
  MutationObserver: new (
    look: () => void,
  ) => { observe: (node: unknown, options: object) => void; disconnect: () => void };
}

/** Runs in the page, before anything else does. */
const noteFirstRow = (): void => {
  const { document, requestAnimationFrame, MutationObserver } = globalThis as unknown as Dom;
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.row')) return;
    observer.disconnect();
    requestAnimationFrame(() => ((globalThis as unknown as Noted).firstRow = performance.now()));
  });
  observer.observe(document, { childList: true, subtree: true });
};

/** Runs in the page: when a session's row shows that it works. */
export const workingAt = (id: string): Promise<number> => {
  const { document, MutationObserver } = globalThis as unknown as Dom;
  return new Promise(resolve => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector(`li[data-id="${id}"] .row.working`)) return;
      observer.disconnect();
      resolve(Date.now());
    });
    observer.observe(document, { childList: true, subtree: true, attributes: true });
  });
};

export const demoRows = async (): Promise<Row[]> => {
  const seen: number[] = [];
  for (let n = 0; n < demos; n++) {
    const world = await openWorld({ version: newest });
    try {
      const began = performance.now();
      const screen = await screenOf(world, [process.execPath, MAIN, 'demo'], { columns: 110, rows: 32 });
      await screen.sees(/\d waiting[\s\S]*npm publish/);
      seen.push(performance.now() - began);
    } finally {
      await world.close();
    }
  }
  return [
    {
      what: `\`drover demo\` to the first waiting session on screen (${demos} starts)`,
      target: '<= 5 s',
      seen: `median ${(median(seen) / 1000).toFixed(1)} s, at most ${(Math.max(...seen) / 1000).toFixed(1)} s`,
      met: Math.max(...seen) <= 5_000,
    },
  ];
};

/** A script and those that it imports: the browser loads them before it shows anything. */
const firstScripts = (path: string, found: string[] = []): string[] => {
  if (found.includes(path)) return found;
  found.push(path);
  for (const [, imported = ''] of readFileSync(path, 'utf8').matchAll(
    /(?:^|[;\s}])(?:import|export)[^;"'()]*["'](\.[^"']+)["']/g,
  ))
    firstScripts(join(dirname(path), imported), found);
  return found;
};
