import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findNatsServer } from './nats-server.ts';

const program = (text: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'nats-'));
  const path = join(folder, 'nats-server');
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return { folder, path };
};

test('without nats-server the error says how to install it', async () => {
  await expect(findNatsServer({ PATH: '/nowhere' }, undefined, [])).rejects.toMatchObject({
    code: 'no_nats_server',
    message: 'nats-server is not installed.',
    hint: expect.stringMatching(/apt install nats-server.*brew install nats-server.*--url/),
  });
});

test('it is found outside of PATH, and where it was before', async () => {
  const { folder, path } = program('echo nats-server: v2.12.7');
  expect(await findNatsServer({ PATH: '/nowhere' }, undefined, [folder])).toEqual({
    path,
    version: '2.12.7',
  });
  expect(await findNatsServer({ PATH: '' }, path, [])).toEqual({ path, version: '2.12.7' });
});

test('a program of that name that prints no version is refused', async () => {
  const { folder } = program('echo hello');
  await expect(findNatsServer({ PATH: folder }, undefined, [])).rejects.toMatchObject({
    code: 'no_nats_server',
    message: expect.stringContaining('"hello"'),
  });
});
