/** Who may use the page: one-time tickets, cookies only with their key, and no other origin, in a real browser. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chromiumPath, openBrowser } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { addressOf, openPage } from '../rig/page.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const version = newest;

describe.skipIf(chromiumPath === undefined)('the page accepts', () => {
  test('a ticket once, until sign-out or `drover token rotate`', async () => {
    const story = await world({ version });
    const { url, token } = await story.daemon();
    const { page, context, tab, complaints } = await openPage(story);
    expect(tab.url()).toBe(`${url}/`);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    await tab.reload();
    await tab.locator('.link.live').waitFor();

    const address = await addressOf(story);
    const second = await page();
    await second.goto(address);
    await second.locator('.link.live').waitFor();
    // Another tab with its own ticket does not affect the first one.
    await tab.reload();
    await tab.locator('.link.live').waitFor();
    const other = await openBrowser(story);
    const late = await other.page();
    await late.goto(address);
    await late.getByText('This browser is not signed in.').waitFor();
    expect(await other.context.cookies()).toEqual([]);
    // A page that is reloaded closes its stream.
    expect(complaints).toEqual([]);

    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByText('This browser is not signed in.').waitFor();
    await second.getByText('This browser is not signed in.').waitFor();

    await late.goto(await addressOf(story));
    await late.locator('.link.live').waitFor();
    expect((await story.drover('token', 'rotate')).stdout).toContain('All browsers are signed out');
    await late.getByText('This browser is not signed in.').waitFor();
    const status = (bearer: string) =>
      fetch(`${url}/sessions`, { headers: { Authorization: `Bearer ${bearer}` } }).then(
        answer => answer.status,
      );
    expect(await status(token)).toBe(401);
    await late.goto(await addressOf(story));
    await late.locator('.link.live').waitFor();
  });

  test('the browser that `drover open` starts, without the ticket on a command line', async () => {
    const story = await world({ version });
    const { url } = await story.daemon();
    const started = join(story.root, 'started');
    const program = await fakeBrowser(
      story,
      `printf '%s\\n' "$@" >${started}.tmp; mv ${started}.tmp ${started}`,
    );
    const opening = openWith(story, program);
    const words = (
      await until(
        10_000,
        () => 'no browser was started',
        () => readFile(started, 'utf8').catch(() => undefined),
      )
    )
      .trim()
      .split('\n');
    const file = words.at(-1) ?? '';
    expect(file).toMatch(new RegExp(`^file://${story.droverHome}/opening/[\\w-]+\\.html$`));
    expect(words.join(' ')).not.toContain('ticket');
    const path = fileURLToPath(file);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    const { page, complaints } = await openBrowser(story);
    const tab = await page();
    await tab.goto(file);
    await tab.locator('.link.live').waitFor();
    expect(tab.url()).toBe(`${url}/`);
    expect(complaints).toEqual([]);
    expect(await opening).toMatchObject({ code: 0, stdout: `Opened ${url} in your browser\n` });
    expect(await readdir(dirname(path))).toEqual([]);
  });

  test('a browser that cannot read the file, with the address printed after 5 s', async () => {
    const story = await world({ version });
    const { url } = await story.daemon();
    const program = await fakeBrowser(story, 'exit 0');
    const { stdout, stderr } = await openWith(story, program);
    expect(stderr).toContain('No browser signed in within 5 s.');
    expect(stdout.trim()).toMatch(new RegExp(`^${url}/#ticket=`));
    const { page } = await openBrowser(story);
    const tab = await page();
    await tab.goto(stdout.trim());
    await tab.locator('.link.live').waitFor();
    const broken = await openWith(story, join(story.root, 'nothing'));
    expect(broken.stdout.trim()).toMatch(/#ticket=/);
    expect(broken.stderr).not.toContain('within 5 s');
  });

  test('no other origin, even from a signed-in browser that sends the cookie', async () => {
    const story = await world({ version });
    const { url } = await story.daemon();
    const { page, context } = await openPage(story);
    const heard: IncomingMessage[] = [];
    const stranger = await serve(heard);
    const tab = await page();
    const answers: string[] = [];
    tab.on('response', response => {
      if (response.url().startsWith(url))
        answers.push(`${response.status()} ${new URL(response.url()).pathname}`);
    });
    await tab.goto(stranger);
    // The same host on another port gets our cookie: that is not enough.
    expect(heard[0]?.headers.cookie).toContain('drover-');
    const tried = await tab.evaluate(async base => {
      const attempt = (path: string, options: RequestInit) =>
        fetch(`${base}${path}`, { credentials: 'include', ...options }).then(
          answer => answer.type,
          () => 'refused',
        );
      return Promise.all([
        attempt('/sessions', {}),
        attempt('/sessions', { mode: 'no-cors' }),
        attempt('/stop', { method: 'POST', mode: 'no-cors' }),
        attempt('/stop', { method: 'POST', headers: { 'X-Drover-Page': 'x' } }),
        attempt('/page/session', { method: 'POST', mode: 'no-cors', body: '{"ticket":"x"}' }),
        attempt('/', { mode: 'no-cors' }),
      ]);
    }, url);
    expect(tried).toEqual(['refused', 'opaque', 'opaque', 'refused', 'opaque', 'opaque']);
    // Chromium hides what a page of another origin may not see; the daemon rejects the rest.
    expect(answers.length).toBeGreaterThanOrEqual(4);

    // Neither in a frame, nor as a script.
    await tab.goto(`${stranger}/frame?${encodeURIComponent(url)}`);
    expect(answers.at(-1)).toBe('403 /');
    expect(answers.filter(answer => !answer.startsWith('403'))).toEqual([]);
    expect((await (await fetch(`${url}/healthz`)).json()) as object).toMatchObject({ ok: true });

    // The cookie alone, without the key of the tab, or without the browser's word for who asks.
    const [cookie] = await context.cookies();
    const own = await page();
    await own.goto(url);
    await own.getByText('This browser is not signed in.').waitFor();
    const bare = await own.evaluate(async () => [
      (await fetch('/sessions')).status,
      (await fetch('/sessions', { headers: { 'X-Drover-Page': 'guessed' } })).status,
    ]);
    expect(bare).toEqual([401, 401]);
    const headers = { Cookie: `${cookie?.name}=${cookie?.value}`, 'Sec-Fetch-Site': 'same-origin' };
    expect((await fetch(`${url}/sessions`, { headers })).status).toBe(401);
  });

  test('nothing from outside: a strict policy, and no request to another host', async () => {
    const story = await world({ version });
    const { url } = await story.daemon();
    const answer = await fetch(url);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self'.*frame-ancestors 'none'/,
    );
    const html = await answer.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|https?:/);
    const first = await firstScripts(new URL('/page/app.js', url));
    expect(first.bytes).toBeLessThan(115_000);
    const preloaded = [...html.matchAll(/modulepreload" href="([^"]+)"/g)].map(([, path]) => path);
    expect(['/page/app.js', ...preloaded].sort()).toEqual(first.paths.sort());
  });

  test('a page that is open while Drover is updated reloads once, shows the view and says why', async () => {
    const story = await world({ version });
    await story.daemon();
    const { tab, sees } = await openPage(story, { serviceWorkers: 'block' });
    // What the updated daemon answers: the chunk is gone, and the script names others.
    await tab.route('**/page/chunks/day-*.js', route => route.fulfill({ status: 404 }), { times: 1 });
    await tab.route(
      '**/page/app.js',
      route => route.fulfill({ contentType: 'text/javascript', body: 'import "./chunks/chunk-NEXT.js"' }),
      { times: 1 },
    );
    await tab.getByRole('link', { name: 'Day' }).click();
    await sees('Drover was updated. The page has reloaded.');
    await tab.getByRole('region', { name: 'The day' }).waitFor();
  });
});

/** The scripts that a browser loads before it shows anything, and their bytes on the wire. */
async function firstScripts(entry: URL): Promise<{ paths: string[]; bytes: number }> {
  const found = new Map<string, number>();
  const load = async (script: URL): Promise<void> => {
    if (found.has(script.pathname)) return;
    found.set(script.pathname, 0);
    const answer = await fetch(script, { headers: { 'Accept-Encoding': 'gzip' } });
    found.set(script.pathname, Number(answer.headers.get('content-length')));
    const text = await answer.text();
    for (const [, path = ''] of text.matchAll(/(?:^|[;\s}])(?:import|export)[^;"'()]*["'](\.[^"']+)["']/g))
      await load(new URL(path, script));
  };
  await load(entry);
  return { paths: [...found.keys()], bytes: [...found.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

/** A program that `drover open` takes for a browser. */
async function fakeBrowser(story: World, script: string): Promise<string> {
  const file = join(story.root, 'browser');
  await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

function openWith(story: World, browser: string) {
  return story.run(process.execPath, [MAIN, 'open'], { env: { BROWSER: browser } });
}

/** A web page of somebody else on this machine; ends with the test. */
async function serve(heard: IncomingMessage[]): Promise<string> {
  const server: Server = createServer((request, response) => {
    heard.push(request);
    const inside = decodeURIComponent((request.url ?? '').split('?')[1] ?? '');
    response.setHeader('Content-Type', 'text/html');
    response.end(
      inside
        ? `<script src="${inside}/page/app.js"></script><iframe src="${inside}/"></iframe>`
        : '<h1>stranger</h1>',
    );
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
