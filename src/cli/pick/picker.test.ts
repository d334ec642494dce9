import { expect, test } from 'vitest';
import { shortId } from '../../contract/short-id.ts';
import { found, type Item, onScreen, paint, type Picker, press } from './picker.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

const item = (n: number, fields: Partial<Item['summary'] & object> = {}): Item => ({
  id: `5eed000${n}-0000-4000-8000-000000000000`,
  path: `/p/${n}`,
  slug: '-work-app',
  claudeDir: '/c',
  at: now - n * 60_000,
  size: 1_000 * n,
  state: n === 1 ? 'permission' : '',
  summary: {
    dir: `/srv/app${n}`,
    branch: null,
    title: null,
    prompt: `prompt ${n}`,
    last: `answer ${n}`,
    ...fields,
  },
});

const picker: Picker = {
  items: [item(1, { title: 'Mend the Gate' }), item(2, { branch: 'feature/x' }), item(3)],
  filter: '',
  cursor: 0,
};

/** Presses keys one after the other. */
const after = (...keys: string[]) =>
  keys.reduce<ReturnType<typeof press>>(
    (pressed, key) => ('picker' in pressed ? press(pressed.picker, key, 10) : pressed),
    { picker },
  );

test('typing filters by title, project, branch, prompt, answer, state and id; every word must be there', () => {
  const ids = (filter: string) => found({ ...picker, filter }).map(({ id }) => shortId(id));
  expect(ids('')).toEqual(['5eed0001', '5eed0002', '5eed0003']);
  expect(ids('GATE')).toEqual(['5eed0001']);
  expect(ids('feature')).toEqual(['5eed0002']);
  expect(ids('app3')).toEqual(['5eed0003']);
  expect(ids('answer 2')).toEqual(['5eed0002']);
  expect(ids('permission')).toEqual(['5eed0001']);
  expect(ids('5eed0003')).toEqual(['5eed0003']);
  expect(ids('gate feature')).toEqual([]);
});

test('arrows select within bounds, Enter picks, Esc leaves, Backspace deletes a letter', () => {
  expect(after('\x1b[B', '\r')).toEqual({ picked: picker.items[1]?.id });
  expect(after('\x1b[A', '\x1b[6~', '\x1b[6~', '\r')).toEqual({ picked: picker.items[2]?.id });
  expect(after('\x1b[B', '\x1b')).toEqual({ left: true });
  expect(after('ga', '\x7f')).toMatchObject({ picker: { filter: 'g', cursor: 0 } });
  expect(after('\x1b[B', 'p')).toMatchObject({ picker: { filter: 'p', cursor: 0 } });
  expect(after('zzz', '\r')).toMatchObject({ picker: { filter: 'zzz' } });
});

test('it fits the screen and shows no control character of a transcript', () => {
  const many = Array.from({ length: 100 }, (_, n) => item(n % 9, { prompt: 'a\x1b]0;x\x07b\n'.repeat(50) }));
  for (const cursor of [0, 50, 99]) {
    const lines = paint({ items: many, filter: '', cursor }, 80, 24, now);
    expect(lines).toHaveLength(24);
    const plain = lines.map(text => text.replaceAll(/\x1b\[[0-9;]*m/g, ''));
    for (const text of plain) {
      expect(text.length).toBeLessThanOrEqual(80);
      expect(text).not.toMatch(/[\x00-\x1f]/);
    }
    expect(onScreen({ items: many, filter: '', cursor }, 24)).toContain(many[cursor]);
  }
});
