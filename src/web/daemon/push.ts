/** Turns push notifications of this device on and off. */
import { call } from './call.ts';

/** Asks the browser for permission and subscribes. `key` is the public key of the daemon. */
export const subscribe = async (key: string): Promise<void> => {
  const pushManager = await manager();
  // One that was made for another key cannot be used.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = '', keys } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  await call('subscribePush', { body: { endpoint, keys: { p256dh, auth } } });
};

export const unsubscribe = async (): Promise<void> => {
  await call('unsubscribePush');
  await (await (await manager()).getSubscription())?.unsubscribe();
};

const manager = async (): Promise<PushManager> => {
  if (!('PushManager' in window))
    throw new Error('This browser has no push notifications. On iOS, add the page to the home screen first.');
  return (await navigator.serviceWorker.ready).pushManager;
};
