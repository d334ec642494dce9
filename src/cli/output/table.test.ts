import { expect, test } from 'vitest';
import { wide } from '../../client/text.ts';
import type { Session } from '../../contract/session.ts';
import { aRemoteSession } from '../../testing/remote-session.ts';
import { aSession } from '../../testing/session.ts';
import { table } from './table.ts';

const detail = {
  line: 'Bash: git push --force-with-lease origin feature/payments-export',
  text: null,
  cut: 0,
  tool: 'Bash',
  questions: [],
  agent: null,
  request: 7,
};
const asking = aSession({
  id: '6c57b6f4-0000-4000-8000-000000000001',
  title: 'Payments',
  titleFrom: 'person',
  project: 'shop',
  branch: 'feature/pay',
  worktree: true,
  tags: ['urgent'],
  memoryBytes: 412_000_000,
  state: 'waiting',
  reason: 'permission',
  detail,
});
const texts = (sessions: Session[], width: number) => table(sessions, width, 90_000).map(({ text }) => text);

test('80 columns have room for state, age, title, project and the request', () => {
  const [head, row] = texts([asking], 80);
  expect(head?.split(/ {2,}/)).toEqual(['state', 'age', 'title', 'project', 'request or last message']);
  expect(row).toMatch(/^needs approval {2}1 min {2}Payments {2}shop {5}Bash: git push/);
  expect(wide(row as string)).toBeLessThanOrEqual(80);
});

test('id and branch come from 100 columns on; pane, memory and tags from 120 on', () => {
  expect(texts([asking], 100)[1]).toContain('6c57b6f4');
  expect(texts([asking], 100)[1]).toContain('feature/pay (worktr…');
  expect(texts([asking], 100)[1]).not.toContain('412 MB');
  expect(texts([asking], 160)[1]).toMatch(/412 MB {2}urgent/);
});

test.each([80, 100, 120, 160])('rows fit %i columns, however long their cells are', width => {
  const full = {
    ...asking,
    title: 'Rewrite of the checkout',
    project: 'storefront',
    branch: 'feature/checkout-rewrite',
    tags: ['urgent', 'payments'],
    changes: { added: 120, removed: 43, files: 12 },
  };
  for (const text of texts([full, { ...asking, hooks: 'silent' }], width))
    expect([text, wide(text) <= width]).toEqual([text, true]);
});

test('where there is little room the request gets that of tags, memory and pane first', () => {
  const [, row] = texts([{ ...asking, title: 'Rewrite of the checkout', tags: ['urgent', 'payments'] }], 120);
  expect(row).toContain('Bash: git push --');
  expect(row).not.toContain('payments');
});

test('long titles and projects are cut at 20 and 10 columns', () => {
  const long = { ...asking, title: 'a'.repeat(50), project: 'b'.repeat(50) };
  expect(texts([long], 80)[1]).toContain(`${'a'.repeat(19)}…  ${'b'.repeat(9)}…`);
});

test('equal titles get the short id, also where they are cut', () => {
  const name = 'Rewrite of the checkout';
  const other = { ...asking, title: name, id: 'aaaaaaaa-0000-4000-8000-000000000002' };
  const rows = texts([{ ...asking, title: name }, other], 80);
  expect(rows[1]).toContain('Rewrite of… 6c57b6f4');
  expect(rows[2]).toContain('Rewrite of… aaaaaaaa');
  expect(texts([{ ...asking, title: name }, other], 120)[1]).toContain('Rewrite of the chec…');
});

test('a parked session is not shown as ended', () => {
  expect(texts([{ ...asking, state: 'ended', reason: 'exit', parked: true }], 80)[1]).toMatch(/^parked/);
});

test('a filter that nothing passes is not an installation problem', () => {
  expect(table([], 80, 0, true)[0]?.text).toBe('No matching sessions');
  expect(table([], 80, 0)[0]?.text).toContain('doctor');
});

test('a list with several hosts has a column for them, and an away host is marked with its age', () => {
  const remote = { ...asking, id: 'bbbbbbbb-0000-4000-8000-000000000002' };
  const away = aRemoteSession(remote, { isAway: true, seenAt: 100_000 });
  const [head, local, there, gone] = table([asking, aRemoteSession(remote), away], 80, 290_000);
  expect(head?.text.split(/ {2,}/)).toEqual(['state', 'age', 'host', 'title', 'request or last message']);
  expect(local?.text).toMatch(/^needs approval {2}4 min {2}- {7}Payments/);
  expect(there?.text).toMatch(/^needs approval {2}4 min {2}devbox {2}Payments/);
  expect(gone?.text).toMatch(/^away 3 min {6}4 min {2}devbox {2}.* {2}\(last: needs approval\)/);
  expect(gone?.colour).toBe(90);
  for (const { text } of table([asking, away], 80, 90_000)) expect(wide(text)).toBeLessThanOrEqual(80);
  expect(texts([asking, away], 120)[0]).toMatch(/host +title +project/);
});
