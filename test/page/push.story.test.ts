/** Push notifications: encrypted to a device, shown by its service worker, and answered by their actions. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PushMessage } from '../../src/contract/push.ts';
import { openPushReceiver } from '../../src/testing/push-receiver.ts';
import { chromiumPath, openBrowser, seriousFindings } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import { notification, pressAction, pushDelivery, subscribable } from '../rig/push.ts';
import { heldSession } from '../rig/requests.ts';
import { until } from '../rig/within.ts';

const version = newest;

const config = {
  // Long enough for the hook of a request to wait for its answer.
  notify: { after: 4, cooldown: 0 },
  push: { subject: 'mailto:me@example.org', services: ['127.0.0.1'], details: true },
};

describe.skipIf(chromiumPath === undefined)('a push notification', () => {
  test('reaches a paired device, allows a request once, and comes too late after the terminal', async () => {
    const service = await openPushReceiver();
    const { story, hub, seat, id, held } = await heldSession(version, {
      config,
      daemon: { env: { DROVER_TEST_PUSH: '1' } },
    });
    const { stdout } = await story.drover('open', '--qr', '--json', '--at', hub.url);
    const { context, page } = await openBrowser(story);
    await subscribable(context, hub.url, service.subscription);
    const tab = await page();
    await tab.goto((JSON.parse(stdout) as { url: string }).url);
    await tab.locator('.link.live').waitFor();
    await tab.getByRole('button', { name: 'Devices' }).click();
    const dialog = tab.getByRole('dialog', { name: 'Devices' });
    await dialog.getByRole('checkbox', { name: 'Push notifications on this device' }).click();
    await dialog.getByText('paired, notified').waitFor();
    expect(await seriousFindings(tab)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect((await story.drover('devices')).stdout).toMatch(/ yes +yes +\d+ s ago\n$/);
    // A session that the page shows is in sight: nothing would be sent.
    await tab.goto(`${hub.url}/#/audit`);
    const deliver = await pushDelivery(context, tab);

    /** The session asks for a command, and the push service gets the notification. */
    const pushed = async (command: string): Promise<PushMessage> => {
      await seat.type(`RUN ${command}`);
      const [request] = await held(1);
      return service.next(message => message.request === request?.id);
    };
    /** Sends what a notification sends, with the cookie of the device, but without the proof of its page. */
    const sendUnproved = ({ key, request }: PushMessage, choice: string) =>
      tab.evaluate<string>(
        `fetch('/page/push/answer', {
          method: 'POST',
          body: JSON.stringify(${JSON.stringify({ key, request, choice })}),
        }).then(async answer => answer.ok ? 'ok' : (await answer.json()).error.message)`,
      );
    const exists = (file: string) =>
      until(
        20_000,
        () => `${file} was not made`,
        () => existsSync(join(story.dir(), file)) || undefined,
      );

    const first = await pushed('touch made');
    await deliver(first);
    expect(await notification(tab, 'touch made')).toMatchObject({
      title: 'project: needs approval',
      actions: ['Allow', 'Deny'],
    });
    expect(await sendUnproved(first, 'allow')).toContain('expired');
    await pressAction(context, 'allow');
    await exists('made');
    // The same push a second time, as if somebody had recorded it.
    await deliver(first);
    await notification(tab, 'touch made');
    await pressAction(context, 'allow');
    await notification(tab, 'This notification was already answered.');
    await seat.file(({ status }) => status === 'idle');

    // Somebody at the terminal is faster than the phone.
    const second = await pushed('touch second');
    await deliver(second);
    await notification(tab, 'touch second');
    await seat.asks('Do you want to proceed?');
    await seat.press('Enter');
    await exists('second');
    await hub.is(id, ({ requests }) => requests.length === 0, 20_000);
    await pressAction(context, 'allow');
    expect(await notification(tab, /Already (?:allowed|answered) in the terminal/)).toMatchObject({
      title: 'Not sent: Allow',
      actions: [],
    });
    await seat.file(({ status }) => status === 'idle');

    // More than a notification shows: it can be denied, not allowed.
    const third = await pushed(`touch third-${'x'.repeat(220)}`);
    expect(third.actions).toEqual(['review', 'deny']);
    await deliver(third);
    expect((await notification(tab, 'third-')).actions).toEqual(['Review', 'Deny']);
    await pressAction(context, 'deny');
    await seat.sees('Denied by PermissionRequest hook');
  });
});
