/** Every way in which a run of `drover print` can end: the right exit code, and nothing left behind. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { versions } from './rig/cli.ts';
import { MAIN } from './rig/drover.ts';
import { leftBehind, type PrintRun, startPrint } from './rig/print.ts';
import { world } from './rig/story.ts';
import { until } from './rig/within.ts';
import type { World } from './rig/world.ts';

/** Nobody is left who could spend a token, and no folder. What a killed run leaves, its guard clears a moment later. */
const nothingIsLeft = (opened: World, ms = 0) =>
  until(
    ms,
    () => `left behind: ${leftBehind(opened).join(', ')}`,
    async () => (leftBehind(opened).length + (await opened.processes()).length === 0 ? true : undefined),
  );

/** A run whose model is at work. */
const atWork = async (opened: World, args: string[] = [], more: object = {}): Promise<PrintRun> => {
  const seen = opened.model.requests.length;
  const run = startPrint(opened, ['SLEEP 20000 SAY too late', ...args], more);
  await until(
    15_000,
    () => 'the model was not asked',
    () => opened.model.requests.slice(seen).find(({ turn }) => turn),
  );
  return run;
};

const cliOf = async (run: PrintRun): Promise<number> =>
  Number(readFileSync(join(await run.dir(), 'pid'), 'utf8'));

describe.each(versions)('Claude Code %s', version => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s: 130', async signal => {
    const opened = await world({ version });
    const run = await atWork(opened, ['-o', 'json']);
    process.kill(run.pid, signal);
    const { code, stdout } = await run.ended;
    expect([code, JSON.parse(stdout).subtype]).toEqual([130, 'interrupted']);
    await nothingIsLeft(opened);
  });

  test('SIGKILL of the run itself: its guard ends the CLI and clears the folder', async () => {
    const opened = await world({ version });
    const run = await atWork(opened);
    process.kill(run.pid, 'SIGKILL');
    expect((await run.ended).code).toBe(null);
    await nothingIsLeft(opened, 5_000);
  });

  test('the CLI dies: 2; the FIFO goes: 2; time is up: 124; no Stop comes: 124; a bug of ours: 2', async () => {
    const opened = await world({ version });
    const died = await atWork(opened);
    process.kill(await cliOf(died), 'SIGKILL');
    expect(await died.ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('ended before'),
    });
    await nothingIsLeft(opened);

    const robbed = await atWork(opened);
    rmSync(join(await robbed.dir(), 'stop.fifo'));
    expect(await robbed.ended).toMatchObject({ code: 2, stderr: expect.stringContaining('FIFO') });
    await nothingIsLeft(opened);

    const late = await atWork(opened, ['--timeout', '2.5']);
    expect(await late.ended).toMatchObject({
      code: 124,
      stdout: '',
      stderr: expect.stringContaining('--timeout'),
    });
    await nothingIsLeft(opened);

    const bug = join(opened.root, 'bug.cjs');
    writeFileSync(bug, "setTimeout(() => { throw new Error('a bug') }, 1500)");
    const broken = await atWork(opened, [], { node: ['--require', bug] });
    expect(await broken.ended).toEqual({ code: 2, stdout: '', stderr: 'error: a bug\n' });
    await nothingIsLeft(opened);

    writeFileSync(join(opened.home, '.claude', 'settings.json'), '{"disableAllHooks":true}');
    const silent = startPrint(opened, ['SAY unheard', '--stop-hook-timeout', '1']);
    expect(await silent.ended).toMatchObject({
      code: 124,
      stderr: expect.stringContaining('--stop-hook-timeout'),
    });
    await nothingIsLeft(opened);
  });

  test('a long turn is not cut by the Stop watchdog, and a reader that goes away ends the run', async () => {
    const opened = await world({ version });
    const patient = startPrint(opened, ['SLEEP 2500 SAY at last', '--stop-hook-timeout', '1']);
    expect(await patient.ended).toEqual({ code: 0, stdout: 'at last\n', stderr: '' });
    const line = `"$0" "$1" print 'LINGER 20000 RUN echo x' -o stream-json | head -n 1`;
    const { code, stdout } = await opened.run('sh', ['-c', line, process.execPath, MAIN]);
    expect([code, stdout.split('\n').length]).toEqual([0, 2]);
    await nothingIsLeft(opened, 5_000);
  });
});

test('private under any umask, quoted under any TMPDIR, and a socket that fits', async () => {
  const [version] = versions;
  const opened = await world({ version });
  const odd = join(opened.root, 'tmp', `it's "a" \$(touch x) ${'long '.repeat(16)}`.trim());
  mkdirSync(odd);
  for (const umask of ['000', '777']) {
    const script = `umask ${umask}; exec "$0" "$@"`;
    const seen: string[] = [];
    const run = opened.run('sh', ['-c', script, process.execPath, MAIN, 'print', 'SLEEP 700 SAY hi'], {
      env: { TMPDIR: odd },
    });
    await opened.model.asked(({ prompt }) => prompt === 'SLEEP 700 SAY hi');
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

test('no room, no tmux, no home: 2 and a word about it', async () => {
  const [version] = versions;
  const opened = await world({ version });
  const gone = startPrint(opened, ['SAY hi'], { env: { TMPDIR: join(opened.root, 'nowhere') } });
  expect(await gone.ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('nowhere') });
  const script = 'ulimit -f 0; exec "$0" "$@"';
  const full = await opened.run('sh', ['-c', script, process.execPath, MAIN, 'print', 'SAY hi']);
  expect([full.code, full.stdout]).toEqual([2, '']);
  const path = join(opened.root, 'no-tmux');
  mkdirSync(path);
  for (const name of ['sh', 'mkfifo']) await opened.run('ln', ['-s', `/bin/${name}`, join(path, name)]);
  await opened.run('ln', ['-s', join(opened.root, 'bin', 'claude'), join(path, 'claude')]);
  const bare = startPrint(opened, ['SAY hi'], { env: { PATH: path } });
  expect(await bare.ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('tmux') });
  await nothingIsLeft(opened, 5_000);
});

test('the next run sweeps what a dead one left, and touches no living or young one', async () => {
  const [version] = versions;
  const opened = await world({ version });
  const { stdout } = await opened.run('sh', ['-c', 'echo $$']);
  const leftover = (pid: number | string, age: number, rand: string) => {
    const path = join(opened.root, 'tmp', `claude-print-${pid}-${rand}`);
    mkdirSync(path, { mode: 0o700 });
    const at = Date.now() / 1000 - age;
    utimesSync(path, at, at);
    return path;
  };
  const dead = leftover(stdout.trim(), 120, 'aaaaaaaaaaaa');
  const young = leftover(stdout.trim(), 5, 'bbbbbbbbbbbb');
  const living = leftover(process.pid, 120, 'cccccccccccc');
  const strange = leftover('x', 120, 'dddddddddddd');
  expect(await startPrint(opened, ['SAY hi']).ended).toMatchObject({ code: 0, stdout: 'hi\n' });
  expect([dead, young, living, strange].map(existsSync)).toEqual([false, true, true, true]);
  expect(dirname(dead)).toBe(join(opened.root, 'tmp'));
});
