/** DROVER_HOME: what the daemon refuses to touch, who may read it, and what its log contains. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DaemonLog } from '../../src/daemon/log.ts';
import { openDatabase } from '../../src/store/sqlite.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { nodeBinary } from '../rig/node.ts';
import { lines } from '../rig/log.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

const version = newest;
const repository = fileURLToPath(new URL('../..', import.meta.url));

test('a database of a newer version is refused and left alone', async () => {
  const opened = await world({ version });
  await (await opened.daemon()).stop();
  const file = join(opened.droverHome, 'drover.db');
  const db = await openDatabase(file);
  db.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  const print = async () =>
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  const before = await print();
  for (const args of [['--foreground'], []]) {
    const up = await opened.drover('up', '--port', '0', ...args);
    expect(up.stderr).toContain(`${file} has version 99; this Drover supports up to version `);
    expect(up.stderr).toContain('Update Drover. The file was not changed.');
    expect(up.code).toBe(6);
  }
  expect(await print()).toBe(before);
  expect((await opened.drover('status')).code).toBe(3);
});

test.each([
  ['{"retention": {"days": "many"}}', 'retention.days'],
  ['{"redact": ["fine", "("]}', 'redact[1]'],
  ['{"port": 70000}', 'port'],
  ['{"autostart": "yes"}', 'autostart'],
  ['{"port": 0', 'is not JSON'],
])('config.json %s is refused with the name of the field, and nothing starts', async (text, named) => {
  const opened = await world({ version });
  await writeFile(join(opened.droverHome, 'config.json'), text);
  for (const args of [['--foreground'], []]) {
    const up = await opened.drover('up', '--port', '0', ...args);
    expect(up.stdout).toBe('');
    expect(up.stderr).toContain(join(opened.droverHome, 'config.json'));
    expect(up.stderr).toContain(named);
    expect(up.code).toBe(2);
  }
  expect(await opened.processes()).toEqual([]);
  expect(existsSync(join(opened.droverHome, 'drover.db'))).toBe(false);
  expect((await opened.drover('status')).code).toBe(3);
});

test('every command works under a path that is too long for a socket', async () => {
  const opened = await world({ version });
  const home = join(opened.root, 'long'.repeat(30));
  const drover = (...args: string[]) =>
    opened.run(process.execPath, [MAIN, ...args], { env: { DROVER_HOME: home, DROVER_PORT: '0' } });
  expect(Buffer.byteLength(join(home, 'drover.sock'))).toBeGreaterThan(107);
  expect(await drover('up')).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(home, 'drover.sock'))).toBe(false);
  const { url } = JSON.parse((await drover('status', '--json')).stdout) as { url: string };
  const token = (await readFile(join(home, 'token'), 'utf8')).trim();
  const payload = { session_id: sessionId(1), hook_event_name: 'UserPromptSubmit', prompt: 'hello' };
  await fetch(`${url}/event`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(payload),
  });
  expect((await drover('events', '5eed0001')).stdout).toMatch(/UserPromptSubmit +hello/);
  expect(await drover('restart')).toMatchObject({ code: 0, stderr: '' });
  expect(await drover('forget', '5eed0001')).toMatchObject({ code: 0, stderr: '' });
  // The record of who did what is kept.
  expect((await drover('events')).stdout).not.toMatch(/5eed0001|hello/);
  expect((await drover('down')).stdout).toMatch(/^Stopped/);
  expect((await drover('status')).code).toBe(3);
});

test('nobody else may read anything, whatever the umask', async () => {
  const opened = await world({ version });
  const home = join(opened.root, 'deep', 'er');
  const env = { DROVER_HOME: home, DROVER_PORT: '0' };
  const loosely = (...words: string[]) =>
    opened.run('sh', ['-c', 'umask 0; exec "$@"', 'sh', ...words], { env });
  const drover = (...args: string[]) => loosely(process.execPath, MAIN, ...args);
  expect((await drover('setup')).code).toBe(0);
  expect((await drover('up')).code).toBe(0);
  const { url } = JSON.parse((await drover('status', '--json')).stdout) as { url: string };
  const token = (await readFile(join(home, 'token'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${url}/event`, { method: 'POST', headers, body: 'not JSON' })).status).toBe(400);
  await symlink('/dev/null', join(home, 'spool', 'link'));
  const { stdout: settings } = await loosely('cat', join(opened.home, '.claude', 'settings.json'));
  const { command } = JSON.parse(settings).hooks.Stop[0].hooks[0] as { command: string };
  const payload = JSON.stringify({ session_id: sessionId(1), hook_event_name: 'Stop' });
  // No such hub: the event goes into the spool through `outgoing`.
  for (const hub of ['', 'DROVER_URL=http://127.0.0.1:0; export DROVER_URL; '])
    await loosely('sh', '-c', `printf %s '${payload}' | { ${hub}${command}; }`);
  await until(
    20_000,
    () => 'the events do not arrive',
    async () => {
      const heard = lines((await drover('events', '--json')).stdout).filter(({ name }) => name === 'Stop');
      return (heard.length === 2 && existsSync(join(home, 'aside', 'link.reason'))) || undefined;
    },
  );
  expect((await drover('restart')).code).toBe(0);
  await drover('doctor');
  expect((await drover('setup', '--remove')).code).toBe(0);

  const found = await readdir(home, { recursive: true });
  expect(found).toEqual(
    expect.arrayContaining([
      'token',
      'daemon.json',
      'daemon.pid',
      'daemon.lock',
      'drover.db',
      'drover.db-wal',
      'drover.sock',
      'emit.sh',
      'backups',
      'outgoing',
      join('log', 'daemon.log'),
      join('log', 'start.log'),
      join('log', 'emit.log'),
      join('aside', 'link.reason'),
    ]),
  );
  const open = await Promise.all(
    ['.', ...found].map(async name => {
      const facts = await lstat(join(home, name));
      const mode = (facts.mode & 0o777).toString(8);
      const right = facts.isDirectory() ? ['700'] : ['600', ...(name === 'emit.sh' ? ['700'] : [])];
      return facts.isSymbolicLink() || right.includes(mode) ? [] : [`${name} ${mode}`];
    }),
  );
  expect(open.flat()).toEqual([]);
});

test('text that `redact` matches is neither in the log nor in the status', async () => {
  const opened = await world({ version });
  await writeFile(join(opened.droverHome, 'config.json'), JSON.stringify({ redact: ['hunter\\d'] }));
  const daemon = await opened.daemon();
  // An entry that is not a file and cannot be moved: an error that names it.
  await rm(join(opened.droverHome, 'aside'), { recursive: true });
  await symlink('/dev/null', join(opened.droverHome, 'spool', 'my-hunter2'));
  const log = join(opened.droverHome, 'log', 'daemon.log');
  const text = await until(
    10_000,
    () => 'no such error in the log',
    async () => {
      const said = await readFile(log, 'utf8');
      return said.includes('Could not move') ? said : undefined;
    },
  );
  expect(text).toContain('my-[redacted]');
  expect(text).not.toContain('hunter2');
  for (const line of text.trim().split('\n')) JSON.parse(line);
  const { stdout } = await opened.drover('status');
  expect(stdout).toContain('my-[redacted]');
  expect(stdout + daemon.said()).not.toContain('hunter2');
});

test('the log is rotated into five files of five megabytes', async () => {
  const opened = await world({ version });
  const file = join(opened.root, 'log', 'daemon.log');
  let now = Date.UTC(2026, 0, 1);
  const log = new DaemonLog(
    file,
    text => text,
    () => now++,
  );
  for (let n = 0; n < 6_500; n++) log.info('much', { n, pad: 'ü'.repeat(2_500) });
  const names = (await readdir(dirname(file))).sort();
  expect(names).toEqual(['daemon.log', ...[1, 2, 3, 4].map(n => `daemon.log.${n}`)]);
  const numbers: number[] = [];
  for (const name of [...names.slice(1).reverse(), 'daemon.log']) {
    const text = await readFile(join(dirname(file), name), 'utf8');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5_000_000);
    expect((await lstat(join(dirname(file), name))).mode & 0o777).toBe(0o600);
    numbers.push(
      ...text
        .trim()
        .split('\n')
        .map(line => (JSON.parse(line) as { n: number }).n),
    );
  }
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, n) => 6_500 - numbers.length + n));
  expect(numbers.length).toBeGreaterThan(4 * 900);
});

test.each([
  ['under a file', (root: string) => join(root, 'file', 'home'), 'a part of its path is not a folder.'],
  ['where nothing can be made', () => '/proc/drover', 'no folder can be made there.'],
])('a home %s is named by every command, at once', async (_, homeIn, reason) => {
  const opened = await world({ version });
  await writeFile(join(opened.root, 'file'), '');
  const env = { DROVER_HOME: homeIn(opened.root) };
  for (const args of [['up'], ['up', '--foreground'], ['new', 'hello'], ['setup']]) {
    const { code, stderr } = await opened.run(process.execPath, [MAIN, ...args], { env, ms: 15_000 });
    expect([args, code, stderr]).toEqual([
      args,
      7,
      `drover: ${env.DROVER_HOME} cannot be used: ${reason}\n  Set DROVER_HOME to a folder of your own that can be written.\n`,
    ]);
  }
});

test('on a Node that is too old every entry point says so in one line', async () => {
  const opened = await world({ version });
  const node = await nodeBinary('18');
  const line = /^drover: Node 18\.\d+\.\d+ is too old\. Install Node 20\.19 or newer\.\n$/;
  for (const args of [
    [MAIN],
    [MAIN, 'up'],
    [MAIN, 'ls', '--json'],
    ['scripts/build.mjs'],
    ['scripts/test.mjs'],
  ]) {
    const { code, stdout, stderr } = await opened.run(node, args, { cwd: repository });
    expect([args, code === 0, stdout, stderr]).toEqual([args, false, '', expect.stringMatching(line)]);
  }
  const library = await opened.run(node, [
    '-p',
    `require(${JSON.stringify(join(dirname(MAIN), 'client.js'))})`,
  ]);
  expect(library.stderr).toMatch(/Error: drover: Node 18\.\d+\.\d+ is too old/);
  // A hook prints nothing, whatever happens, and its event is kept: here the daemon that it starts refuses.
  const { fire } = await hooksOf(opened);
  const emitter = join(opened.droverHome, 'emit.sh');
  const text = await readFile(emitter, 'utf8');
  const outdated = text.replace(/^node=.*$/m, () => `node='${node}'`);
  expect(outdated).not.toBe(text);
  await writeFile(emitter, outdated);
  await fire({ session_id: sessionId(1), hook_event_name: 'SessionStart', source: 'startup' });
  expect(existsSync(join(opened.droverHome, 'starting'))).toBe(true);
  expect(await readdir(join(opened.droverHome, 'spool'))).toHaveLength(1);
});

test('a path is not taken for a prompt', async () => {
  const opened = await world({ version });
  const { code, stderr } = await opened.drover('new', '/nonexistent');
  expect([code, stderr]).toEqual([2, expect.stringContaining('drover new --dir /nonexistent')]);
  expect(existsSync(join(opened.droverHome, 'daemon.json'))).toBe(false);
});
