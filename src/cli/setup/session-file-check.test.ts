import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../testing/home.ts';
import { checkSessionFiles } from './session-file-check.ts';

test('a session file with an impossible time is named, with its field', () => {
  const dir = join(tempHome().home, 'claude');
  mkdirSync(join(dir, 'sessions'), { recursive: true });
  const now = Date.UTC(2026, 5, 1);
  const write = (pid: number, times: object) =>
    writeFileSync(
      join(dir, 'sessions', `${pid}.json`),
      JSON.stringify({ pid, sessionId: `s-${pid}`, ...times }),
    );
  write(1, { startedAt: now - 1_000, statusUpdatedAt: now });
  expect(checkSessionFiles([dir, '/nowhere'], now)).toMatchObject({ ok: true });
  write(2, { startedAt: now, statusUpdatedAt: now + 3_600_000 });
  write(3, { startedAt: -5 });
  const { ok, says } = checkSessionFiles([dir], now);
  expect(ok).toBe(false);
  expect(says).toBe(
    [
      `${join(dir, 'sessions', '2.json')}: statusUpdatedAt is 2026-06-01T01:00:00.000Z`,
      `${join(dir, 'sessions', '3.json')}: startedAt is 1969-12-31T23:59:59.995Z`,
    ].join('; '),
  );
});
