import { expect, test } from 'vitest';
import { type Pane, Session } from '../contract/session.ts';
import { unknownSession } from '../contract/unknown-session.ts';
import { differs } from './differs.ts';

const evidence = { source: 'hook' as const, name: 'SessionStart', seq: 1, at: 1_000 };
const pane: Pane = {
  socket: '/s',
  serverPid: 1,
  id: '%1',
  pid: 2,
  session: 'main',
  window: 'w',
  windowIndex: 0,
};
const session: Session = { ...unknownSession('a', evidence), pane };

const fields = Object.keys(Session.shape) as (keyof Session)[];
const ignored = ['touched', 'seq'];

test('a session that was not known before differs', () => {
  expect(differs(undefined, session)).toBe(true);
});

test('a copy with the same content does not differ', () => {
  expect(differs(session, structuredClone(session))).toBe(false);
});

test.each(fields.filter(field => !ignored.includes(field)))('a change of %s is seen', field => {
  expect(differs(session, { ...session, [field]: 'changed' })).toBe(true);
});

test.each(ignored)('a change of %s alone is not', field => {
  expect(differs(session, { ...session, [field]: 9 })).toBe(false);
});

test.each<Partial<Pane>>([{ windowIndex: 1 }, { window: 'x' }, { serverPid: 7 }])(
  'a change inside the pane is seen: %o',
  change => {
    expect(differs(session, { ...session, pane: { ...pane, ...change } })).toBe(true);
  },
);

test('what the fold remembers is not shown, so it is not compared', () => {
  const folded = (memory: object) => ({ ...session, memory }) as Session;
  expect(differs(folded({ due: 1 }), folded({ due: 2 }))).toBe(false);
});
