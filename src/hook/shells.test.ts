/** emit.sh, the status line and the start of a waiter under each shell that may be `sh`, with /proc and without. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Paths } from '../paths.ts';
import { bsdProcesses } from '../platform/bsd/processes.ts';
import { emit } from '../testing/emit.ts';
import { tempHome } from '../testing/home.ts';
import { asSh, installed, shells } from '../testing/shells.ts';
import { installEmitter } from './emitter.ts';
import { handlerFor } from './install/command.ts';
import { registerStatusLine } from './install/register-status-line.ts';
import { withoutOwnHost } from './here.ts';
import { startForEmitter } from '../platform/processes.ts';
import { WaitingHooks } from './waiting-hooks.ts';
import { readSpoolFile, type SpoolFile } from './spool.ts';

const payload = '{"session_id":"s1","hook_event_name":"Stop","text":"a \\\\ b %s $HOME"}\n';

const spooled = (paths: Paths): SpoolFile[] =>
  readdirSync(paths.spool).map(name => readSpoolFile(readFileSync(join(paths.spool, name))) as SpoolFile);

/** Hides /proc and setsid from a script, as on macOS. */
const withoutProc = (file: string): void => {
  const text = readFileSync(file, 'utf8').replaceAll('/proc/', '/no-proc/');
  writeFileSync(file, text.replace('command -v setsid', 'command -v no-setsid'), { mode: 0o700 });
};

/** Stops the time of the status line, with /proc and without: a slow machine must not let a second pass. */
const stopTime = (file: string, shell: string): void => {
  const uptime = join(dirname(shell), 'uptime');
  writeFileSync(uptime, '100.00 100.00\n');
  const text = readFileSync(file, 'utf8').replaceAll('</proc/uptime', `<${uptime}`);
  writeFileSync(file, text, { mode: 0o700 });
  writeFileSync(join(dirname(shell), 'date'), '#!/bin/sh\necho 100\n', { mode: 0o755 });
};

const cases = shells.flatMap(([name, programs]) => {
  const program = installed(programs);
  return [true, false].map(hasProc => ({ name, program, hasProc, proc: hasProc ? 'with' : 'without' }));
});

// There is no busybox for macOS.
test.runIf(process.env.CI && process.platform === 'linux')('every shell is installed where CI runs', () => {
  expect(cases.filter(({ program }) => program === null).map(({ name }) => name)).toEqual([]);
});

for (const { name, program, hasProc, proc } of cases)
  describe.skipIf(program === null)(
    `${name}${program === null ? ' (not installed)' : ''}, ${proc} /proc`,
    () => {
      const open = (main = '/nowhere/main.js') => {
        const paths = tempHome();
        installEmitter(paths, process.execPath, main);
        if (!hasProc) withoutProc(paths.emit);
        const shell = asSh(program as string);
        const fire = (event: string, env: Record<string, string> = {}) =>
          emit(paths, event, payload, env, undefined, shell);
        return { paths, shell, fire };
      };

      test('an event is spooled whole, with its context', async () => {
        const { paths, fire } = open();
        const env = {
          TMUX: '/tmp/a,b/default,77,3',
          TMUX_PANE: '%12',
          CLAUDE_PROJECT_DIR: '/w/a \'b\'\n"c"',
        };
        expect(await fire('Stop', env)).toEqual({ code: 0, stdout: '', stderr: '' });
        expect(await fire('Stop', env)).toEqual({ code: 0, stdout: '', stderr: '' });
        const [file, ...more] = spooled(paths);
        expect(more).toHaveLength(1);
        expect(file).toMatchObject({
          hook: 'Stop',
          sealed: true,
          context: { socket: '/tmp/a,b/default', serverPid: 77, pane: '%12', pid: process.pid },
        });
        expect(file?.context.projectDir).toBe('/w/a \'b\'\n"c"');
        expect(String(file?.payload)).toBe(payload);
        expect(withoutOwnHost(file?.context ?? {})).not.toHaveProperty('host');
      });

      test("an event of the daemon's own machine names no host", async () => {
        const { paths, fire } = open();
        writeFileSync(paths.pid, `${process.pid} ${hostname()}\n`);
        await fire('Stop');
        expect(spooled(paths)[0]?.context).not.toHaveProperty('host');
      });

      test('a process that has got the pid of the daemon is not the daemon', async () => {
        const { paths, fire } = open();
        const there = hasProc ? 'elsewhere' : hostname();
        writeFileSync(paths.pid, `${process.pid} ${there} Thu Jan 1 00:00:00 2026\n`);
        await fire('Stop');
        writeFileSync(
          paths.pid,
          `${process.pid} ${hostname()} ${bsdProcesses().startForEmitter(process.pid)}\n`,
        );
        await fire('Stop');
        expect(
          spooled(paths)
            .map(({ context }) => 'host' in context)
            .sort(),
        ).toEqual([false, true]);
      });

      test('a request waits for its answer, until the daemon dies', async () => {
        const { paths, fire } = open();
        const daemon = spawn('sleep', ['60'], { stdio: 'ignore' });
        onTestFinished(() => void daemon.kill('SIGKILL'));
        const pid = daemon.pid as number;
        const born = hasProc ? startForEmitter(pid) : bsdProcesses().startForEmitter(pid);
        writeFileSync(paths.pid, `${pid} ${hostname()} ${born}\n`);
        const hooks = new WaitingHooks(paths.waiting);
        hooks.start();
        const answer = JSON.stringify({ text: 'a\\b %s "ä"'.repeat(10_000) });
        const ran = fire('PermissionRequest');
        await expect.poll(() => spooled(paths).length, { timeout: 10_000 }).toBe(1);
        expect(await hooks.open(readdirSync(paths.spool)[0] ?? '')?.respond(answer)).toBe(true);
        expect(await ran).toEqual({ code: 0, stdout: `${answer}\n`, stderr: '' });
        const abandoned = fire('PermissionRequest');
        await expect.poll(() => spooled(paths).length, { timeout: 10_000 }).toBe(2);
        daemon.kill('SIGKILL');
        expect(await abandoned).toEqual({ code: 0, stdout: '', stderr: '' });
      });

      test('a session start starts the daemon, unless it runs', async () => {
        const main = join(tempHome().home, 'main.js');
        const { paths, shell, fire } = open(main);
        const started = `${main}.started`;
        mkdirSync(dirname(main), { recursive: true });
        writeFileSync(
          main,
          `require('node:fs').writeFileSync(${JSON.stringify(started)}, [...process.argv.slice(2), process.env.SECRET ?? 'none'].join(' '))`,
        );
        writeFileSync(paths.autostart, '');
        const born = bsdProcesses().startForEmitter(process.pid);
        writeFileSync(paths.pid, `${process.pid} ${hostname()} ${born}\n`);
        expect(await fire('SessionStart', { SECRET: 'no' })).toEqual({ code: 0, stdout: '', stderr: '' });
        expect(existsSync(paths.starting)).toBe(false);
        writeFileSync(paths.pid, `${process.pid} ${hostname()} Thu Jan 1 00:00:00 2026\n`);
        // Bytes that are no text must not keep a variable from being found.
        const env = { LANG: 'C.UTF-8' };
        const command = `SECRET=$(printf 'no\\377'); export SECRET; ${handlerFor('SessionStart', { HOME: '/nowhere', DROVER_HOME: paths.home }).command}`;
        expect(await emit(paths, 'SessionStart', payload, env, command, shell)).toEqual({
          code: 0,
          stdout: '',
          stderr: '',
        });
        await expect
          .poll(() => existsSync(started) && readFileSync(started, 'utf8'), { timeout: 10_000 })
          .toBe(hasProc && installed(['setsid']) ? 'up --foreground none' : 'up none');
      });

      test('an event is posted to another hub', async () => {
        const { paths, fire } = open();
        const seen: unknown[] = [];
        const server = createServer((request, response) => {
          let body = '';
          request.on('data', chunk => (body += String(chunk)));
          request.on('end', () => {
            seen.push([request.headers.authorization, request.headers['x-drover-hook'], body]);
            response.end();
          });
        });
        await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
        onTestFinished(() => void server.close());
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        expect(await fire('Stop', { DROVER_URL: url, DROVER_TOKEN: 't1' })).toMatchObject({
          code: 0,
          stdout: '',
        });
        expect(seen).toEqual([['Bearer t1', 'Stop', payload]]);
        expect(spooled(paths)).toEqual([]);
      });

      test("the status line reports, and runs the user's own command", () => {
        const { paths, shell } = open();
        const file = join(dirname(paths.home), 'settings.json');
        const own = 'cat; echo " mine"; exit 3';
        writeFileSync(file, JSON.stringify({ statusLine: { type: 'command', command: own } }));
        registerStatusLine(file, paths, { HOME: dirname(paths.home), DROVER_HOME: paths.home });
        if (!hasProc) withoutProc(paths.statusLine);
        stopTime(paths.statusLine, shell);
        const { statusLine } = JSON.parse(readFileSync(file, 'utf8')) as { statusLine: { command: string } };
        const env = { PATH: `${dirname(shell)}:${process.env.PATH}`, SHLVL: '1' };
        const line = (command: string, input: string) => {
          const { status, stdout, stderr } = spawnSync(shell, ['-c', command], {
            input,
            env,
            encoding: 'utf8',
          });
          return { status, stdout, stderr };
        };
        const json = (cost: number) =>
          `{"session_id":"abc-1","model":{"id":"m","display_name":"Opus 5.5"},"cost":{"total_cost_usd":${cost}},"context_window":{"used_percentage":12}}`;
        expect(line(statusLine.command, json(1))).toEqual({
          status: 3,
          stdout: `${json(1)} mine\n`,
          stderr: '',
        });
        expect(spooled(paths).map(one => [one.hook, one.sealed, String(one.payload)])).toEqual([
          ['StatusLine', true, json(1)],
        ]);
        const plain = statusLine.command.replace(/^own=('[^']*'|[^;]*);/, "own='';");
        writeFileSync(paths.statusLineFacts, '$3.20\n2 waiting\n');
        const shown = 'Opus 5.5 · 12% context · $3.20 today · 2 waiting\n';
        // The same again, and a change within the same second: nothing is sent.
        for (const cost of [1, 2])
          expect(line(plain, json(cost))).toEqual({ status: 0, stdout: shown, stderr: '' });
        expect(spooled(paths)).toHaveLength(1);
      });
    },
  );
