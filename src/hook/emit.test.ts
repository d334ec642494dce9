import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Paths } from '../paths.ts';
import { emit } from '../testing/emit.ts';
import { tempHome } from '../testing/home.ts';
import { lostEvents } from './disk-reserve.ts';
import { installEmitter } from './emitter.ts';
import { startForEmitter } from '../platform/processes.ts';
import { readSpoolFile, type SpoolFile } from './spool.ts';

const payload = '{"session_id":"s1","hook_event_name":"Stop"}\n';

const home = (main = '/nowhere/main.js') => {
  const paths = tempHome();
  installEmitter(paths, process.execPath, main);
  return paths;
};

const spooled = (paths: { spool: string }): SpoolFile[] =>
  readdirSync(paths.spool).map(name => readSpoolFile(readFileSync(join(paths.spool, name))) as SpoolFile);

test('one event becomes one sealed, private file with the payload byte for byte', async () => {
  const paths = home();
  const odd = Buffer.from([...Buffer.from('{"a":"'), 0xff, 0x0d, 0x0a, ...Buffer.from('"}\n')]);
  expect(await emit(paths, 'Stop', odd, { TMUX: '/tmp/a,b/default,77,3', TMUX_PANE: '%12' })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const [file] = spooled(paths);
  expect(file).toMatchObject({
    hook: 'Stop',
    sealed: true,
    context: { socket: '/tmp/a,b/default', serverPid: 77, pane: '%12', pid: process.pid },
  });
  expect(file?.payload.equals(odd)).toBe(true);
  expect(statSync(join(paths.spool, readdirSync(paths.spool)[0] as string)).mode & 0o777).toBe(0o600);
});

test('it takes named variables only, never the whole environment', async () => {
  const paths = home();
  const env = {
    CLAUDE_CODE_MESSAGING_TOKEN: 'top-secret',
    CLAUDE_PROJECT_DIR: '/w/a \'b\'\n"c"',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_PID: '4242',
  };
  await emit(paths, 'Stop', payload, env);
  const bytes = readFileSync(join(paths.spool, readdirSync(paths.spool)[0] as string), 'latin1');
  expect(bytes).not.toContain('top-secret');
  expect(spooled(paths)[0]?.context).toMatchObject({
    projectDir: '/w/a \'b\'\n"c"',
    entrypoint: 'cli',
    pid: 4242,
  });
});

test('an event with empty stdin still has a session and a name', async () => {
  const paths = home();
  await emit(paths, 'SessionEnd', '', { CLAUDE_CODE_SESSION_ID: 'owner-1' });
  expect(spooled(paths)[0]).toMatchObject({ hook: 'SessionEnd', sessionId: 'owner-1', sealed: true });
});

test('a hundred hooks at once make a hundred whole files', async () => {
  const paths = home();
  const big = `{"pad":"${'x'.repeat(100_000)}"}`;
  await Promise.all(Array.from({ length: 100 }, () => emit(paths, 'PostToolUse', big)));
  const files = spooled(paths);
  expect(files).toHaveLength(100);
  expect(files.every(file => file.sealed && file.payload.toString() === big)).toBe(true);
});

test.each([
  ['the emitter is gone', (dir: string) => rmSync(join(dir, 'emit.sh'))],
  ['the whole home is gone', (dir: string) => rmSync(dir, { recursive: true })],
  [
    'the spool is a file',
    (dir: string) => (rmSync(join(dir, 'spool'), { recursive: true }), writeFileSync(join(dir, 'spool'), '')),
  ],
])('it is silent and exits 0 when %s', async (_, spoil) => {
  const paths = home();
  spoil(paths.home);
  expect(await emit(paths, 'Stop', payload)).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a missing spool is made again', async () => {
  const paths = home();
  rmSync(paths.spool, { recursive: true });
  await emit(paths, 'Stop', payload);
  expect(spooled(paths)).toHaveLength(1);
});

test('on a full disk it is silent, leaves no half file behind and counts the drop', async () => {
  const paths = home();
  // /dev/full answers every write with ENOSPC; a link to it in the place of `cat` output is what a full disk looks like.
  const bin = join(paths.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'cat'), '#!/bin/sh\n/bin/cat >/dev/full\n');
  chmodSync(join(bin, 'cat'), 0o755);
  const script = readFileSync(paths.emit, 'utf8').replaceAll('PATH=/bin:/usr/bin:$PATH', `PATH=${bin}:$PATH`);
  writeFileSync(paths.emit, script);
  expect(await emit(paths, 'Stop', payload)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(readdirSync(paths.spool)).toEqual([]);
  expect(lostEvents(paths)).toMatchObject({ count: 1, lastAt: expect.any(Number) as number });
  expect(existsSync(paths.reserve)).toBe(false);
});

test('past the bound it drops and counts', async () => {
  const paths = home();
  writeFileSync(paths.full, '');
  await emit(paths, 'Stop', payload);
  await emit(paths, 'Stop', payload);
  expect(readdirSync(paths.spool)).toEqual([]);
  expect(statSync(paths.dropped).size).toBe(2);
});

test('the same file works when it is run instead of sourced', async () => {
  const paths = home();
  await emit(paths, 'Stop', payload, {}, `'${paths.emit}' Stop plugin`);
  expect(spooled(paths)[0]).toMatchObject({ hook: 'Stop', context: { via: 'plugin' } });
});

test('it names its host and pid namespace when the daemon is not in them', async () => {
  const paths = home();
  await emit(paths, 'Stop', payload);
  expect(spooled(paths)[0]?.context).toMatchObject({
    host: expect.any(String) as string,
    ns: expect.stringMatching(/^\d+$/) as string,
  });
  writeFileSync(paths.pid, `${process.pid} ${hostname()}\n`);
  rmSync(paths.spool, { recursive: true });
  await emit(paths, 'Stop', payload);
  expect(spooled(paths)[0]?.context).not.toHaveProperty('ns');
});

test('an installed emitter is replaced by rename', () => {
  const paths = home();
  const before = statSync(paths.emit).ino;
  installEmitter(paths, process.execPath, '/nowhere/main.js');
  expect(statSync(paths.emit).ino).toBe(before);
  installEmitter(paths, process.execPath, '/else/main.js');
  expect(statSync(paths.emit).ino).not.toBe(before);
  expect(readdirSync(paths.home).filter(name => name.startsWith('emit.sh'))).toEqual(['emit.sh']);
});

test('a session start starts the daemon detached, once, with a listed environment', async () => {
  const dir = tempHome();
  const main = join(dir.home, 'main.js');
  const started = join(dir.home, 'started');
  writeFileSync(
    main,
    `const fs = require('node:fs');
     const stat = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
     fs.appendFileSync(${JSON.stringify(`${started}.part`)}, JSON.stringify({ env: process.env, cwd: process.cwd(), argv: process.argv.slice(2),
       own: Number(stat[3]) === process.pid, out: fs.readlinkSync('/proc/self/fd/1') }) + '\\n');
     fs.renameSync(${JSON.stringify(`${started}.part`)}, ${JSON.stringify(started)});`,
  );
  writeFileSync(dir.config, '{"env":{"pass":["MY_GATEWAY"]}}');
  installEmitter(dir, process.execPath, main);
  await emit(dir, 'SessionStart', payload);
  expect(existsSync(dir.starting)).toBe(false);
  writeFileSync(dir.autostart, '');
  // A daemon in a container leaves its host open; its pid says nothing here.
  writeFileSync(dir.pid, '1 - 99\n');
  await emit(dir, 'SessionStart', payload);
  expect(existsSync(dir.starting)).toBe(false);
  rmSync(dir.pid);
  await Promise.all(
    Array.from({ length: 5 }, () =>
      emit(dir, 'SessionStart', payload, {
        HOME: '/h',
        LC_TIME: 'C',
        ANTHROPIC_API_KEY: "key's\nSECRET=2\nHOME=3",
        CLAUDE_CODE_SKIP_BEDROCK_AUTH: '1',
        https_proxy: 'http://p',
        MY_GATEWAY: 'named in the config',
        // None of these is for the daemon; the last two could break the script.
        SECRET: 'no',
        CLAUDE_CODE_SESSION_ID: 's1',
        NODE_OPTIONS: '--no-such-flag',
        DROVER_URL: '',
        node: 'no',
        main: 'no',
      }),
    ),
  );
  await expect.poll(() => existsSync(started), { timeout: 5_000 }).toBe(true);
  const runs = readFileSync(started, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({ cwd: '/', own: true, out: '/dev/null', argv: ['up', '--foreground'] });
  const { node, main: given, ...env } = (runs[0] as { env: Record<string, string> }).env;
  expect([node, given]).toEqual([process.execPath, main]);
  expect(env).toEqual({
    ANTHROPIC_API_KEY: "key's\nSECRET=2\nHOME=3",
    CLAUDE_CODE_SKIP_BEDROCK_AUTH: '1',
    DROVER_HOME: dir.home,
    HOME: '/h',
    LC_TIME: 'C',
    MY_GATEWAY: 'named in the config',
    PATH: expect.any(String) as string,
    https_proxy: 'http://p',
  });
});

test('after a kill any hook starts the daemon again, at most once a minute; after a stop none does', async () => {
  const dir = tempHome();
  const main = join(dir.home, 'main.js');
  const started = join(dir.home, 'started');
  writeFileSync(main, `require('node:fs').appendFileSync(${JSON.stringify(started)}, 'x')`);
  installEmitter(dir, process.execPath, main);
  const killed = spawnSync('true').pid;
  const starts = () => (existsSync(started) ? readFileSync(started, 'utf8').length : 0);
  // It has stopped, or was stopped for good by `drover down`.
  writeFileSync(dir.autostart, '');
  await emit(dir, 'PostToolUse', payload);
  rmSync(dir.autostart);
  writeFileSync(dir.pid, `${killed} ${hostname()} 12345\n`);
  await emit(dir, 'PostToolUse', payload);
  expect(readdirSync(dir.home).filter(name => ['starting', 'revived'].includes(name))).toEqual([]);
  writeFileSync(dir.autostart, '');
  // Another machine or container shares this home.
  writeFileSync(dir.pid, `${killed} elsewhere 12345\n`);
  await emit(dir, 'PostToolUse', payload);
  expect(existsSync(dir.revived)).toBe(false);
  writeFileSync(dir.pid, `${killed} ${hostname()} 12345\n`);
  await Promise.all(Array.from({ length: 5 }, () => emit(dir, 'PostToolUse', payload)));
  await expect.poll(starts, { timeout: 5_000 }).toBe(1);
  // It could not start: it is tried again a minute later.
  rmdirSync(dir.starting);
  await emit(dir, 'Stop', payload);
  expect(existsSync(dir.starting)).toBe(false);
  const earlier = Date.now() / 1_000 - 121;
  utimesSync(dir.revived, earlier, earlier);
  await emit(dir, 'Stop', payload);
  await expect.poll(starts, { timeout: 5_000 }).toBe(2);
});

test('a pid that now belongs to another process is not taken for the daemon', async () => {
  const dir = tempHome();
  const main = join(dir.home, 'main.js');
  const started = join(dir.home, 'started');
  writeFileSync(main, `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`);
  installEmitter(dir, process.execPath, main);
  writeFileSync(dir.autostart, '');
  // This process runs the same node, and counts as the daemon only if it has the same start time.
  writeFileSync(dir.pid, `${process.pid} ${hostname()} ${startForEmitter(process.pid)}\n`);
  await emit(dir, 'SessionStart', payload);
  expect(existsSync(dir.starting)).toBe(false);
  writeFileSync(dir.pid, `${process.pid} ${hostname()} 12345\n`);
  await emit(dir, 'SessionStart', payload);
  expect(existsSync(dir.starting)).toBe(true);
  await expect.poll(() => existsSync(started), { timeout: 5_000 }).toBe(true);
});

test('a daemon that was killed and that nobody has reaped is not taken for one that runs', async () => {
  const dir = tempHome();
  installEmitter(dir, process.execPath, '/dev/null');
  writeFileSync(dir.autostart, '');
  // The shell leaves a child behind and becomes a program that does not wait for it.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [output] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(String(output));
  const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  await expect.poll(() => stat()[0], { timeout: 5_000 }).toBe('Z');
  writeFileSync(dir.pid, `${pid} ${hostname()} ${stat()[19]}\n`);
  await emit(dir, 'SessionStart', payload);
  expect(existsSync(dir.starting)).toBe(true);
});

/** A home with its own waiter, and one session that is held. */
const holding = (waiter: string) => {
  const paths = tempHome();
  const dir = join(paths.home, 'dist');
  mkdirSync(dir);
  mkdirSync(paths.held);
  writeFileSync(join(paths.held, 's1'), '');
  writeFileSync(join(dir, 'waiter.js'), waiter);
  installEmitter(paths, process.execPath, join(dir, 'main.js'));
  return paths;
};

/** A waiter that prints its input, and how many of its files are the hook's output. */
const echo = `const fs = require('node:fs');
  const link = fd => fs.existsSync('/proc/self/fd/' + fd) && fs.readlinkSync('/proc/self/fd/' + fd);
  const outputs = fs.readdirSync('/proc/self/fd').filter(fd => link(fd) === link(1));
  fs.writeSync(1, JSON.stringify({ payload: fs.readFileSync(0, 'utf8'), env: process.env, outputs }));`;

test('a held request becomes the waiter, which has the payload and alone has the output', async () => {
  const paths = holding(echo);
  const asks = '{"session_id":"s1","hook_event_name":"PermissionRequest"}\n';
  const env = { CLAUDE_CODE_SESSION_ID: 's1', NODE_OPTIONS: '--no-such-flag', SECRET: 'no' };
  const { code, stdout, stderr } = await emit(paths, 'PermissionRequest', asks, env);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({
    payload: asks,
    env: { DROVER_DELIVERY: readdirSync(paths.spool)[0], DROVER_HOME: paths.home },
    outputs: ['1'],
  });
  expect(spooled(paths)[0]).toMatchObject({ hook: 'PermissionRequest', payload: Buffer.from(asks) });
  expect(readdirSync(paths.outgoing)).toEqual([]);
});

test.each<[string, string, Record<string, string>]>([
  ['another session', 'PermissionRequest', { CLAUDE_CODE_SESSION_ID: 's2' }],
  ['a session without an id', 'PermissionRequest', {}],
  ['another event', 'Stop', { CLAUDE_CODE_SESSION_ID: 's1' }],
  [
    'a hub elsewhere',
    'PermissionRequest',
    { CLAUDE_CODE_SESSION_ID: 's1', DROVER_URL: 'http://127.0.0.1:1' },
  ],
])('%s does not wait', async (_, event, env) => {
  const paths = holding(echo);
  expect(await emit(paths, event, payload, env)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(spooled(paths)).toHaveLength(1);
});

test('hooks of a session with an agent wait for it: Stop, PreCompact and PermissionRequest, and no other', async () => {
  const paths = holding(`require('node:fs').writeSync(1, 'answered')`);
  mkdirSync(paths.awaited);
  writeFileSync(join(paths.awaited, 's2'), '');
  const output = async (event: string, id: string) =>
    (await emit(paths, event, payload, { CLAUDE_CODE_SESSION_ID: id })).stdout;
  for (const event of ['Stop', 'PreCompact', 'PermissionRequest'])
    expect([event, await output(event, 's2')]).toEqual([event, 'answered']);
  for (const event of ['SubagentStop', 'Notification', 'UserPromptSubmit', 'PreToolUse', 'SessionEnd'])
    expect([event, await output(event, 's2')]).toEqual([event, '']);
  expect(await output('Stop', 's1')).toBe('');
});

test('without a waiter a held request is only spooled', async () => {
  const paths = holding('');
  rmSync(join(paths.home, 'dist'), { recursive: true });
  const ran = await emit(paths, 'PermissionRequest', payload, { CLAUDE_CODE_SESSION_ID: 's1' });
  expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(spooled(paths)).toHaveLength(1);
  expect(readdirSync(paths.outgoing)).toEqual([]);
});

test.each(['DROVER_URL', 'CLAUDE_HUB_COLLECTOR_URL'])(
  'with %s it posts the raw payload, the token not on a command line',
  async variable => {
    const paths = home();
    const seen: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
    const hub = createServer((request, response) => {
      let body = '';
      request.on('data', chunk => {
        body += String(chunk);
      });
      request.on('end', () => {
        seen.push({ url: request.url, headers: request.headers, body });
        response.end('{}');
      });
    });
    await new Promise<void>(done => hub.listen(0, '127.0.0.1', done));
    onTestFinished(() => void hub.close());
    const url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`;
    await emit(paths, 'Stop', payload, {
      // DROVER_URL wins where both are set.
      CLAUDE_HUB_COLLECTOR_URL: 'http://127.0.0.1:1',
      [variable]: url,
      DROVER_TOKEN: 'tok"en',
      TMUX: '/s,1,0',
      TMUX_PANE: '%5',
      CLAUDE_PROJECT_DIR: '/w/ü "x"',
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ url: '/events', body: payload });
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer tok"en',
      'x-tmux-pane': '%5',
      'x-tmux': '/s,1,0',
    });
    expect(Buffer.from(String(seen[0]?.headers['x-claude-project-dir']), 'latin1').toString()).toBe(
      '/w/ü "x"',
    );
    expect(readdirSync(paths.spool)).toEqual([]);
    expect(readdirSync(paths.outgoing)).toEqual([]);
  },
);

test.each([
  ['refused', 'http://127.0.0.1:1', {}],
  ['without curl', 'http://127.0.0.1:1', { PATH: '/nonexistent' }],
])('a POST that is %s goes into the spool and is counted', async (_, url, env) => {
  const paths = home();
  const ran = await emit(paths, 'Stop', payload, {
    DROVER_URL: url,
    ...env,
    ...('PATH' in env ? { PATH: toolsWithoutCurl(paths.home) } : {}),
  });
  expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(spooled(paths)[0]).toMatchObject({ sealed: true, payload: Buffer.from(payload) });
  expect(readFileSync(paths.emitLog, 'utf8').trim().split('\n')).toHaveLength(1);
  expect(statSync(paths.unsent).size).toBe(1);
  expect(readdirSync(paths.outgoing)).toEqual([]);
});

/** Runs the emitter with a curl that records its input; null: it was not called. */
const posted = async (env: Record<string, string>): Promise<{ paths: Paths; output: string | null }> => {
  const paths = home();
  writeFileSync(paths.token, 'of-this-home\n');
  const bin = join(paths.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'curl'), `#!/bin/sh\n{ printf '%s\\n' "$@"; cat; } >"${bin}/output"\n`, {
    mode: 0o755,
  });
  const ran = await emit(paths, 'Stop', payload, { PATH: `${bin}:/usr/bin:/bin`, ...env });
  expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
  const output = join(bin, 'output');
  return { paths, output: existsSync(output) ? readFileSync(output, 'utf8') : null };
};

test.each([
  'http://127.0.0.1:4000',
  'http://127.0.0.1:4000/',
  'HTTP://127.1.2.3',
  'http://LocalHost:4000',
  'https://[::1]:4000/x',
  'http://[::1]',
])('%s is this machine: it gets the token of this home, past any proxy', async url => {
  const { output } = await posted({ DROVER_URL: url, http_proxy: 'http://proxy.example' });
  expect(output).toContain('Bearer of-this-home');
  expect(output).toContain('--noproxy\n*\n');
});

test.each([
  'http://hub.example:4000',
  'http://127.0.0.1.evil.example',
  'http://127.0.0.1@evil.example',
  'http://127.0.0.1:80@evil.example',
  'http://127.0.0.1\\@evil.example',
  'http://127.0.0.1:80\\@evil.example',
  'http://localhost.evil.example',
  'http://localhost:x@evil.example',
  'http://[::1].evil.example',
  'http://[::1]@evil.example',
  'http://[::1%25evil]',
  'http://127.evil.0.1',
  'http://127.0.0.1.1',
  'http://1.127.0.0.1',
  'http://0.0.0.0:4000',
  'http://user@localhost',
  'evil.example/://127.0.0.1',
  'evil.example?://127.0.0.1',
  'ftp://127.0.0.1',
  'http:127.0.0.1',
  'http://',
])('%s is not this machine: the token of this home does not go there, and the event is kept', async url => {
  const { output, paths } = await posted({ DROVER_URL: url });
  expect(output).toBeNull();
  expect(spooled(paths)[0]).toMatchObject({ sealed: true, payload: Buffer.from(payload) });
  expect(readFileSync(paths.emitLog, 'utf8')).toMatch(/^Not posted: .*DROVER_TOKEN_FILE.*\n$/);
  expect(statSync(paths.unsent).size).toBe(1);
  expect(readdirSync(paths.outgoing)).toEqual([]);
});

test('another machine gets the token that is configured for it, unless that is the file of this home', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'drover-token-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'hub-token');
  writeFileSync(file, 'for-the-hub\n');
  const DROVER_URL = 'http://hub.example:4000';
  for (const env of [{ DROVER_TOKEN: 'for-the-hub' }, { DROVER_TOKEN_FILE: file }]) {
    const { output } = await posted({ DROVER_URL, ...env });
    expect(output).toContain('Bearer for-the-hub');
    expect(output).not.toContain('noproxy');
  }
  const own = home();
  writeFileSync(own.token, 'of-this-home\n');
  const link = join(dir, 'link');
  symlinkSync(own.token, link);
  await emit(own, 'Stop', payload, { DROVER_URL, DROVER_TOKEN_FILE: link });
  expect(readFileSync(own.emitLog, 'utf8')).toContain('Not posted');
});

const toolsWithoutCurl = (dir: string): string => {
  const bin = join(dir, 'few');
  mkdirSync(bin);
  for (const tool of ['cat', 'mkdir', 'rm', 'sed']) {
    writeFileSync(join(bin, `${tool}.tmp`), `#!/bin/sh\nexec /bin/${tool} "$@"\n`, { mode: 0o755 });
    renameSync(join(bin, `${tool}.tmp`), join(bin, tool));
  }
  return bin;
};
