/** `drover demo`: its own environment, something to see within seconds, and nothing left behind. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import { awaitGone, startDemo } from '../rig/demo.ts';
import { MAIN } from '../rig/drover.ts';
import { processesOf } from '../rig/process.ts';
import { screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const version = newest;

/** Every file of the user's own, and every tmux server. */
const belongings = async ({ home, droverHome, root }: World): Promise<string[]> =>
  (
    await Promise.all([home, droverHome, join(root, 't')].map(dir => readdir(dir, { recursive: true })))
  ).flat();

const foldersOf = async ({ root }: World): Promise<string[]> =>
  (await readdir(join(root, 'tmp'))).filter(name => name.startsWith('drover-demo-'));

/** The demo on a terminal, as a person starts it in a shell. */
const onTerminal = (opened: World) =>
  screenOf(opened, ['sh', '-c', '"$@"; echo "left with $?"; cat', 'sh', process.execPath, MAIN, 'demo'], {
    columns: 110,
    rows: 32,
  });

test('on a terminal: the board, a session, back, and out; leaves nothing behind and touches nothing of the user', async () => {
  const opened = await world({ version });
  const before = await belongings(opened);
  const screen = await onTerminal(opened);
  await screen.sees(/\d waiting[\s\S]*npm publish/, 25_000);
  const [name = ''] = await foldersOf(opened);
  const folder = join(opened.root, 'tmp', name);
  expect((await processesOf(folder)).length).toBeGreaterThan(6);
  // A key is ignored right after the selection moved by itself, because a person would not have seen that yet.
  await pauseFor(1_000);
  await screen.press('Enter');
  await screen.misses('Enter go');
  await screen.sees(/Do you want to proceed\?\s+❯ 1\. Yes/);
  await screen.press('Enter');
  await screen.sees('+ shop@2.4.1');
  await screen.press('C-b', 'B');
  await screen.sees('Enter go');
  await screen.press('q');
  await screen.sees(/The demo has ended. Nothing was left behind\.\s+left with 0/);
  await awaitGone(folder);
  expect(await foldersOf(opened)).toEqual([]);
  expect(await belongings(opened)).toEqual(before);
});

test('without a terminal it prints where it is; every session can be answered and messaged from outside', async () => {
  const opened = await world({ version });
  const demo = await startDemo(opened);
  const asks = await demo.session(
    ({ pending, project, reason }) => pending !== null && reason === 'permission' && project === 'shop',
  );
  expect([asks.reason, asks.detail?.line]).toEqual(['permission', 'Bash: npm publish --tag next']);
  await demo.drover('answer', asks.id, 'allow');
  await demo.session(({ id, state }) => id === asks.id && state === 'working', 20_000);
  const question = await demo.session(({ pending, reason }) => pending !== null && reason === 'question');
  expect(question.detail?.questions.map(({ header }) => header)).toEqual(['Colour', 'Pages']);
  await demo.drover('answer', question.id, 'Colour=Amber', 'Pages=About');
  await demo.session(({ id, state }) => id === question.id && state === 'working');
  const plan = await demo.session(({ pending, reason }) => pending !== null && reason === 'plan');
  await demo.drover('answer', plan.id, 'deny');
  await demo.session(({ id, reason }) => id === plan.id && reason === 'stopped');
  expect(await demo.drover('send', plan.id, 'and now?', '--wait', 'submitted')).toMatch(/^submitted/);
  const projects = (await demo.sessions()).map(({ project }) => project).sort();
  expect(projects).toEqual(['api', 'app', 'blog', 'docs', 'infra', 'shop']);
  demo.child.kill('SIGTERM');
  expect(await demo.ended).toBe(0);
  await demo.gone();
});

test.skipIf(chromiumPath === undefined)(
  'a browser can sign in to its page, and a click answers',
  async () => {
    const opened = await world({ version });
    const { page, complaints } = await openBrowser(opened);
    const [demo, tab] = await Promise.all([startDemo(opened), page()]);
    await tab.goto(demo.page);
    await tab.getByRole('link', { name: /shop.*npm publish/ }).click();
    await tab.getByRole('button', { name: 'Allow once' }).click();
    await tab
      .getByRole('region', { name: /^Screen of pane/ })
      .getByText('+ shop@2.4.1')
      .waitFor();
    expect(complaints).toEqual([]);
  },
);

test('--print prints the addresses, and a message at the end', async () => {
  const opened = await world({ version });
  const { code, stdout, stderr } = await opened.run('timeout', [
    '--signal=INT',
    '3',
    process.execPath,
    MAIN,
    'demo',
    '--print',
  ]);
  expect([code, stderr]).toEqual([124, '']);
  expect(stdout).toMatch(/^Page: http:\/\/127\.0\.0\.1:\d+\/#ticket=\S+\nIt works once/);
  expect(stdout).toMatch(/\nBoard: DROVER_HOME=\S+ drover\nCtrl-C ends.*\nThe demo has ended.*\n$/);
  expect(await foldersOf(opened)).toEqual([]);
});

describe('the demo is removed', () => {
  test.each(['SIGINT', 'SIGHUP', 'SIGKILL'] as const)('by %s', async signal => {
    const demo = await startDemo(await world({ version }));
    demo.child.kill(signal);
    expect(await demo.ended).toBe(signal === 'SIGKILL' ? null : 0);
    await demo.gone();
  });

  test('when its terminal closes', async () => {
    const opened = await world({ version });
    const screen = await onTerminal(opened);
    await screen.sees('waiting');
    const [name = ''] = await foldersOf(opened);
    await opened.run('tmux', ['-S', join(opened.root, 's'), 'kill-server']);
    await awaitGone(join(opened.root, 'tmp', name));
    expect(await foldersOf(opened)).toEqual([]);
  });

  test('by the next demo, when its cleanup process was killed too; running demos and folders without an owner stay', async () => {
    const opened = await world({ version });
    const running = await startDemo(opened);
    const killed = await startDemo(opened);
    const stranger = join(opened.root, 'tmp', `drover-demo-${killed.pid}-000000000000`);
    await mkdir(stranger);
    await writeFile(join(stranger, 'mine'), '');
    const cleanup = await until(
      5_000,
      () => 'there is no cleanup process',
      async () => {
        const { stdout } = await opened.run('ps', ['-A', '-o', 'pid=,ppid=,args=']);
        const row = stdout.split('\n').find(line => new RegExp(`^ *\\d+ +${killed.pid} sh -c`).test(line));
        return row === undefined ? undefined : Number.parseInt(row, 10);
      },
    );
    process.kill(cleanup, 'SIGKILL');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(existsSync(killed.folder)).toBe(true);
    const next = await startDemo(opened);
    await killed.gone();
    expect(existsSync(stranger)).toBe(true);
    expect((await running.sessions()).length).toBe(6);
    for (const { child, ended, gone } of [running, next]) {
      child.kill('SIGTERM');
      await ended;
      await gone();
    }
  });
});
