/** After an update: the commands are new, the daemon is that of before, and the log is large. Nothing is lost, and nobody is left in the dark. */
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeReferenceLog } from '../../bench/reference-log.ts';
import { openWorld as openBench } from '../../bench/world.ts';
import { shortId } from '../../src/contract/short-id.ts';
import { foldedShape } from '../../src/session/memory.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { hubOf } from '../rig/hub.ts';
import { otherBuild } from '../rig/other-build.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const version = newest;
const build = /"(\d+\.\d+\.\d+)",\w+=`\$\{\w+\}\+(\w+)`/.exec(
  readFileSync(join(dirname(MAIN), 'client.js'), 'utf8'),
);
const [, own = '', hash = ''] = build ?? [];

/** The product under test with another version, build or both. */
const renamed = (folder: string, to: { version?: string; hash?: string }): string => {
  cpSync(dirname(MAIN), folder, { recursive: true });
  for (const name of readdirSync(folder).filter(file => /\.m?js$/.test(file))) {
    const text = readFileSync(join(folder, name), 'utf8');
    const other = text
      .replaceAll(`"${own}"`, `"${to.version ?? own}"`)
      .replaceAll(`+${hash}\``, `+${to.hash ?? hash}\``);
    writeFileSync(join(folder, name), other);
  }
  const modules = createRequire(MAIN).resolve.paths('x')?.find(existsSync) ?? '';
  symlinkSync(modules, join(folder, 'node_modules'));
  return join(folder, 'main.js');
};

const shown = async (drover: World['drover']): Promise<{ version: string; pid: number }> =>
  JSON.parse((await drover('status', '--json')).stdout) as { version: string; pid: number };

test('an update with a held request, a queued message, a reader and a large log: all of them are there afterwards', async () => {
  const old = await otherBuild([
    { file: 'package.json', from: `"version": "${own}"`, to: '"version": "0.0.9"' },
    // Its sessions are saved in another shape, so that the whole log is folded again.
    {
      file: 'src/session/memory.ts',
      from: `foldedShape = ${foldedShape};`,
      to: `foldedShape = ${foldedShape - 1};`,
    },
  ]);
  onTestFinished(old.remove);
  const story = await world({ version, main: old.main });
  const bench = openBench();
  onTestFinished(() => bench.close());
  await writeReferenceLog(bench, 100_000);
  cpSync(join(bench.home, 'drover.db'), join(story.droverHome, 'drover.db'));
  await story.drover('setup');
  const hub = await hubOf(story);
  const seat = await story.claude();
  await seat.ready();
  const { sessionId: id } = await seat.file(file => file.status === 'idle');
  await hub.is(id, ({ state }) => state === 'ready');
  expect((await story.drover('hold', id)).code).toBe(0);
  await seat.type('RUN touch made');
  const request = (await hub.pending(id)).pending;
  const busy = (await hub.create({ prompt: 'SLEEP 20 SAY awake' })).body.id;
  expect((await hub.send(busy, { text: 'SAY it after the update' })).body.status).toBe('queued');
  const { droverHome } = story;
  const reader = story.run(process.execPath, [old.main, 'events', busy, '-f', '--json'], { ms: 240_000 });
  const drover = (...args: string[]) => story.run(process.execPath, [MAIN, ...args], { ms: 120_000 });
  const before = await shown(drover);
  expect(before.version).toMatch(/^0\.0\.9\+/);

  const up = drover('up');
  // It is listening while it reads.
  const text = await until(
    60_000,
    () => 'nobody was told that the log is read',
    async () =>
      (await drover('status')).stdout.match(/^starting +The daemon is reading its log: \d+ %\./m)?.[0],
  );
  expect(text).toBeTruthy();
  const { stdout, stderr, code } = await up;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Replaced version 0\.0\.9\+\w+: http/)]);
  expect(stderr).toMatch(/^The daemon is reading its log: \d+ %\.$/m);
  const after = await shown(drover);
  expect(after.version).toBe(`${own}+${hash}`);
  expect(after.pid).not.toBe(before.pid);
  expect(existsSync(join(droverHome, 'autostart'))).toBe(true);

  const listed = JSON.parse((await drover('ls', '--json')).stdout) as { sessions: { id: string }[] };
  expect(listed.sessions.map(session => session.id)).toEqual(expect.arrayContaining([id, busy]));
  const answer = await drover('answer', id, 'allow', '--id', String(request?.id));
  expect([answer.code, answer.stderr]).toEqual([0, '']);
  await until(
    20_000,
    () => 'the tool did not run',
    () => existsSync(join(story.dir(), 'made')) || undefined,
  );
  const receipt = await until(
    60_000,
    () => 'the queued message was not answered',
    async () => {
      const { stdout: page } = await drover('events', busy, '--after', '0', '--json');
      return page.includes('"name":"MessageAnswered"') || undefined;
    },
  );
  expect(receipt).toBe(true);
  await drover('stop', busy);
  // It followed the same session across the update, up to its end.
  expect((await reader).stdout).toContain('it after the update');
}, 300_000);

test('an older daemon is replaced by the next command, a newer one is named', async () => {
  const opened = await world({ version });
  const older = renamed(join(opened.root, 'older'), { version: '0.0.9' });
  const newer = renamed(join(opened.root, 'newer'), { version: '99.0.1' });
  const run = (main: string, ...args: string[]) => opened.run(process.execPath, [main, ...args]);
  const { fire } = await hooksOf(opened);
  expect((await run(older, 'up', '--port', '0')).code).toBe(0);
  await fire({ session_id: sessionId(1), hook_event_name: 'UserPromptSubmit', prompt: 'SAY it' });
  const old = await shown(opened.drover);
  const listed = await Promise.all([opened.drover('ls'), opened.drover('show', shortId(sessionId(1)))]);
  for (const { code, stdout } of listed)
    expect([code, stdout]).toEqual([0, expect.stringContaining(shortId(sessionId(1)))]);
  expect(listed.map(({ stderr }) => stderr).join('')).toContain(
    `Replaced the daemon, which was version 0.0.9+${hash}, by this one, ${own}+${hash}.`,
  );
  const now = await shown(opened.drover);
  expect([now.version, now.pid === old.pid]).toEqual([`${own}+${hash}`, false]);

  // An older command leaves a newer daemon alone.
  expect((await run(newer, 'ls')).stderr).toContain('Replaced the daemon');
  const left = await shown(opened.drover);
  expect(await opened.drover('ls')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(shortId(sessionId(1))) as string,
    stderr: `drover: the daemon is version 99.0.1+${hash}, this command is ${own}+${hash}. Update this command with \`npm install -g drover\`.\n`,
  });
  expect((await opened.drover('up')).stdout).toMatch(/^Already running: /);
  expect((await shown(opened.drover)).pid).toBe(left.pid);
});

test('of two builds of one version the one that was installed later replaces the other; a daemon for other hosts is left alone', async () => {
  const opened = await world({ version });
  expect((await opened.drover('up', '--port', '0')).code).toBe(0);
  const before = await shown(opened.drover);
  const later = renamed(join(opened.root, 'later'), { hash: '0123456789' });
  expect((await opened.run(process.execPath, [later, 'ls'])).stderr).toContain('Replaced the daemon');
  const after = await shown(opened.drover);
  expect([after.version, after.pid === before.pid]).toEqual([`${own}+0123456789`, false]);
  // This build is older than that daemon.
  expect((await opened.drover('ls')).stderr).toContain('Restart it with `drover restart`.');
  await opened.drover('down');

  const older = renamed(join(opened.root, 'older'), { version: '0.0.9' });
  const shared = await opened.daemon({ main: older, args: ['--allow-host', 'drover.example'] });
  expect((await opened.drover('ls')).stderr).toBe(
    `drover: the daemon is version 0.0.9+${hash}, this command is ${own}+${hash}. Restart it with \`drover restart\`.\n`,
  );
  expect((await shown(opened.drover)).pid).toBe(shared.pid);
});

test('a daemon that reads its log is listed as such, and can be stopped', async () => {
  const opened = await world({ version });
  const bench = openBench();
  onTestFinished(() => bench.close());
  await writeReferenceLog(bench, 150_000);
  cpSync(join(bench.home, 'drover.db'), join(opened.droverHome, 'drover.db'));
  const up = opened.drover('up', '--port', '0');
  const url = await until(
    30_000,
    () => 'it is not registered',
    () => {
      const file = join(opened.droverHome, 'daemon.json');
      return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { url: string }).url : undefined;
    },
  );
  expect(await statusOf(`${url}/healthz`)).toEqual([
    503,
    expect.stringMatching(/"code":"starting","message":"The daemon is reading its log: \d+ %\."/),
  ]);
  expect(await opened.drover('down')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Stopped\./) as string,
  });
  expect((await up).code).not.toBe(0);
  expect(await opened.drover('status')).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^down /) as string,
  });
  expect(await opened.processes()).toEqual([]);
});

const statusOf = (url: string): Promise<[number | undefined, string]> =>
  new Promise((resolve, reject) => {
    get(url, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve([response.statusCode, Buffer.concat(chunks).toString('utf8')]));
    }).on('error', reject);
  });
