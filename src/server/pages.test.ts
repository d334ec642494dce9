import { readFileSync, statSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { tempHome } from '../testing/home.ts';
import { Pages } from './pages.ts';

const opened = () => {
  const paths = tempHome();
  const clock = { time: 1_000_000, now: () => clock.time };
  const open = () => new Pages(paths.pages, clock);
  const pages = open();
  const enter = (cookie?: string) => pages.use(pages.ticket().ticket, cookie);
  return { pages, clock, open, enter, file: paths.pages };
};

test('a ticket works once, and not after it has expired', () => {
  const { pages, clock } = opened();
  const { ticket, until } = pages.ticket();
  expect(pages.use(ticket, undefined)).toMatchObject({ cookie: expect.any(String) as string });
  expect(pages.use(ticket, undefined)).toBeNull();
  expect(pages.use('guessed', undefined)).toBeNull();
  const late = pages.ticket().ticket;
  clock.time = until + 1;
  expect(pages.use(late, undefined)).toBeNull();
});

test('a cookie is valid only with a key of its own browser', () => {
  const { pages, enter } = opened();
  const [one, two] = [enter(), enter()];
  expect(pages.isSignedIn(one?.cookie ?? '', one?.key ?? '')).toBe(true);
  expect(pages.isSignedIn(one?.cookie ?? '', two?.key ?? '')).toBe(false);
  expect(pages.isSignedIn('', one?.key ?? '')).toBe(false);
});

test('a second tab keeps the cookie of the first, and both are valid; signing out ends both', () => {
  const { pages, enter } = opened();
  const first = enter();
  const cookie = first?.cookie ?? '';
  const second = enter(cookie);
  expect(second?.cookie).toBeNull();
  const known = () => [first, second].map(tab => pages.isSignedIn(cookie, tab?.key ?? ''));
  expect(known()).toEqual([true, true]);
  pages.leave(cookie);
  expect(known()).toEqual([false, false]);
  expect(enter(cookie)?.cookie).not.toBeNull();
});

test('sign-ins survive a restart in a private file without secrets; time and `clear` end them', () => {
  const { enter, open, clock, pages, file } = opened();
  const { cookie, key } = enter() as { cookie: string; key: string };
  expect(open().isSignedIn(cookie, key)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect([text.includes(cookie), text.includes(key)]).toEqual([false, false]);
  clock.time += limits.page.age;
  expect(open().isSignedIn(cookie, key)).toBe(false);
  clock.time -= limits.page.age;
  pages.clear();
  expect(open().isSignedIn(cookie, key)).toBe(false);
});

test('beyond the limit the oldest tickets and browsers are dropped', () => {
  const { pages, enter } = opened();
  const { ticket } = pages.ticket();
  for (let n = 0; n < limits.page.tickets; n++) pages.ticket();
  expect(pages.use(ticket, undefined)).toBeNull();
  const first = enter() as { cookie: string; key: string };
  for (let n = 0; n < limits.page.browsers; n++) enter();
  expect(pages.isSignedIn(first.cookie, first.key)).toBe(false);
});

test('waiting for a ticket resolves when a browser uses it, before or after', async () => {
  const { pages } = opened();
  const { ticket, id } = pages.ticket();
  const waits = pages.isUsed(id, 60_000);
  pages.use(ticket, undefined);
  expect(await waits).toBe(true);
  expect(await pages.isUsed(id, 60_000)).toBe(true);
  expect(await pages.isUsed(pages.ticket().id, 1)).toBe(false);
  expect(await pages.isUsed('unknown', 60_000)).toBe(false);
});

test('a spent ticket is reported once: used, dropped for newer ones, or cleared', () => {
  const spent: string[] = [];
  const pages = new Pages(tempHome().pages, { now: () => 0 }, id => spent.push(id));
  const { ticket, id } = pages.ticket();
  pages.use(ticket, undefined);
  pages.use(ticket, undefined);
  expect(spent).toEqual([id]);
  const ids = Array.from({ length: limits.page.tickets + 1 }, () => pages.ticket().id);
  expect(spent).toEqual([id, ids[0]]);
  pages.clear();
  expect(spent).toEqual([id, ...ids]);
});

test('a ticket is reported when it expires', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const spent: string[] = [];
  const pages = new Pages(tempHome().pages, { now: () => Date.now() }, id => spent.push(id));
  const { id } = pages.ticket();
  vi.advanceTimersByTime(limits.page.ticketAge - 1);
  expect(spent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(spent).toEqual([id]);
});

test('a paired device is listed with its name, stays beyond the age of other browsers while it is used, and is revoked alone', () => {
  const { pages, clock, enter, open } = opened();
  const browser = enter();
  const device = pages.use(pages.ticket(true).ticket, undefined, 'Safari on iPhone');
  const { cookie, key } = device as { cookie: string; key: string };
  expect([browser?.paired, device?.paired]).toEqual([false, true]);
  clock.time += limits.page.age;
  expect(pages.isSignedIn(cookie, key)).toBe(true);
  expect(open().devices(cookie)).toMatchObject([
    { name: 'Safari on iPhone', paired: true, seen: clock.time, own: true },
  ]);
  expect(pages.isSignedIn(browser?.cookie ?? '', browser?.key ?? '')).toBe(false);
  clock.time += limits.page.deviceAge - 1;
  const other = enter();
  const [first] = pages.devices().filter(({ paired }) => paired);
  expect(pages.revoke('ffffffff0')).toBeNull();
  expect(pages.revoke(first?.id ?? '')).toBe(first?.id);
  expect(pages.isSignedIn(cookie, key)).toBe(false);
  expect(pages.isSignedIn(other?.cookie ?? '', other?.key ?? '')).toBe(true);
});

test('a device that was not used for a year has to be paired again', () => {
  const { pages, clock } = opened();
  const { cookie, key } = pages.use(pages.ticket(true).ticket, undefined) as { cookie: string; key: string };
  clock.time += limits.page.deviceAge;
  expect(pages.isSignedIn(cookie, key)).toBe(false);
  expect(pages.devices()).toEqual([]);
});

test('a subscription belongs to one paired device, and goes when it is signed out or not used for long', () => {
  const { pages, clock, open } = opened();
  const pair = () => pages.use(pages.ticket(true).ticket, undefined, 'A phone')?.cookie ?? '';
  const [first, second] = [pair(), pair()];
  const ids = [first, second].map(cookie => pages.pairedId(cookie) ?? '') as [string, string];
  expect(pages.pairedId(pages.use(pages.ticket().ticket, undefined)?.cookie ?? '')).toBeNull();
  const push = { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } };
  const subscribers = () => pages.subscribers().map(({ id }) => id);
  pages.subscribe(ids[0], push);
  expect(open().subscribers()).toEqual([{ id: ids[0], name: 'A phone', subscription: push }]);
  // The same browser, paired again.
  pages.subscribe(ids[1], push);
  expect(subscribers()).toEqual([ids[1]]);
  pages.unsubscribe(ids[1], 'https://push.example/another');
  expect(subscribers()).toEqual([ids[1]]);
  pages.leave(second);
  expect(subscribers()).toEqual([]);
  pages.subscribe(ids[0], push);
  expect(pages.devices().filter(device => device.push)).toMatchObject([{ id: ids[0] }]);
  clock.time += limits.page.deviceAge;
  expect(subscribers()).toEqual([]);
});
