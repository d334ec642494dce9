/** Shows push notifications, and answers a request when one of their actions is pressed. A tap opens the request. */
import type { PathOf } from '../../client/route-call.ts';
import type { PushAction, PushMessage } from '../../contract/push.ts';

/** What this uses of the worker's global scope. */
export interface NotificationWorker {
  addEventListener: ((name: 'push', listener: (event: PushEvent) => void) => void) &
    ((name: 'notificationclick', listener: (event: ClickEvent) => void) => void);
  registration: { showNotification: (title: string, options: object) => Promise<void> };
  clients: {
    matchAll: (options: { type: 'window'; includeUncontrolled: boolean }) => Promise<PageWindow[]>;
    openWindow: (address: string) => Promise<unknown>;
  };
}

interface PushEvent {
  data: { json: () => unknown } | null;
  waitUntil: (work: Promise<unknown>) => void;
}

interface ClickEvent {
  /** The pressed action; empty for a tap on the notification. */
  action: string;
  notification: { title: string; data: PushMessage; close: () => void };
  waitUntil: (work: Promise<unknown>) => void;
}

interface PageWindow {
  focus: () => Promise<unknown>;
  navigate: (address: string) => Promise<unknown>;
}

/** Sends a body to a path of the daemon as the page does. */
export type Post = (path: string, body: object) => Promise<Response>;

export const showNotifications = (worker: NotificationWorker, post: Post): void => {
  worker.addEventListener('push', event => event.waitUntil(show(worker, messageIn(event))));
  worker.addEventListener('notificationclick', event => {
    event.notification.close();
    const { action, notification } = event;
    const isAnswer = action === 'allow' || action === 'deny';
    event.waitUntil(
      isAnswer
        ? answer(worker, post, notification.data, action)
        : openPage(worker, notification.data.session),
    );
  });
};

const labels: Record<PushAction, string> = { allow: 'Allow', deny: 'Deny', review: 'Review' };

const show = (worker: NotificationWorker, message: PushMessage): Promise<void> =>
  worker.registration.showNotification(message.title, {
    body: message.body,
    tag: message.tag,
    renotify: true,
    icon: '/page/icon-192.png' satisfies PathOf<'appIcon'>,
    data: message,
    actions: message.actions.map(action => ({ action, title: labels[action] })),
  });

/** Browsers want a notification for every push, also for one that cannot be read. */
const messageIn = ({ data }: PushEvent): PushMessage => {
  try {
    const message = data?.json() as PushMessage | undefined;
    if (typeof message?.title === 'string' && Array.isArray(message.actions)) return message;
  } catch {
    /* not JSON */
  }
  return { title: 'Drover', body: 'Open the page.', tag: 'digest', session: null, actions: [] };
};

const answer = async (
  worker: NotificationWorker,
  post: Post,
  message: PushMessage,
  choice: 'allow' | 'deny',
): Promise<void> => {
  const { key, request } = message;
  const path = '/page/push/answer' satisfies PathOf<'answerPush'>;
  const problem = await post(path, { key, request, choice }).then(
    problemIn,
    (error: Error) => `${error.message} Tap to open the request.`,
  );
  if (problem === null) return;
  await show(worker, { ...message, title: `Not sent: ${labels[choice]}`, body: problem, actions: [] });
};

/** Why the daemon refused an answer; null when it took it. */
const problemIn = async (response: Response): Promise<string | null> => {
  if (response.ok) return null;
  const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
  return error?.message ?? 'The daemon rejected the answer.';
};

const openPage = async ({ clients }: NotificationWorker, session: string | null): Promise<void> => {
  const address = session === null ? '/' : `/#/s/${session}`;
  const [window] = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  try {
    if (!window) throw new Error('no window is open');
    await window.focus();
    await window.navigate(address);
  } catch {
    await clients.openWindow(address);
  }
};
