import { expect, test, vi } from 'vitest';
import type { PushMessage } from '../../contract/push.ts';
import { type NotificationWorker, type Post, showNotifications } from './notifications.ts';

const message: PushMessage = {
  title: 'shop: needs approval',
  body: 'Bash: touch made',
  tag: 's1',
  session: 's1',
  actions: ['allow', 'deny'],
  request: 7,
  key: 'k',
};

const post = vi.fn<Post>();

/** A worker that records what it shows and opens. */
const opened = (windows: { focus: () => Promise<void>; navigate: (to: string) => Promise<void> }[] = []) => {
  const listeners = new Map<string, (event: object) => void>();
  const shown: [string, { body: string; actions: { title: string }[] }][] = [];
  const opens: string[] = [];
  showNotifications(
    {
      addEventListener: (name: string, listener: never) => void listeners.set(name, listener),
      registration: {
        showNotification: async (title: string, options: never) => void shown.push([title, options]),
      },
      clients: {
        matchAll: () => Promise.resolve(windows),
        openWindow: async (to: string) => void opens.push(to),
      },
    } as unknown as NotificationWorker,
    post,
  );
  const fire = async (name: string, event: object) => {
    let work: Promise<unknown> = Promise.resolve();
    listeners.get(name)?.({ ...event, waitUntil: (given: Promise<unknown>) => (work = given) });
    await work;
  };
  return {
    shown,
    opens,
    push: (data: unknown) => fire('push', { data: { json: () => data } }),
    click: (action: string, data = message) =>
      fire('notificationclick', { action, notification: { title: data.title, data, close: () => {} } }),
  };
};

test('a push becomes a notification with its actions; one that cannot be read too', async () => {
  const { shown, push } = opened();
  await push(message);
  await push({ surprise: true });
  expect(shown).toMatchObject([
    [
      'shop: needs approval',
      { body: 'Bash: touch made', tag: 's1', actions: [{ title: 'Allow' }, { title: 'Deny' }] },
    ],
    ['Drover', { actions: [] }],
  ]);
});

test('an action sends the key once, and only a refusal is shown', async () => {
  const { shown, opens, click } = opened();
  const refusal = { error: { message: 'Already allowed in the terminal 2.0 s ago.' } };
  const answers = [Response.json({}), Response.json(refusal, { status: 409 })];
  post.mockImplementation(() => Promise.resolve(answers.shift() as Response));
  await click('allow');
  expect([shown, opens]).toEqual([[], []]);
  expect(post).toHaveBeenCalledWith('/page/push/answer', { key: 'k', request: 7, choice: 'allow' });
  await click('deny');
  expect(shown).toMatchObject([['Not sent: Deny', { body: refusal.error.message, actions: [] }]]);
  post.mockRejectedValueOnce(new Error('The daemon does not answer.'));
  await click('deny');
  expect(shown.at(-1)?.[1].body).toContain('The daemon does not answer.');
});

test('a tap and Review open the session, in the page that is open or in a new one', async () => {
  const fresh = opened();
  await fresh.click('');
  await fresh.click('review', { ...message, session: null });
  expect(fresh.opens).toEqual(['/#/s/s1', '/']);
  const went: string[] = [];
  const window = { focus: () => Promise.resolve(), navigate: async (to: string) => void went.push(to) };
  const { opens, click } = opened([window]);
  await click('review');
  expect([went, opens]).toEqual([['/#/s/s1'], []]);
});
