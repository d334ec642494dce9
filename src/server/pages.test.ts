import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Ticket } from '../contract/page.ts';
import { proofTexts } from '../contract/page-proof.ts';
import { limits } from '../limits.ts';
import { tempHome } from '../testing/home.ts';
import { macOf } from './page-mac.ts';
import { Pages } from './pages.ts';

const host = '127.0.0.1:4000';
const nonce = 'n'.repeat(22);

/** Signs in as the page does. */
const use = (pages: Pages, { ticket, id }: Ticket, cookie?: string, name?: string) =>
  pages.use({ ticket: id, nonce, proof: macOf(ticket, proofTexts.enter(host, nonce)) }, host, cookie, name);

const isSignedIn = (pages: Pages, cookie = '', keyId = '') =>
  pages.openChannel(cookie, keyId, nonce, host) !== null;

const opened = () => {
  const paths = tempHome();
  const clock = { time: 1_000_000, now: () => clock.time };
  const open = () => new Pages(paths.pages, clock);
  const pages = open();
  const enter = (cookie?: string) => use(pages, pages.ticket(), cookie);
  return { pages, clock, open, enter, file: paths.pages };
};

test('a ticket works once, and not after it has expired', () => {
  const { pages, clock } = opened();
  const first = pages.ticket();
  const unproved = { ticket: first.id, nonce, proof: macOf(first.id, proofTexts.enter(host, nonce)) };
  // The id alone, which others can see, neither signs in nor spends the ticket.
  expect(pages.use(unproved, host, undefined)).toBeNull();
  expect(use(pages, first)).toMatchObject({ cookie: expect.any(String) as string });
  expect(use(pages, first)).toBeNull();
  expect(use(pages, { ...first, id: 'guessed' })).toBeNull();
  const late = pages.ticket();
  clock.time = late.until + 1;
  expect(use(pages, late)).toBeNull();
});

test('a cookie is valid only with a key of its own browser', () => {
  const { pages, enter } = opened();
  const [one, two] = [enter(), enter()];
  expect(isSignedIn(pages, one?.cookie ?? '', one?.id ?? '')).toBe(true);
  expect(isSignedIn(pages, one?.cookie ?? '', two?.id ?? '')).toBe(false);
  expect(isSignedIn(pages, '', one?.id ?? '')).toBe(false);
});

test('a second tab keeps the cookie of the first, and both are valid; signing out ends both', () => {
  const { pages, enter } = opened();
  const first = enter();
  const cookie = first?.cookie ?? '';
  const second = enter(cookie);
  expect(second?.cookie).toBeNull();
  const known = () => [first, second].map(tab => isSignedIn(pages, cookie, tab?.id ?? ''));
  expect(known()).toEqual([true, true]);
  pages.leave(cookie);
  expect(known()).toEqual([false, false]);
  expect(enter(cookie)?.cookie).not.toBeNull();
});

test('sign-ins survive a restart in a private file without cookies; time and `clear` end them', () => {
  const { enter, open, clock, pages, file } = opened();
  const { cookie, id: key } = enter() as { cookie: string; id: string };
  expect(isSignedIn(open(), cookie, key)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(text.includes(cookie)).toBe(false);
  clock.time += limits.page.age;
  expect(isSignedIn(open(), cookie, key)).toBe(false);
  clock.time -= limits.page.age;
  pages.clear();
  expect(isSignedIn(open(), cookie, key)).toBe(false);
});

test('beyond the limit the oldest tickets and browsers are dropped', () => {
  const { pages, enter } = opened();
  const ticket = pages.ticket();
  for (let n = 0; n < limits.page.tickets; n++) pages.ticket();
  expect(use(pages, ticket)).toBeNull();
  const first = enter() as { cookie: string; id: string };
  for (let n = 0; n < limits.page.browsers; n++) enter();
  expect(isSignedIn(pages, first.cookie, first.id)).toBe(false);
});

test('waiting for a ticket resolves when a browser uses it, before or after', async () => {
  const { pages } = opened();
  const ticket = pages.ticket();
  const { id } = ticket;
  const waits = pages.isUsed(id, 60_000);
  use(pages, ticket);
  expect(await waits).toBe(true);
  expect(await pages.isUsed(id, 60_000)).toBe(true);
  expect(await pages.isUsed(pages.ticket().id, 1)).toBe(false);
  expect(await pages.isUsed('unknown', 60_000)).toBe(false);
});

test('a spent ticket is reported once: used, dropped for newer ones, or cleared', () => {
  const spent: string[] = [];
  const pages = new Pages(tempHome().pages, { now: () => 0 }, id => spent.push(id));
  const ticket = pages.ticket();
  const { id } = ticket;
  use(pages, ticket);
  use(pages, ticket);
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
  const device = use(pages, pages.ticket(true), undefined, 'Safari on iPhone');
  const { cookie, id: key } = device as { cookie: string; id: string };
  expect([browser?.paired, device?.paired]).toEqual([false, true]);
  clock.time += limits.page.age;
  expect(isSignedIn(pages, cookie, key)).toBe(true);
  expect(open().devices(cookie)).toMatchObject([
    { name: 'Safari on iPhone', paired: true, seen: clock.time, own: true },
  ]);
  expect(isSignedIn(pages, browser?.cookie ?? '', browser?.id ?? '')).toBe(false);
  clock.time += limits.page.deviceAge - 1;
  const other = enter();
  const [first] = pages.devices().filter(({ paired }) => paired);
  expect(pages.revoke('ffffffff0')).toBeNull();
  expect(pages.revoke(first?.id ?? '')).toBe(first?.id);
  expect(isSignedIn(pages, cookie, key)).toBe(false);
  expect(isSignedIn(pages, other?.cookie ?? '', other?.id ?? '')).toBe(true);
});

test('a device that was not used for a year has to be paired again', () => {
  const { pages, clock } = opened();
  const { cookie, id: key } = use(pages, pages.ticket(true)) as { cookie: string; id: string };
  clock.time += limits.page.deviceAge;
  expect(isSignedIn(pages, cookie, key)).toBe(false);
  expect(pages.devices()).toEqual([]);
});

test('a subscription belongs to one paired device, and goes when it is signed out or not used for long', () => {
  const { pages, clock, open } = opened();
  const pair = () => use(pages, pages.ticket(true), undefined, 'A phone')?.cookie ?? '';
  const [first, second] = [pair(), pair()];
  const ids = [first, second].map(cookie => pages.pairedId(cookie) ?? '') as [string, string];
  expect(pages.pairedId(use(pages, pages.ticket())?.cookie ?? '')).toBeNull();
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

test('a browser of an earlier version signs in again, and stays paired', () => {
  const { pages, file, open } = opened();
  const device = use(pages, pages.ticket(true), undefined, 'A phone');
  const stored = JSON.parse(readFileSync(file, 'utf8')) as { pages: { keys: unknown[] }[] };
  writeFileSync(file, JSON.stringify({ pages: stored.pages.map(page => ({ ...page, keys: ['a-digest'] })) }));
  const later = open();
  expect(isSignedIn(later, device?.cookie ?? '', 'a-digest')).toBe(false);
  expect(use(later, later.ticket(), device?.cookie ?? '')).toMatchObject({ cookie: null, paired: true });
});
