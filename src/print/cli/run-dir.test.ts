/** The folder of a run, its relay, and both ends of its FIFO. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Relay } from '../turn/relay.ts';
import { runDirName } from '../../print-run.ts';
import { makeFifo, makeRunDir, removeRunDir, writeRelay } from './run-dir.ts';

let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drover print's "));
  env = { TMPDIR: folder, PATH: process.env.PATH ?? '' };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = promisify(execFile);

/** Runs the relay hook as Claude Code does. */
const fire = (settings: string, event: string, payload: string): Promise<unknown> => {
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8')) as { hooks: Record<string, Group[]> };
  const command = hooks[event]?.at(-1)?.hooks[0]?.command ?? 'exit 9';
  const fired = run('sh', ['-c', command], { env });
  fired.child.stdin?.on('error', () => {}).end(payload);
  return fired;
};
interface Group {
  hooks: { command: string; timeout: number }[];
}

test('Stop payloads of any size arrive through the FIFO, and the identity in its file', async () => {
  const dir = makeRunDir(env);
  expect(dir.path.startsWith(folder)).toBe(true);
  await makeFifo(dir, env);
  writeRelay(dir, { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] }, model: 'x' });
  const received: string[] = [];
  const relay = new Relay(dir.fifo, payload => received.push(payload));
  const large = JSON.stringify({ text: 'é'.repeat(600_000) });
  for (const payload of ['{"n":1}', large, '{"n":3}'])
    expect(await fire(dir.settings, 'Stop', `${payload}\n`)).toMatchObject({ stdout: '', stderr: '' });
  await fire(dir.settings, 'UserPromptSubmit', '{"session_id":"a"}\n');
  await expect.poll(() => received.length).toBe(3);
  // Without a final newline, as another relay may send them.
  for (const payload of ['{"n":4}', large]) await fire(dir.settings, 'Stop', payload);
  await expect.poll(() => received.length).toBe(5);
  expect(received).toEqual(['{"n":1}', large, '{"n":3}', '{"n":4}', large]);
  expect(readFileSync(dir.identity, 'utf8')).toBe('{"session_id":"a"}\n');
  expect(JSON.parse(readFileSync(dir.settings, 'utf8'))).toMatchObject({
    model: 'x',
    hooks: { Stop: [{ hooks: [{ command: 'true' }] }, { hooks: [{ timeout: 10 }] }] },
  });
  expect(relay.exists()).toBe(true);
  relay.close();
  relay.close();
  expect(relay.exists()).toBe(false);
  // Nobody listens any more: the hook still ends silently, and creates no file in place of the FIFO.
  expect(await fire(dir.settings, 'Stop', '{"n":4}\n')).toMatchObject({ stdout: '', stderr: '' });
  expect(readdirSync(dir.path)).not.toContain('stop.fifo');
  removeRunDir(dir);
  removeRunDir(dir);
  expect(readdirSync(folder)).toEqual([]);
});

test('closing the FIFO frees a blocked writer', async () => {
  const dir = makeRunDir(env);
  await makeFifo(dir, env);
  writeRelay(dir, {});
  const relay = new Relay(dir.fifo, () => {});
  // Paused, it reads nothing: the hook fills the pipe and hangs.
  const fired = fire(dir.settings, 'Stop', 'x'.repeat(300_000));
  relay.close();
  await expect(fired).resolves.toMatchObject({ stdout: '' });
  removeRunDir(dir);
});

test('with a TMPDIR that is too long for a socket, the socket is in a folder of the same name in /tmp', () => {
  const deep = join(folder, 'x'.repeat(80));
  mkdirSync(deep);
  const dir = makeRunDir({ TMPDIR: deep });
  expect(Buffer.byteLength(dir.socket)).toBeLessThanOrEqual(107);
  expect(dir.folders.map(dirname)).toEqual([deep, '/tmp']);
  for (const path of dir.folders) {
    expect(path).toMatch(/claude-print-\d+-[0-9A-Za-z]{6}$/);
    expect(runDirName.exec(path.split('/').at(-1) ?? '')?.[1]).toBe(String(process.pid));
    expect(statSync(path).mode & 0o777).toBe(0o700);
  }
  removeRunDir(dir);
});
