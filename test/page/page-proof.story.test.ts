/** Another program that takes the daemon's port while it is down learns nothing that works later; in a real browser. */
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chromiumPath } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import { openPage } from '../rig/page.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

const version = newest;

interface Heard {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

describe.skipIf(chromiumPath === undefined)('a stranger on the port while the daemon is down', () => {
  test('gets no key, no message and nothing that works after the restart; the page then reconnects by itself', async () => {
    const story = await world({ version });
    const daemon = await story.daemon();
    const port = Number(new URL(daemon.url).port);
    const { tab, sees, context } = await openPage(story);
    const captured: Heard[] = [];
    tab.on('request', sent => {
      const { pathname } = new URL(sent.url());
      if (pathname !== '/sessions' && pathname !== '/queue') return;
      void sent.allHeaders().then(headers =>
        captured.push({
          method: sent.method(),
          url: sent.url().slice(daemon.url.length),
          headers,
          body: '',
        }),
      );
    });
    await tab.reload();
    await tab.locator('.link.live').waitFor();
    await until(
      10_000,
      () => 'no request of the page was seen',
      () => (captured.length > 0 ? true : undefined),
    );

    await daemon.kill9();
    const stranger = await listen(port);
    await sees('Another program answers at this address');
    await tab.locator('.link.live').waitFor({ state: 'detached' });
    // A refusal that claims that the browser is signed out does not make it forget its key.
    stranger.status = 401;
    await sees('This browser is not signed in.');
    stranger.status = 200;
    const data = stranger.heard.filter(
      ({ url }) => !/^\/(?:page\/(?:icon|app|chunks)|sw\.js|manifest|$)/.test(url),
    );
    expect(new Set(data.map(({ url }) => url))).toEqual(new Set(['/page/channel']));
    expect(data.every(({ headers }) => headers['x-drover-page'] === undefined)).toBe(true);
    await stranger.close();

    await story.daemon({ port });
    await tab.locator('.link.live').waitFor({ timeout: 60_000 });
    // What it has heard, and what the page sent before, with the cookie and as a browser would.
    for (const { method, url, headers, body } of [...stranger.heard, ...captured]) {
      const status = await send(port, { method, url, headers, body });
      // The files of the page are open to everybody, and a channel without the key is of no use.
      if (/^\/(?:page\/.*|sw\.js|manifest\.webmanifest)?$/.test(url)) continue;
      expect([url, status]).toEqual([url, 401]);
    }
    const [cookie] = await context.cookies();
    const own = { Cookie: `${cookie?.name}=${cookie?.value}`, 'Sec-Fetch-Site': 'same-origin' };
    expect(await send(port, { method: 'GET', url: '/sessions', headers: own, body: '' })).toBe(401);
  });

  test('a captured request is refused the second time, and the key of the page cannot be read', async () => {
    const story = await world({ version });
    const { url } = await story.daemon();
    const { tab } = await openPage(story);
    const [sent] = await Promise.all([tab.waitForRequest(`${url}/events?only=state`), tab.reload()]);
    await tab.locator('.link.live').waitFor();
    const headers = await sent.allHeaders();
    expect(headers['x-drover-page']).toBeDefined();
    const port = Number(new URL(url).port);
    expect(await send(port, { method: 'GET', url: '/events?only=state', headers, body: '' })).toBe(401);
    const key = await tab.evaluate<string>(`new Promise((resolve, reject) => {
      const opening = indexedDB.open('drover');
      opening.onerror = reject;
      opening.onsuccess = () => {
        const asked = opening.result.transaction('keys').objectStore('keys').get('drover-page');
        asked.onsuccess = () => crypto.subtle.exportKey('raw', asked.result.key).then(() => resolve('read'), error => resolve(error.name));
      };
    })`);
    expect(key).toBe('InvalidAccessError');
    const stored = await tab.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(stored).not.toMatch(/[\w-]{43}/);
  });
});

/** A program that takes the port and answers everything. */
const listen = async (port: number) => {
  const stranger = { status: 200, heard: [] as Heard[], close: async () => {} };
  const server = createServer((asked, response) => {
    let body = '';
    asked.on('data', chunk => (body += String(chunk)));
    asked.on('end', () => {
      const { method = '', url = '', headers } = asked;
      stranger.heard.push({ method, url, headers, body });
      response.writeHead(stranger.status, { 'Content-Type': 'application/json' });
      response.end(
        stranger.status === 401
          ? '{"error":{"code":"unauthorized","message":"no","hint":""}}'
          : '{"channel":"cccccccccccccccccccccc","proof":"ppppppppppppppppppppppppppppppppppppppppppp","sessions":[]}',
      );
    });
  });
  stranger.close = () =>
    new Promise<void>(done => {
      server.close(() => done());
      server.closeAllConnections();
    });
  onTestFinished(stranger.close);
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
  return stranger;
};

const send = (port: number, { method, url, headers, body }: Heard): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
    request({ host: '127.0.0.1', port, method, path: url, headers: kept, agent: false }, response => {
      response.destroy();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(body);
  });
