import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verbs } from '../../cli/table/verbs.ts';
import { Config } from '../../contract/config.ts';
import { restartFields } from '../../contract/restart-fields.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { pathsAt } from '../../paths.ts';
import { readConfig } from '../config.ts';
import type { Core } from '../core.ts';
import { openConfig } from './config.ts';

const opened = (text = '{}') => {
  const home = mkdtempSync(join(tmpdir(), 'dv-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const paths = pathsAt(home);
  writeFileSync(paths.config, text);
  const config = readConfig(paths.config);
  const errors: string[] = [];
  const log = { info: () => {}, error: (message: string) => errors.push(message), errors };
  const reloads: string[][] = [];
  const listener = {
    name: 'listener',
    reload: (changed: ReadonlySet<string>) => void reloads.push([...changed]),
  };
  const part = openConfig({ paths, config, log } as unknown as Core, { parts: () => [listener] });
  onTestFinished(() => part.close());
  const write = (value: object | string) =>
    writeFileSync(paths.config, typeof value === 'string' ? value : JSON.stringify(value));
  return { paths, config, part, errors, reloads, write };
};

test('a changed field is applied to the config that the parts read, and they learn which one it was', async () => {
  const { config, part, reloads, write } = opened('{"drive": "none", "notify": {"after": 9}}');
  write({ drive: 'all', stalls: { queue: true } });
  await part.apply();
  expect(config).toMatchObject({ drive: 'all', stalls: { queue: true, toolMinutes: 20 } });
  expect(config.notify).toBeUndefined();
  expect(reloads).toEqual([['stalls', 'drive', 'notify']]);
  await part.apply();
  expect(reloads).toHaveLength(1);
});

test('an invalid file keeps the config and is reported until it is valid again', async () => {
  const { config, part, errors, reloads, write } = opened('{"drive": "none"}');
  write({ drive: 'everything' });
  await part.apply();
  expect(config.drive).toBe('none');
  expect(part.status().problem).toContain('line 1: drive');
  expect([errors.length, reloads.length]).toEqual([1, 0]);
  write('{"drive": ');
  await part.apply();
  expect(part.status().problem).toContain('is not JSON');
  write({ drive: 'all' });
  await part.apply();
  expect([config.drive, part.status().problem]).toEqual(['all', null]);
});

test('a file that is removed or emptied keeps the config; `{}` applies the defaults', async () => {
  const { paths, config, part, reloads, write } = opened('{"drive": "none"}');
  write('\n');
  await part.apply();
  expect([config.drive, part.status().problem]).toEqual([
    'none',
    expect.stringContaining('missing or empty'),
  ]);
  rmSync(paths.config);
  await part.apply();
  expect([config.drive, reloads.length]).toEqual(['none', 0]);
  write('{}');
  await part.apply();
  expect([config.drive, part.status().problem]).toEqual(['managed', null]);
});

test('a file that did not exist before can be emptied', async () => {
  const { paths, part, write } = opened('');
  rmSync(paths.config);
  await part.apply();
  expect(part.status().problem).toBeNull();
  write({ drive: 'none' });
  await part.apply();
  write('');
  await part.apply();
  expect(part.status().problem).toContain('missing or empty');
});

test('fields that need a restart are named and not applied', async () => {
  const { config, part, write } = opened();
  write({ port: 4711, order: 'fifo' });
  await part.apply();
  expect([config.port, config.order, part.status().restart]).toEqual([4000, 'fifo', ['port']]);
  write({ order: 'fifo' });
  await part.apply();
  expect(part.status().restart).toEqual([]);
});

test('a file that is written, replaced or created behind a link is noticed', async () => {
  const { paths, config, part, write } = opened();
  part.start();
  write({ order: 'fifo' });
  await waitFor(() => expect(config.order).toBe('fifo'));
  writeFileSync(`${paths.config}.new`, '{"drive": "all"}');
  renameSync(`${paths.config}.new`, paths.config);
  await waitFor(() => expect([config.drive, config.order]).toEqual(['all', 'blocked-first']));
  const elsewhere = mkdtempSync(join(tmpdir(), 'dv-'));
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
  const target = join(elsewhere, 'drover.json');
  writeFileSync(target, '{"drive": "none"}');
  rmSync(paths.config);
  symlinkSync(target, paths.config);
  await waitFor(() => expect(config.drive).toBe('none'));
  writeFileSync(target, '{"drive": "managed"}');
  await waitFor(() => expect(config.drive).toBe('managed'));
});

test('help and guide name every field that needs a restart', () => {
  const help = verbs.find(({ name }) => name === 'config')?.details ?? '';
  const guide = readFileSync('docs/guides/config.md', 'utf8').split('| field | default')[0] ?? '';
  for (const field of restartFields) {
    expect(Object.keys(Config.shape)).toContain(field);
    expect(help).toContain(`\`${field}\``);
    expect(guide).toContain(`\`${field}\``);
  }
});
