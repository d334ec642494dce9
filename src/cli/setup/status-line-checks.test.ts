import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { registerStatusLine } from '../../hook/install/register-status-line.ts';
import { tempHome } from '../../testing/home.ts';
import { statusLineCheck } from './status-line-checks.ts';

const opened = () => {
  const paths = tempHome();
  const home = dirname(paths.home);
  const env = { HOME: home, DROVER_HOME: paths.home };
  const cwd = join(home, 'shop');
  const write = (file: string, settings: object) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(settings));
  };
  const user = join(home, '.claude', 'settings.json');
  return {
    cwd,
    write,
    register: () => registerStatusLine(user, paths, env),
    check: () => statusLineCheck({ env, cwd }),
  };
};

test('a status line of the project overrides that of the user, which doctor says', () => {
  const { cwd, write, register, check } = opened();
  expect(check()).toMatchObject({ ok: true, says: expect.stringContaining('not registered (optional)') });
  const local = join(cwd, '.claude', 'settings.local.json');
  write(local, { statusLine: { type: 'command', command: 'echo mine' } });
  // Nothing of ours is overridden yet.
  expect(check()).toMatchObject({ ok: true });
  register();
  expect(check()).toMatchObject({ ok: null, says: `overridden in this project by ${local}` });
  const project = join(cwd, '.claude', 'settings.json');
  write(project, { statusLine: { type: 'command', command: 'echo ours' } });
  expect(check().says).toBe(`overridden in this project by ${project} and ${local}`);
  for (const file of [project, local]) write(file, { model: 'opus' });
  expect(check()).toMatchObject({ ok: true, says: 'registered' });
});
