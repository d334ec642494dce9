/** Resume any session, in the right directory, once. */
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { edges, newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import {
  awaitAnswer,
  awaitRunning,
  awaitEnded,
  createPastSession,
  resume,
  runningProcesses,
  transcriptOf,
} from '../rig/past.ts';
import { world } from '../rig/story.ts';
import { terminal } from '../rig/shell.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const first = newest;

const planned = async (opened: World, args: string[], cwd = opened.dir()) => {
  const { code, stdout, stderr } = await resume(opened, [...args, '--dry-run', '--json'], cwd);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as { id: string; dir: string; argv: string[] };
};

describe.each(edges)('Claude Code %s', version => {
  test('resumes by prefix from another directory; opens a live session instead of starting it twice', async () => {
    const opened = await world({ version, projects: ['project', 'other'] });
    const id = await createPastSession(opened);
    const short = shortId(id);
    const term = await terminal(opened, opened.dir('other'), 'work');
    await term.types(`drover resume ${id.slice(0, 7)}`);
    await term.sees(`Resume session ${short} from ~/project? [Y/n]`);
    await term.press('n');
    await term.sees('[Y/n] no');
    expect(runningProcesses(opened, id)).toEqual([]);
    await term.types(`clear; drover resume ${short}`);
    await term.sees('[Y/n]');
    await term.press('Enter');
    await awaitRunning(opened, id);
    await term.sees('one');

    const second = await terminal(opened, opened.dir('other'), 'second');
    const outer = join(opened.root, 'outer');
    const outerTmux = (...args: string[]) => opened.run('tmux', ['-S', outer, '-f', '/dev/null', ...args]);
    await outerTmux('new-session', '-d', '-s', 'keep', 'sleep 600');
    await outerTmux(
      'new-session',
      '-d',
      '-x',
      '200',
      '-y',
      '50',
      `tmux -S '${opened.socket}' attach -t second`,
    );
    const looksAt = () => opened.tmux(['list-clients', '-F', '#{client_session} #{pane_id}']);
    const at = (wanted: string) =>
      until(
        10_000,
        () => `no client looks at ${wanted}`,
        async () => (await looksAt()).includes(wanted) || undefined,
      );
    await at(`second ${second.pane}`);
    await second.types(`drover resume ${short}`);
    await at(`work ${term.pane}`);
    await second.sees(`Session ${short} is running in ${term.pane}`);
    expect(runningProcesses(opened, id)).toHaveLength(1);
    // From outside tmux the terminal is attached to it.
    await opened.tmux(['detach-client', '-s', 'work']);
    await outerTmux(
      'new-session',
      '-d',
      '-x',
      '200',
      '-y',
      '50',
      `env -u TMUX -u TMUX_PANE '${process.execPath}' '${MAIN}' resume ${short}`,
    );
    await at(`work ${term.pane}`);
    // Without a client to switch, it prints where the session is.
    const told = await resume(opened, [short, '-y']);
    expect([told.code, told.stdout]).toEqual([1, '']);
    expect(told.stderr).toContain(`Session ${short} is running in pane ${term.pane}`);
    expect(await planned(opened, [short])).toMatchObject({
      id,
      argv: expect.arrayContaining(['switch-client']),
    });
    expect(runningProcesses(opened, id)).toHaveLength(1);
  });

  test('resumes in directories with special characters, spaces, dots, Unicode and 220 characters', async () => {
    const long = `long/${'deep.folder '.repeat(8).trim()}/${'x_y-'.repeat(30)}end`;
    const names = [
      '$!@#%^&*()--helloworld!+5_4<>x?.foo',
      'with space/and.dots',
      'ünï/日本',
      long,
      '.hidden/-x-',
    ];
    const opened = await world({ version, projects: ['other', ...names] });
    expect(opened.dir(long).length).toBeGreaterThan(220);
    for (const name of names) {
      const dir = opened.dir(name);
      const id = await createPastSession(opened, dir);
      expect(await planned(opened, [shortId(id)])).toMatchObject({ id, dir });
      const said = await resume(opened, [id, '-y', '--', '-p', 'SAY two']);
      expect([name, said.code, said.stdout]).toEqual([name, 0, 'two\n']);
      expect(readFileSync(transcriptOf(opened, id), 'utf8')).toContain('SAY two');
      // With nothing but the folder's name left, the decoder finds it too.
      const file = transcriptOf(opened, id);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"cwd":"(?:[^"\\]|\\.)*",?/g, ''));
      expect(await planned(opened, [id])).toMatchObject({ id, dir });
    }
  });

  test('distinguishes directories that encode alike by the transcript, and asks without one', async () => {
    const names = ['a-b', 'a.b', 'a_b', 'a/b'];
    const opened = await world({ version, projects: ['other', ...names] });
    const ids: string[] = [];
    for (const name of names) ids.push(await createPastSession(opened, opened.dir(name)));
    for (const [n, id] of ids.entries()) {
      expect((await planned(opened, [id])).dir).toBe(opened.dir(names[n] as string));
      const said = await resume(opened, [id, '-y', '--', '-p', 'SAY two']);
      expect([said.code, said.stdout]).toEqual([0, 'two\n']);
    }
    const [id = ''] = ids;
    const file = transcriptOf(opened, id);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"cwd":"[^"]*",?/g, ''));
    const refused = await resume(opened, [id, '-y', '--dry-run']);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    for (const name of names) expect(refused.stderr).toContain(opened.dir(name));
    for (const name of ['a-b', 'a.b'])
      expect(await planned(opened, [id, '-y'], opened.dir(name))).toMatchObject({ dir: opened.dir(name) });
    expect(await planned(opened, [id, '-n'], opened.dir('a-b'))).toMatchObject({ dir: opened.dir('a-b') });
    const term = await terminal(opened);
    await term.types(`drover resume ${id}`);
    const screen = await term.sees('Which one? [1-4, n]');
    const key = new RegExp(`(\\d)  ${opened.dir('a_b')}`).exec(screen)?.[1] as string;
    await term.press(key);
    await awaitRunning(opened, id, opened.dir('a_b'));
  });

  test('a missing directory: a clear error, --mkdir, --here', async () => {
    const opened = await world({ version, projects: ['project', 'gone/deep'] });
    const dir = opened.dir('gone/deep');
    const id = await createPastSession(opened, dir);
    rmSync(opened.dir('gone'), { recursive: true });
    for (const more of [[], ['-y']]) {
      const refused = await resume(opened, [id, ...more]);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain(`The directory of session ${shortId(id)} no longer exists: ${dir}`);
      expect(refused.stderr).toMatch(/--mkdir.+--here/);
    }
    const here = await resume(opened, [id, '--here', '--', '-p', 'SAY here']);
    expect(here.stderr).toContain('Claude Code before 2.1.223 finds a session only in the directory');
    if (version === '2.1.197') {
      // A failed start loses nothing.
      expect(here.code).toBe(1);
      expect(here.stderr).toContain(`is unchanged: drover resume ${shortId(id)}`);
    } else expect([here.code, here.stdout]).toEqual([0, 'here\n']);
    expect(existsSync(dir)).toBe(false);
    const again = await resume(opened, [id, '--mkdir', '--', '-p', 'SAY back']);
    expect([again.code, again.stdout]).toEqual([0, 'back\n']);
    expect(existsSync(dir)).toBe(true);
  });

  test('a fork and a cleared session: shows the lineage and names the newer one', async () => {
    const opened = await world({ version });
    expect((await opened.drover('setup')).code).toBe(0);
    await opened.daemon();
    const id = randomUUID();
    const seat = await opened.claude({ prompt: 'SAY one', args: ['--session-id', id] });
    await awaitAnswer(opened, id);
    const forked = await resume(opened, [id, '--fork', '--', '-p', 'SAY fork']);
    expect([forked.code, forked.stdout]).toEqual([0, 'fork\n']);
    const folder = dirname(transcriptOf(opened, id));
    const fork = readdirSync(folder)
      .map(name => name.replace('.jsonl', ''))
      .find(name => name.length === 36 && name !== id) as string;
    await seat.type('/clear');
    const { sessionId: next } = await seat.file(file => file.sessionId !== id);
    const page = (of: string) =>
      until(
        10_000,
        () => `lineage of ${of}`,
        async () => {
          const shown = await opened.drover('show', of, '--json');
          const { from, into } = JSON.parse(shown.stdout) as { from: unknown; into: unknown[] };
          return from || into?.length ? { from, into } : undefined;
        },
      );
    await until(
      10_000,
      () => 'both children are not known',
      async () => (await page(id)).into.length === 2 || undefined,
    );
    expect(await page(id)).toEqual({
      from: null,
      into: [
        { id: next, by: 'clear' },
        { id: fork, by: 'fork' },
      ],
    });
    expect(await page(next)).toEqual({ from: { id, by: 'clear' }, into: [] });
    expect(await page(fork)).toEqual({ from: { id, by: 'fork' }, into: [] });
    expect((await opened.drover('show', id)).stdout).toContain(`into      ${fork}, a fork of this session`);
    const older = await resume(opened, [id, '--dry-run']);
    expect(older.code).toBe(0);
    expect(older.stderr).toContain(
      `note: session ${shortId(id)} has a newer one: ${shortId(fork)} is a fork of it`,
    );
    const said = await resume(opened, [id, '--', '-p', 'SAY again']);
    expect([said.code, said.stdout]).toEqual([0, 'again\n']);
  });
});

test('every exit code of cld', async () => {
  const opened = await world({ version: first, projects: ['project', 'other'] });
  const one = await createPastSession(opened, opened.dir(), 'abcdef01-0000-4000-8000-000000000001');
  await createPastSession(opened, opened.dir(), 'abcdef01-0000-4000-8000-000000000002');
  const other = opened.dir('other');
  const code = async (args: string[], words: RegExp, env = {}, cwd = opened.dir()) => {
    const said = await resume(opened, args, cwd, env);
    expect([args, said.stderr]).toEqual([args, expect.stringMatching(words)]);
    return said.code;
  };
  expect((await resume(opened, [` ABCDEF01-0000-4000-8000-000000000001 `, '--dry-run'])).code).toBe(0);
  expect(await planned(opened, [one.replaceAll('-', '')])).toMatchObject({ id: one });
  expect(await code(['abcde'], /is not a session id/)).toBe(1);
  expect(await code(['nothex!'], /is not a session id/)).toBe(1);
  expect(await code(['--what'], /Unknown option/)).toBe(1);
  expect(await code(['-y', '-n', one], /cannot be combined/)).toBe(1);
  expect(await code([one, '--', '--resume', 'x'], /already chosen/)).toBe(1);
  expect(await code([one], /belongs to .+\n.+--yes.+--no/, {}, other)).toBe(1);
  expect(await code(['123456'], /No session starts with 123456/)).toBe(2);
  expect(await code(['abcdef01'], /2 sessions start with abcdef01:\n.+000002.+\n.+000001/)).toBe(3);
  expect(await code([], /Not inside a tmux pane/)).toBe(4);
  const term = await terminal(opened);
  const tmux = { TMUX: `${opened.socket},1,0`, TMUX_PANE: term.pane };
  expect(await code([], /No session has run in this pane/, tmux)).toBe(5);
  const nodeOnly = join(opened.root, 'node-only');
  mkdirSync(nodeOnly);
  symlinkSync(process.execPath, join(nodeOnly, 'node'));
  expect(await code([one], /Could not start/, { PATH: nodeOnly })).toBe(6);
  expect(await code([one], /inside a Claude Code session/, { CLAUDECODE: '1' })).toBe(7);
  expect((await resume(opened, [one, '--dry-run'], other, { CLAUDECODE: '1' })).code).toBe(0);
  // The codes of the other commands do not change.
  expect((await opened.drover('forget')).code).toBe(2);
});

test('the pane knows its session: resume, cld, a disagreement, -y, -n', async () => {
  const opened = await world({ version: first, projects: ['project', 'other', 'third'] });
  const id = await createPastSession(opened);
  const short = shortId(id);
  const term = await terminal(opened, opened.dir('other'));
  const set = (name: string, value: string) =>
    opened.tmux(['set-option', '-p', '-t', term.pane, `@meta.claude.${name}`, value]);
  expect(await term.runs('cld --dry-run')).toMatchObject({
    code: 0,
    screen: expect.not.stringContaining('--resume'),
  });
  await set('session_id', id);
  await set('session_dir', opened.dir());
  const plan = await term.runs('drover resume --dry-run');
  expect(plan.screen).toContain(`directory  ${opened.dir()}`);
  expect(plan.screen).toMatch(new RegExp(`command    \\S*claude --resume ${id}`));
  await term.types('clear; cld');
  await term.sees(`Resume session ${short} from ~/project? [Y/n]`);
  await term.press('Enter');
  await awaitRunning(opened, id);
  await term.press('C-c', 'C-c');
  await awaitEnded(opened, id);
  await term.back();

  // The answer no means a new session, where it is.
  await term.types('clear; cld');
  await term.sees('[Y/n]');
  await term.press('n');
  await term.sees('❯');
  expect(runningProcesses(opened, id)).toEqual([]);
  await term.press('C-c', 'C-c');
  await term.back();
  expect((await term.runs('cld --version')).screen).toContain(first);
  // Its own flags are not for claude, wherever they stand; everything else is.
  for (const [words, wanted] of [
    ['-y --model opus', `--resume ${id} --model opus`],
    ['--model opus -yD', `--resume ${id} --dangerously-skip-permissions --model opus`],
    ['-D "fix it"', "--dangerously-skip-permissions 'fix it'"],
    ['--yolo --model opus "fix it"', "--dangerously-skip-permissions --model opus 'fix it'"],
    [`resume -y ${short} --model opus`, `--resume ${id} --model opus`],
  ]) {
    const { code, screen } = await term.runs(
      `cld --dry-run ${words}`.replace('--dry-run resume', 'resume --dry-run'),
    );
    const command = screen.replaceAll('\n', '').split('command    ')[1] ?? '';
    expect([words, code, command]).toEqual([words, 0, expect.stringContaining(`claude ${wanted}`)]);
  }
  expect((await term.runs(`cld resume -y ${short} -p 'SAY passed on'`)).screen).toContain('passed on');

  await set('session_dir', opened.dir('third'));
  const warning = `the pane says ${opened.dir('third')}, the transcript says ${opened.dir()}.`;
  const refused = await term.runs('drover resume </dev/null');
  expect([refused.code, refused.screen]).toEqual([1, expect.stringContaining(warning)]);
  // A person is asked, after the warning: n starts nothing, Enter takes the directory of the transcript.
  await term.types('clear; drover resume');
  await term.sees(/warning: the pane says [\s\S]*Resume session \w+ from ~\/project\? \[Y\/n\]/);
  await term.press('n');
  await term.sees('[Y/n] no');
  expect(runningProcesses(opened, id)).toEqual([]);
  await term.types('clear; cld');
  const prompt = await term.sees('[Y/n]');
  expect(prompt.replaceAll('\n', '')).toContain(`warning: ${warning}`);
  await term.press('Enter');
  await awaitRunning(opened, id);
  await term.press('C-c', 'C-c');
  await awaitEnded(opened, id);
  await term.back();
  const sure = await term.runs('drover resume -y --dry-run');
  expect(sure.screen).toContain(`warning: ${warning}`);
  expect(sure.screen).toContain(`directory  ${opened.dir()}`);
  const stays = await term.runs('drover resume -n --dry-run');
  expect(stays.screen).toContain(`directory  ${opened.dir('other')}`);
  // Options of this pane say nothing about another session.
  const foreign = await createPastSession(opened, opened.dir('other'));
  expect((await term.runs(`drover resume ${foreign} --dry-run`)).screen).not.toContain('warning');
});

test('two simultaneous resumes start a session once', async () => {
  const opened = await world({ version: first });
  const id = await createPastSession(opened);
  const terms = [await terminal(opened), await terminal(opened), await terminal(opened)];
  await Promise.all(terms.map(term => term.types(`drover resume ${id}`)));
  await awaitRunning(opened, id);
  const screens = await until(
    10_000,
    () => 'two of three were not refused',
    async () => {
      const all = await Promise.all(terms.map(term => term.screen()));
      const refused = all.filter(text => /being started elsewhere|is running in/.test(text)).length;
      return refused === 2 && all.some(text => text.includes('❯')) ? all : undefined;
    },
  );
  expect(screens.filter(text => text.includes('❯'))).toHaveLength(1);
  expect(runningProcesses(opened, id)).toHaveLength(1);
  expect(readdirSync(join(opened.droverHome, 'resuming')).filter(name => name.endsWith('.json'))).toEqual([
    `${id}.json`,
  ]);
});

test('the picker: newest first, filtered while typing, Enter resumes', async () => {
  const opened = await world({ version: first, projects: ['project', 'shop'] });
  const id = await createPastSession(opened, opened.dir('shop'));
  await createPastSession(opened);
  const term = await terminal(opened);
  await term.types('drover resume');
  const all = await term.sees('2 of 2 sessions');
  expect(all.search(/project +SAY one · one/)).toBeLessThan(all.search(/shop +SAY one · one/));
  await term.types('shop');
  await awaitRunning(opened, id, opened.dir('shop'));
  await term.press('C-c', 'C-c');
  await awaitEnded(opened, id);
  await term.back();
  await term.types('clear; drover resume');
  await term.sees('2 of 2 sessions');
  await term.press('Escape');
  await term.back();
  expect((await term.runs('true')).code).toBe(0);
});
