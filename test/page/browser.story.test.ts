/** The browser of the rig: it opens what the daemon serves, reports failures, and closes with its world. */
import { describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, seriousFindings } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import { world } from '../rig/story.ts';

const version = newest;

describe.skipIf(chromiumPath === undefined)('a browser', () => {
  test('opens what the daemon serves, reports what fails, and closes with its world', async () => {
    const opened = await world({ version });
    const { url, token } = await opened.daemon();
    const { page, complaints } = await openBrowser(opened);
    const tab = await page();
    const health = await tab.goto(new URL('/healthz', url).href);
    expect(health?.status()).toBe(200);
    expect(await tab.textContent('body')).toContain('"ok":true');
    const refused = await tab.evaluate(async () => (await fetch('/sessions')).status);
    expect(refused).toBe(401);
    expect(complaints.join()).toContain('401');
    const listed = await tab.evaluate(
      async bearer => (await fetch('/sessions', { headers: { authorization: `Bearer ${bearer}` } })).status,
      token,
    );
    expect(listed).toBe(200);
    await opened.close();
    expect(await opened.processes()).toEqual([]);
  });
  test('reports what a page lacks for a screen reader, even with a policy against scripts', async () => {
    const { page } = await openBrowser(await world({ version }));
    const tab = await page();
    const headers = { 'content-security-policy': "default-src 'none'" };
    const body = (image: string) =>
      `<!doctype html><html lang="en"><title>t</title><main><h1>t</h1>${image}</main></html>`;
    await tab.route('http://page.test/*', route =>
      route.fulfill({
        contentType: 'text/html',
        headers,
        body: body(route.request().url().endsWith('good') ? '<img alt="a" src="">' : '<img src="">'),
      }),
    );
    await tab.goto('http://page.test/good');
    expect(await seriousFindings(tab)).toEqual([]);
    await tab.goto('http://page.test/bad');
    expect(await seriousFindings(tab)).toEqual([expect.stringMatching(/^image-alt: .*<img src="">$/)]);
  });
});
