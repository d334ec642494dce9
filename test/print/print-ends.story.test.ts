/** Every way a run of `drover print` can end: the right exit code, and nothing left behind. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { processStart } from '../../src/platform/processes.ts';
import { edges, newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { awaitNothingLeft, type PrintRun, startPrint } from '../rig/print.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

/** A run whose model is at work; `name` tells it from others of its world. */
const atWork = async (
  opened: World,
  args: string[] = [],
  name = 'x',
  more: object = {},
): Promise<PrintRun> => {
  const prompt = `SLEEP 20000 SAY too late, ${name}`;
  const run = startPrint(opened, [prompt, ...args], more);
  await opened.model.asked(seen => seen.turn && seen.prompt === prompt);
  return run;
};

const cliOf = async (run: PrintRun): Promise<number> =>
  Number(readFileSync(join(await run.dir(), 'pid'), 'utf8'));

describe.each(edges)('Claude Code %s', version => {
  test('SIGINT, SIGTERM, SIGHUP: 130', async () => {
    const opened = await world({ version });
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    const runs = signals.map(signal => ({ signal, started: atWork(opened, ['-o', 'json'], signal) }));
    for (const { signal, started } of runs) {
      const run = await started;
      process.kill(run.pid, signal);
      const { code, stdout } = await run.ended;
      expect([signal, code, JSON.parse(stdout)]).toMatchObject([signal, 130, { subtype: 'interrupted' }]);
    }
    await awaitNothingLeft(opened);
  });

  test('SIGKILL of the run itself: its cleanup process kills the CLI and removes the folder', async () => {
    const opened = await world({ version });
    const run = await atWork(opened);
    process.kill(run.pid, 'SIGKILL');
    expect((await run.ended).code).toBe(null);
    await awaitNothingLeft(opened);
  });

  test('the CLI dies: 2; the FIFO disappears: 2; timeout: 124; an internal error: 2; no Stop hook: 124', async () => {
    const opened = await world({ version });
    const bug = join(opened.root, 'bug.cjs');
    const wanted = join(opened.root, 'bug');
    const look = `require('fs').existsSync(${JSON.stringify(wanted)})`;
    writeFileSync(bug, `setInterval(() => { if (${look}) throw new Error('a bug') }, 50).unref()`);
    // However far it has come by then.
    const late = startPrint(opened, ['SLEEP 20000 SAY too late', '--timeout', '5']);
    const [died, robbed, broken] = await Promise.all([
      atWork(opened, [], 'dies'),
      atWork(opened, [], 'robbed'),
      atWork(opened, [], 'broken', { node: ['--require', bug] }),
    ]);
    process.kill(await cliOf(died), 'SIGKILL');
    rmSync(join(await robbed.dir(), 'stop.fifo'));
    writeFileSync(wanted, '');
    const failed = (message: string) => ({ code: 2, stdout: '', stderr: `error: ${message}\n` });
    expect(await died.ended).toEqual(failed('claude exited before its turn ended (SIGKILL)'));
    expect(await robbed.ended).toEqual(failed('the FIFO of this run was removed'));
    expect(await broken.ended).toEqual(failed('a bug'));
    expect(await late.ended).toMatchObject({ code: 124, stderr: expect.stringContaining('--timeout') });
    await awaitNothingLeft(opened);

    writeFileSync(join(opened.home, '.claude', 'settings.json'), '{"disableAllHooks":true}');
    const silent = startPrint(opened, ['SAY unheard', '--stop-hook-timeout', '1']);
    expect(await silent.ended).toMatchObject({
      code: 124,
      stderr: expect.stringContaining('--stop-hook-timeout'),
    });
    await awaitNothingLeft(opened);
  });

  test('the Stop watchdog does not end a long turn, and a reader that goes away ends the run', async () => {
    const opened = await world({ version });
    const patient = startPrint(opened, ['SLEEP 9000 SAY at last', '--stop-hook-timeout', '6']);
    expect(await patient.ended).toEqual({ code: 0, stdout: 'at last\n', stderr: '' });
    const line = `("$0" "$1" print 'LINGER 20000 RUN echo x' -o stream-json; echo $? >"$2") | head -n 1`;
    const told = join(opened.root, 'code');
    const { stdout, stderr } = await opened.run('sh', ['-c', line, process.execPath, MAIN, told]);
    expect([stdout.split('\n').length, stderr]).toEqual([
      2,
      'error: standard output cannot be written: write EPIPE\n',
    ]);
    expect(readFileSync(told, 'utf8')).toBe('2\n');
    await awaitNothingLeft(opened);
  });
});

test('a signal while the terminal is being started ends the run as soon as it can', async () => {
  const opened = await world({ version: newest });
  const real = (await opened.run('sh', ['-c', 'command -v tmux'])).stdout.trim();
  // The terminal is long in coming up, and says so.
  const slow = `#!/bin/sh\ncase $* in *new-session*) : >'${opened.root}/coming'; sleep 1 ;; esac\nexec ${real} "$@"\n`;
  writeFileSync(join(opened.root, 'bin', 'tmux'), slow, { mode: 0o755 });
  const run = startPrint(opened, ['SAY too late']);
  await until(
    10_000,
    () => 'no terminal',
    () => existsSync(join(opened.root, 'coming')) || undefined,
  );
  process.kill(run.pid, 'SIGTERM');
  expect(await run.ended).toEqual({ code: 130, stdout: '', stderr: 'error: interrupted by SIGTERM\n' });
  await awaitNothingLeft(opened);
});

test('a signal while the prompt is still being read: 130, in its own format', async () => {
  const opened = await world({ version: newest });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const [probe, listens] = [join(opened.root, `${signal}.cjs`), join(opened.root, signal)];
    const look = `process.listenerCount('SIGHUP') && require('fs').writeFileSync('${listens}', '')`;
    writeFileSync(probe, `setInterval(() => ${look}, 10).unref()`);
    const run = startPrint(opened, ['-o', 'json'], { input: null, node: ['--require', probe] });
    await until(
      10_000,
      () => 'it does not listen',
      () => existsSync(listens) || undefined,
    );
    process.kill(run.pid, signal);
    const { code, stdout } = await run.ended;
    expect([signal, code, JSON.parse(stdout)]).toMatchObject([signal, 130, { subtype: 'interrupted' }]);
  }
  await awaitNothingLeft(opened);
});

test('private under any umask, quoted under any TMPDIR, with a socket path that is short enough', async () => {
  const version = newest;
  const opened = await world({ version });
  const odd = join(opened.root, 'tmp', `it's "a" $(touch x) ${'long '.repeat(16)}`.trim());
  mkdirSync(odd);
  for (const umask of ['000', '777']) {
    const script = `umask ${umask}; exec "$0" "$@"`;
    const seen: string[] = [];
    const run = opened.run('sh', ['-c', script, process.execPath, MAIN, 'print', 'SLEEP 5000 SAY hi'], {
      env: { TMPDIR: odd },
    });
    await opened.model.asked(({ prompt, turn }) => turn && prompt === 'SLEEP 5000 SAY hi');
    const dir = join(
      odd,
      (await opened.run('ls', [odd])).stdout.split('\n').find(name => name.startsWith('claude-print')) ?? '',
    );
    for (const name of ['', 'settings.json', 'hook.sh', 'stop.fifo', 'start.sh', 'identity.json'])
      seen.push(`${name} ${(statSync(join(dir, name)).mode & 0o777).toString(8)}`);
    expect(seen).toEqual([
      ' 700',
      'settings.json 600',
      'hook.sh 700',
      'stop.fifo 600',
      'start.sh 600',
      'identity.json 600',
    ]);
    expect(await run).toEqual({ code: 0, stdout: 'hi\n', stderr: '' });
    expect(existsSync(dir)).toBe(false);
    opened.model.requests.length = 0;
  }
});

test('no disk space, no tmux: 2 and an error message', async () => {
  const version = newest;
  const opened = await world({ version });
  const gone = startPrint(opened, ['SAY hi'], { env: { TMPDIR: join(opened.root, 'nowhere') } });
  expect(await gone.ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('nowhere') });
  const device = 'exec "$0" "$@" >/dev/full';
  for (const format of ['text', 'json', 'stream-json']) {
    const args = ['-c', device, process.execPath, MAIN, 'print', 'SAY hi', '-o', format];
    const { code, stderr } = await opened.run('sh', args);
    expect([format, code, stderr]).toEqual([format, 2, expect.stringMatching(/^error: .+ENOSPC.+\n$/)]);
  }
  const script = 'ulimit -f 0; exec "$0" "$@"';
  const full = await opened.run('sh', ['-c', script, process.execPath, MAIN, 'print', 'SAY hi']);
  expect([full.code, full.stdout]).toEqual([2, '']);
  const path = join(opened.root, 'no-tmux');
  mkdirSync(path);
  for (const name of ['sh', 'mkfifo']) await opened.run('ln', ['-s', `/bin/${name}`, join(path, name)]);
  await opened.run('ln', ['-s', join(opened.root, 'bin', 'claude'), join(path, 'claude')]);
  const bare = startPrint(opened, ['SAY hi'], { env: { PATH: path } });
  expect(await bare.ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('tmux') });
  await awaitNothingLeft(opened);
});

test('the next run removes what a dead one left, but none that is live, recent or from another host', async () => {
  const version = newest;
  const opened = await world({ version });
  const killed = await atWork(opened);
  const owner = readFileSync(join(await killed.dir(), 'owner'), 'utf8');
  const [host = '', space = ''] = owner.split(' ');
  process.kill(killed.pid, 'SIGKILL');
  await awaitNothingLeft(opened);
  // Killed together with its cleanup process: the CLI continues, and nobody knows.
  const orphan = await atWork(opened, [], 'orphan');
  const [folder, cli] = [await orphan.dir(), await cliOf(orphan)];
  const { stdout: all } = await opened.run('ps', ['-A', '-o', 'pid=,args=']);
  const cleanup =
    all.split('\n').find(line => line.includes('drover-cleanup') && line.includes(folder)) ?? '';
  for (const pid of [Number.parseInt(cleanup, 10), orphan.pid]) process.kill(pid, 'SIGKILL');
  await orphan.ended;
  expect([existsSync(folder), await opened.processes()]).toEqual([true, expect.arrayContaining([cli])]);
  utimesSync(folder, Date.now() / 1000 - 120, Date.now() / 1000 - 120);
  const leftover = (pid: number, age: number, rand: string, words = owner) => {
    const path = join(opened.root, 'tmp', `claude-print-${pid}-${rand.repeat(6)}`);
    mkdirSync(path, { mode: 0o700 });
    writeFileSync(join(path, 'owner'), words);
    const at = Date.now() / 1000 - age;
    utimesSync(path, at, at);
    return path;
  };
  const dead = leftover(killed.pid, 120, 'a');
  const young = leftover(killed.pid, 5, 'b');
  const living = leftover(process.pid, 120, 'c', `${host} ${space} ${processStart(process.pid)}`);
  const elsewhere = leftover(killed.pid, 120, 'd', `another ${space} 1`);
  const unnamed = leftover(killed.pid, 120, 'e', '');
  expect(await startPrint(opened, ['SLEEP 500 SAY hi']).ended).toMatchObject({ code: 0, stdout: 'hi\n' });
  const kept = [young, living, elsewhere, unnamed];
  expect([folder, dead, ...kept].map(existsSync)).toEqual([false, false, true, true, true, true]);
  expect(await opened.processes()).toEqual([]);

  // On request those of an hour ago, and no others.
  const [old, recent] = [leftover(killed.pid, 4_000, 'f'), leftover(killed.pid, 120, 'g')];
  expect((await opened.drover('print', '--check')).stdout).toContain(`2, removed by the next run: ${old}`);
  const cleaned = await opened.drover('print', '--check', '--clean');
  expect([cleaned.code, cleaned.stdout]).toEqual([0, expect.stringContaining('killed runs: 1 removed')]);
  expect([old, recent].map(existsSync)).toEqual([false, true]);
});
