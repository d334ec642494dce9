/** The page on a phone: paired by a QR code, opened without a connection, and revoked. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, seriousFindings } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import { sessionId } from '../rig/hook.ts';
import { MAIN } from '../rig/drover.ts';
import { addressOf, post } from '../rig/page.ts';
import { readQr } from '../rig/qr.ts';
import { screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';

const version = newest;

describe.skipIf(chromiumPath === undefined)('a phone', () => {
  test('is paired by the QR code of a terminal, opens on the request, works offline, and is signed out when it is revoked', async () => {
    const story = await world({ version });
    writeFileSync(join(story.droverHome, 'config.json'), JSON.stringify({ allowHosts: ['drover.example'] }));
    const daemon = await story.daemon();
    const refused = await story.drover('open', '--qr');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('A phone cannot open')]);
    for (const n of [1, 2, 3])
      await post(daemon, {
        session_id: sessionId(n),
        cwd: `/srv/project-${n}`,
        hook_event_name: 'PermissionRequest',
        tool_name: 'Bash',
        tool_input: { command: `make step-${n}` },
      });

    const at = 'https://drover.example';
    const command = [
      'sh',
      '-c',
      'echo Code:; "$@"; cat',
      'sh',
      process.execPath,
      MAIN,
      'open',
      '--qr',
      '--at',
      at,
    ];
    const screen = await screenOf(story, command, { columns: 100, rows: 40 });
    await screen.sees('Scan it with the device');
    const address = readQr(await screen.text());
    expect(address).toMatch(/^https:\/\/drover\.example\/#ticket=[\w-]{43}$/);

    const { context, page } = await openBrowser(story, { viewport: { width: 390, height: 780 } });
    const tab = await page();
    await tab.goto(`${daemon.url}/${address.slice(address.indexOf('#'))}`);
    // The oldest request is open, and the others are one tap away.
    await tab.locator('article').getByText('make step-1').first().waitFor();
    await tab.getByRole('link', { name: '2 more' }).click();
    await tab.locator('article').getByText('make step-2').first().waitFor();
    await tab.getByRole('button', { name: 'Terminal', exact: true }).click();
    expect(await seriousFindings(tab)).toEqual([]);
    expect((await story.drover('devices')).stdout).toMatch(
      /\n[0-9a-f]{8} +Chrome on Linux +yes +no +\d+ s ago\n$/,
    );

    // The browser was closed: the device is still paired, unlike a tab that `drover open` opened.
    await tab.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await tab.close();
    const again = await context.newPage();
    await again.goto(daemon.url);
    await again.locator('.link.live').waitFor();
    const stranger = await openBrowser(story);
    const other = await stranger.page();
    // The code pairs one device, once.
    await other.goto(`${daemon.url}/${address.slice(address.indexOf('#'))}`);
    await other.getByText('This browser is not signed in.').waitFor();
    await other.goto(await addressOf(story));
    await other.locator('.link.live').waitFor();

    await context.setOffline(true);
    await again.reload();
    await again.locator('.link', { hasText: 'offline' }).waitFor();
    await again.locator('p:visible', { hasText: 'You are offline.' }).first().waitFor();
    // Views that were never opened are there too.
    await again.getByRole('link', { name: 'Waits' }).click();
    await again.getByRole('heading', { name: 'How long they waited for you' }).waitFor();
    await again.getByRole('link', { name: /^Sessions/ }).click();
    await context.setOffline(false);
    await again.locator('.link.live').waitFor();
    await again.locator('article').getByText('make step-1').first().waitFor();

    // The list on the page, and a revocation that ends the streams of this device alone.
    await other.getByRole('button', { name: 'Devices' }).click();
    const dialog = other.getByRole('dialog', { name: 'Devices' });
    await dialog.getByText('this device').waitFor();
    expect(await seriousFindings(other)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign out Chrome on Linux' }).click();
    await again.getByText('This browser is not signed in.').waitFor();
    await dialog.getByRole('button', { name: /Sign out/ }).waitFor({ state: 'detached' });
    expect(await other.locator('.link.live').count()).toBe(1);
    const { stdout } = await story.drover('devices', '--json');
    const { devices } = JSON.parse(stdout) as { devices: { id: string; paired: boolean }[] };
    expect(devices.map(({ paired }) => paired)).toEqual([false]);
    expect((await story.drover('devices', 'rm', 'ffffffff')).code).toBe(4);
    expect((await story.drover('devices', 'rm', devices[0]?.id ?? '')).code).toBe(0);
    await other.getByText('This browser is not signed in.').waitFor();
  });

  test('the policy of the page allows its own worker and manifest, and nothing more than before', async () => {
    const story = await world({ version });
    const { url } = await story.daemon();
    const { headers } = await fetch(url);
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types drover-service-worker',
      "worker-src 'self'",
      "manifest-src 'self'",
    ]);
    const manifest = (await (await fetch(`${url}/manifest.webmanifest`)).json()) as {
      icons: { src: string }[];
    };
    for (const { src } of manifest.icons) {
      const icon = await fetch(`${url}${src}`);
      expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, 'image/png']);
    }
  });
});
