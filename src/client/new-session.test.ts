import { expect, test } from 'vitest';
import { CreateSession } from '../contract/hub.ts';
import { createBody, matchProjects } from './new-session.ts';

const projects = ['/w/shop', '/w/blog', '/w/shop-admin', '/home/me/workshop', '/w/api'].map((dir, n) => ({
  dir,
  project: dir.split('/').at(-1) ?? '',
  at: 100 - n,
}));
const found = (text: string): string[] => matchProjects(projects, text).map(({ dir }) => dir);

test.each([
  ['', projects.map(({ dir }) => dir)],
  ['shop', ['/w/shop', '/w/shop-admin', '/home/me/workshop']],
  ['SHOP-', ['/w/shop-admin']],
  ['me/', ['/home/me/workshop']],
  ['wsad', ['/w/shop-admin']],
  ['zebra', []],
])('projects that match %j', (text, dirs) => {
  expect(found(text)).toEqual(dirs);
});

test('the form becomes a body that the daemon accepts; what is empty is left out', () => {
  const id = '5eed0001-0000-4000-8000-000000000000';
  const empty = createBody({ dir: '/w/shop', prompt: ' ', mode: '', worktree: false }, id);
  expect(empty).toEqual({ session_id: id, cwd: '/w/shop' });
  const full = createBody({ dir: '/w/shop', prompt: 'mend it', mode: 'plan', worktree: true }, id);
  expect(CreateSession.parse(full)).toMatchObject({
    prompt: 'mend it',
    permission_mode: 'plan',
    args: ['--worktree'],
  });
});
