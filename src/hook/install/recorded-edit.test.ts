/** Hooks, deny rules and the status line in one settings file, added and removed in any order. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../testing/home.ts';
import { installHooks, removeHooks, wantedHandlers } from './install.ts';
import { protectHome, unprotectHome } from './protect.ts';
import { readRecord } from './record.ts';
import { registerStatusLine, removeStatusLine } from './register-status-line.ts';

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

test.each([
  null,
  '',
  '{}',
  '{\n}\n',
  '{\n\t"model": "x", "statusLine": {"type": "command", "command": "date"}\n}',
])('%j is restored byte for byte, whatever was added and removed first', before => {
  const paths = tempHome();
  const name = join(paths.home, '..', 'claude', 'settings.json');
  const env = { HOME: '/nowhere', DROVER_HOME: paths.home };
  const wanted = wantedHandlers(['2.1.197'], [], env);
  const edits = [
    [() => installHooks({ name, scope: 'user', paths }, wanted), () => removeHooks(name, paths)],
    [() => protectHome(name, paths), () => unprotectHome(name, paths)],
    [() => registerStatusLine(name, paths, env), () => removeStatusLine(name, paths)],
  ] as const;
  for (const added of orders)
    for (const removed of orders) {
      rmSync(dirname(name), { recursive: true, force: true });
      if (before !== null) {
        mkdirSync(dirname(name), { recursive: true });
        writeFileSync(name, before);
      }
      for (const n of added) edits[n][0]();
      expect(Object.keys(JSON.parse(readFileSync(name, 'utf8')) as object)).toEqual(
        expect.arrayContaining(['hooks', 'permissions', 'statusLine']),
      );
      for (const n of removed) edits[n][1]();
      const after = existsSync(name) ? readFileSync(name, 'utf8') : null;
      expect([added, removed, after, existsSync(dirname(name))]).toEqual([
        added,
        removed,
        before,
        before !== null,
      ]);
      const { files, protected: rules, statusLines } = readRecord(paths);
      expect([files, rules, statusLines]).toEqual([{}, {}, {}]);
    }
});
