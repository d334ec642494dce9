import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { handlerFor } from './command.ts';
import { listShortTimeouts } from './registered.ts';

test('own hooks with a timeout that is too short are named, and no others', () => {
  const home = mkdtempSync(join(tmpdir(), 'du-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const env = { HOME: home };
  const file = join(home, '.claude', 'settings.json');
  mkdirSync(join(home, '.claude'));
  const own = (event: string, timeout?: number) => [
    { hooks: [{ ...handlerFor(event, env), ...(timeout && { timeout }) }] },
  ];
  const put = (hooks: object) => writeFileSync(file, JSON.stringify({ hooks }));
  put({ Stop: own('Stop'), PreCompact: own('PreCompact'), SessionEnd: own('SessionEnd', 1) });
  expect(listShortTimeouts(env, home)).toEqual([]);
  const other = [{ hooks: [{ type: 'command', command: 'say done', timeout: 1 }] }];
  put({ Stop: own('Stop', 10), PreCompact: other, PermissionRequest: own('PermissionRequest') });
  expect(listShortTimeouts(env, home)).toEqual([`Stop in ${file}`]);
});
