/** Push notifications in Chromium: subscribed without a push service of the internet, delivered and pressed by the debugger. */
import type { BrowserContext, Page } from 'playwright-core';
import type { PushMessage, PushSubscription } from '../../src/contract/push.ts';
import { until } from './within.ts';

export interface ShownNotification {
  title: string;
  body: string;
  actions: string[];
}

/** Lets every page of a browser show notifications, and gives them this subscription when they ask for one. */
export async function subscribable(
  context: BrowserContext,
  origin: string,
  subscription: PushSubscription,
): Promise<void> {
  await context.grantPermissions(['notifications'], { origin });
  await context.addInitScript({
    content: `
      PushManager.prototype.getSubscription = async () => null;
      PushManager.prototype.subscribe = async () => ({ toJSON: () => (${JSON.stringify(subscription)}) });
    `,
  });
}

/** Returns a function that delivers a message to the service worker of a page, as the browser does. */
export async function pushDelivery(
  context: BrowserContext,
  tab: Page,
): Promise<(message: PushMessage) => Promise<void>> {
  await tab.evaluate('navigator.serviceWorker.ready.then(() => true)');
  const debug = await context.newCDPSession(tab);
  const { origin } = new URL(tab.url());
  let registrationId: string | undefined;
  debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId =
      registrations.find(one => one.scopeURL === `${origin}/` && !one.isDeleted)?.registrationId ??
      registrationId;
  });
  await debug.send('ServiceWorker.enable');
  const id = await until(
    15_000,
    () => 'no service worker is registered',
    () => registrationId,
  );
  return async message => {
    const data = JSON.stringify(message);
    const worker = await workerOf(context);
    await worker.evaluate(noteShown);
    await debug.send('ServiceWorker.deliverPushMessage', { origin, registrationId: id, data });
    await worker.evaluate('self.shown');
  };
}

/**
 * Run in a worker: `self.shown` is resolved when the next notification is on the screen. Chromium removes a notification whose
 * page asks for the list of notifications just before that.
 */
const noteShown = `self.shown = new Promise((resolve, reject) => {
  registration.showNotification = (...given) => {
    delete registration.showNotification;
    const showing = registration.showNotification(...given);
    showing.then(resolve, reject);
    return showing;
  };
}), null`;

const workerOf = async (context: BrowserContext) =>
  context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));

/** Awaits a notification on the screen that fits, by its title or its body. */
export async function notification(tab: Page, text: string | RegExp): Promise<ShownNotification> {
  let last: ShownNotification[] = [];
  return until(
    15_000,
    () => `${String(text)} is not among ${JSON.stringify(last)}`,
    async () => {
      last = await tab.evaluate<ShownNotification[]>(`navigator.serviceWorker.ready
        .then(registration => registration.getNotifications())
        .then(list => list.map(({ title, body, actions }) => ({
          title, body, actions: actions.map(({ title }) => title),
        })))`);
      return last.find(({ title, body }) => `${title}\n${body}`.search(text) >= 0);
    },
  );
}

/**
 * Presses an action of the notification on the screen, and awaits what the worker does. The event is made by hand, because a
 * headless browser has nothing to press; `waitUntil` of such an event throws, so it is replaced.
 */
export async function pressAction(context: BrowserContext, action: string): Promise<void> {
  const worker = await workerOf(context);
  await worker.evaluate(`(async () => {
    const [notification] = await registration.getNotifications();
    const event = new NotificationEvent('notificationclick', { notification, action: ${JSON.stringify(action)} });
    let work;
    Object.defineProperty(event, 'waitUntil', { value: given => { work = given; } });
    dispatchEvent(event);
    await work;
  })()`);
}
