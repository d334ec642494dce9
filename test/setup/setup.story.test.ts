/** Setup with the real CLI: what is registered, what stays unchanged, and what is left after removal. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeBinary, edges, supported } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { commandLine, isThere } from '../rig/process.ts';
import type { MessagesBody } from '../rig/script.ts';
import { type Frame, subscribe } from '../rig/sse.ts';
import { world } from '../rig/story.ts';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

/** What 2.1.325 knows and 2.1.197 does not. */
const newer = ['DirectoryAdded', 'PreModelSwitch', 'PostModelSwitch'];

const settingsOf = ({ home }: World) => join(home, '.claude', 'settings.json');
const hooksIn = (file: string) =>
  (JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, unknown[]> }).hooks;

/** The screen once the CLI has answered with this and rests: the newer one says while it runs which hooks it waits for. */
const rests = async (seat: Seat, answer: string): Promise<string> => {
  await seat.sees(`● ${answer}`, 30_000);
  await seat.file(({ status }) => status === 'idle');
  await seat.ready();
  return seat.sees(/^(?![\s\S]*(?:esc to interrupt|running \w+ hooks))/);
};
const notice = /hook|drover|warning|error/i;

const nameOf = ({ event, data }: Frame) =>
  event === 'hook' ? String((JSON.parse(data) as Record<string, unknown>).hook_event_name) : undefined;

/** Everything that the daemon of this world has kept and will keep, however it was started. */
const listen = async ({ droverHome }: World) => {
  const { url } = JSON.parse(readFileSync(join(droverHome, 'daemon.json'), 'utf8')) as { url: string };
  const all = await subscribe(url, readFileSync(join(droverHome, 'token'), 'utf8').trim(), { after: 0 });
  return {
    heard: (name: string) => all.next(frame => nameOf(frame) === name, 20_000),
    names: () => all.frames.flatMap(frame => nameOf(frame) ?? []),
  };
};

describe.each(edges)('Claude Code %s', version => {
  test('with hooks the model gets the same request, and nothing shows on screen', async () => {
    const { claude, model, drover } = await world({ version });
    const turns = async () => {
      const before = model.requests.length;
      const seat = await claude({ prompt: 'RUN echo hi' });
      await rests(seat, 'done');
      await seat.type('SAY more');
      const screen = await rests(seat, 'more');
      return { screen, asked: model.requests.slice(before).filter(({ turn }) => turn) };
    };
    const without = await turns();
    expect((await drover('setup')).code).toBe(0);
    const within = await turns();
    expect(within.asked.map(({ prompt }) => prompt)).toEqual(['RUN echo hi', null, 'SAY more']);
    expect(within.asked.map(({ body }) => neutral(body))).toEqual(
      without.asked.map(({ body }) => neutral(body)),
    );
    expect(within.screen).not.toMatch(notice);
  });

  test.each(['--worktree', '-w'])('%s still creates a worktree, and removes it again', async flag => {
    const { claude, drover, run, dir } = await world({ version });
    const git = async (...args: string[]) => {
      const { code, stdout } = await run('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args]);
      expect(code).toBe(0);
      return stdout;
    };
    await git('init', '-q');
    await git('commit', '-q', '--allow-empty', '-m', 'one');
    expect((await drover('setup')).code).toBe(0);
    const seat = await claude({ args: [flag, 'side'], prompt: 'SAY hi' });
    expect(await rests(seat, 'hi')).not.toMatch(notice);
    const made = join(dir(), '.claude', 'worktrees', 'side');
    expect(await seat.sessionFile()).toMatchObject({ cwd: made });
    expect(await git('worktree', 'list', '--porcelain')).toContain(`worktree ${made}\n`);
    await seat.type('/exit');
    const gone = async () => ((await git('worktree', 'list')).includes(made) ? undefined : true);
    await until(30_000, () => `${made} is still there`, gone);
  });

  test('a hook that would replace CLI behaviour is never registered, a noisy one only on request', async () => {
    const opened = await world({ version });
    const { claude, daemon, drover } = opened;
    expect((await drover('setup')).code).toBe(0);
    const quiet = Object.keys(hooksIn(settingsOf(opened)));
    for (const name of ['WorktreeCreate', 'WorktreeRemove', 'MessageDisplay'])
      expect(quiet).not.toContain(name);
    expect((await drover('setup', '--with', 'WorktreeCreate')).code).toBe(2);
    expect((await drover('setup', '--with', 'MessageDisplay')).code).toBe(0);
    expect(Object.keys(hooksIn(settingsOf(opened))).sort()).toEqual([...quiet, 'MessageDisplay'].sort());
    await daemon();
    const { heard } = await listen(opened);
    const seat = await claude({ prompt: 'STREAM 5' });
    await heard('MessageDisplay');
    await heard('Stop');
    expect(await rests(seat, 'line 1')).not.toMatch(notice);
  });

  test('setup --remove restores the file byte for byte, and a running session continues', async () => {
    const opened = await world({ version });
    const { claude, daemon, drover, dir } = opened;
    const theirs =
      '{\r\n\t"env" : {"Ä":"ö"},   "hooks": { "Stop" : [ {"matcher": "", "hooks":[{"type":"command","command":"true"}]} ],"SessionEnd":[] },\n\n "cleanupPeriodDays": 30 }';
    await writeFile(settingsOf(opened), theirs);
    for (const scope of ['user', 'project', 'local'])
      expect((await drover('setup', '--scope', scope)).code).toBe(0);
    for (const scope of ['project', 'local'])
      expect((await drover('setup', '--scope', scope, '--remove')).code).toBe(0);
    expect(readdirSync(dir())).toEqual([]);
    await daemon();
    const { heard } = await listen(opened);
    const seat = await claude({ prompt: 'SAY one' });
    await heard('Stop');
    await rests(seat, 'one');
    expect((await drover('setup', '--remove')).code).toBe(0);
    expect(readFileSync(settingsOf(opened), 'utf8')).toBe(theirs);
    // The CLI reads its settings again, and tells the hook that it then drops.
    await heard('ConfigChange');
    await seat.type('RUN echo two');
    expect(await rests(seat, 'done')).not.toMatch(notice);
  });

  test('an uninstalled Drover leaves nothing, not even on the screen of a session with its hooks', async () => {
    const opened = await world({ version });
    const { claude, daemon, drover, droverHome, tmux } = opened;
    const theirs = readFileSync(settingsOf(opened), 'utf8');
    expect((await drover('setup')).code).toBe(0);
    await daemon();
    const { heard } = await listen(opened);
    const seat = await claude({ prompt: 'SAY one', settings: { hooks: hooksIn(settingsOf(opened)) } });
    await heard('Stop');
    await rests(seat, 'one');
    const paneOptions = () => tmux(['show-options', '-p', '-t', seat.pane]);
    await until(
      30_000,
      () => 'the pane shows no state',
      async () => ((await paneOptions()).includes('@drover_state') ? true : undefined),
    );
    expect((await drover('uninstall', '--yes', '--delete-data')).code).toBe(0);
    expect(await paneOptions()).toBe('');
    expect(await tmux(['show-options', '-s'])).not.toContain('@drover');
    expect(existsSync(droverHome)).toBe(false);
    expect(readFileSync(settingsOf(opened), 'utf8')).toBe(theirs);
    await seat.type('RUN echo two');
    expect(await rests(seat, 'done')).not.toMatch(notice);
    expect(existsSync(droverHome)).toBe(false);
  });

  test('a session starts the daemon, which inherits only its credentials and outlives it', async () => {
    const opened = await world({ version });
    const { claude, drover, tmux } = opened;
    expect((await drover('setup')).code).toBe(0);
    expect((await drover('status')).code).toBe(3);
    const seat = await claude({ prompt: 'SAY hi' });
    const pid = await daemonPid(opened);
    expect((await drover('status')).code).toBe(0);
    if (existsSync('/proc')) await isApart(pid);

    expect(await rests(seat, 'hi')).not.toMatch(notice);
    const { heard, names: seen } = await listen(opened);
    await heard('Stop');
    expect(seen()).toEqual(expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'Stop']));
    const claudePid = await seat.pid();
    await tmux(['kill-server']);
    const gone = () => (isThere(claudePid) ? undefined : true);
    await until(30_000, () => 'the CLI outlives its terminal', gone);
    expect((await drover('status')).code).toBe(0);
  });

  test('after `drover down` no session starts the daemon; after `up` and a crash the next one does', async () => {
    const opened = await world({ version });
    const { claude, drover, droverHome, processes } = opened;
    expect((await drover('setup')).code).toBe(0);
    await claude();
    await daemonPid(opened);
    expect((await drover('down')).code).toBe(0);
    await rests(await claude({ prompt: 'SAY two' }), 'two');
    expect(readdirSync(join(droverHome, 'spool')).length).toBeGreaterThan(0);
    for (const file of ['daemon.json', 'starting']) expect(existsSync(join(droverHome, file))).toBe(false);
    const commands = (await processes()).map(commandLine);
    expect(commands.filter(command => command.includes(MAIN))).toEqual([]);
    expect((await drover('status')).code).toBe(3);

    expect((await drover('up')).code).toBe(0);
    const crashed = await daemonPid(opened);
    process.kill(crashed, 'SIGKILL');
    await claude();
    await daemonPid(opened, crashed);
    expect((await drover('status')).code).toBe(0);
    const { heard } = await listen(opened);
    for (let session = 1; session <= 3; session += 1) await heard('SessionStart');
  });

  test('`drover down` also stops a daemon that a session is just starting', async () => {
    const { drover, droverHome, headless } = await world({ version });
    expect((await drover('setup')).code).toBe(0);
    const session = headless({ prompt: 'SAY hi' });
    const begun = () => (existsSync(join(droverHome, 'starting')) ? true : undefined);
    await until(30_000, () => 'no daemon is being started', begun);
    expect((await drover('down')).stdout).toContain('Stopped');
    await session;
    expect((await drover('status')).code).toBe(3);
    expect(existsSync(join(droverHome, 'autostart'))).toBe(false);
  });

  test('sessions that start at the same time start one daemon', async () => {
    const opened = await world({ version });
    const { drover, headless, processes } = opened;
    expect((await drover('setup')).code).toBe(0);
    await Promise.all(['a', 'b', 'c'].map(word => headless({ prompt: `SAY ${word}` })));
    const pid = await daemonPid(opened);
    const daemons = async () => (await processes()).filter(other => commandLine(other).includes(MAIN));
    // A late one exists for a moment, then exits.
    await until(
      10_000,
      () => 'more than one',
      async () => ((await daemons()).length === 1 ? true : undefined),
    );
    expect(await daemons()).toEqual([pid]);
    const { heard } = await listen(opened);
    for (let session = 1; session <= 3; session += 1) await heard('SessionEnd');
  });
});

describe('several versions on one machine', () => {
  test('the older CLI decides what is registered, and each starts without a warning', async () => {
    const opened = await world({ version: '2.1.197' });
    const { claude, root, run } = opened;
    const [older, other] = [join(root, 'bin'), join(root, 'bin2')];
    await mkdir(other);
    await symlink(await claudeBinary('2.1.325'), join(other, 'claude'));
    const setupWith = async (...folders: string[]) => {
      const path = { PATH: folders.join(delimiter) };
      expect((await run(process.execPath, [MAIN, 'setup'], { env: path })).code).toBe(0);
      return Object.keys(hooksIn(settingsOf(opened)));
    };
    const known = await setupWith(older);
    for (const name of newer) expect(known).not.toContain(name);
    await (await claude()).ready();

    expect((await setupWith(other)).sort()).toEqual([...known, ...newer].sort());
    await (await claude()).sees('Settings Warning');
    await (await claude({ version: '2.1.325' })).ready();

    expect((await setupWith(other, older)).sort()).toEqual([...known].sort());
    for (const version of supported) await (await claude({ version })).ready();
  });
});

/** A request without what differs from one session to the next. */
const neutral = (body: MessagesBody): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replace(/toolu_\w+/g, 'toolu')
      .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
      .replace(/\d{4}-\d\d-\d\d/g, 'date'),
  );

/** The pid that a daemon of this world has registered, awaited; not that of one that is known to be gone. */
const daemonPid = ({ droverHome }: World, gone?: number): Promise<number> =>
  until(
    30_000,
    () => 'no daemon has started',
    () => {
      const file = join(droverHome, 'daemon.json');
      const { pid } = JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : '{}') as { pid?: number };
      return pid === gone ? undefined : pid;
    },
  );

/** Checks what only /proc shows of a daemon: its environment, and that nothing ties it to the terminal of the session. */
const isApart = async (pid: number): Promise<void> => {
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const names = variables.map(variable => variable.slice(0, variable.indexOf('=')));
  expect(names).toContain('ANTHROPIC_API_KEY');
  expect(names.filter(name => /^(?:TMUX|TMUX_PANE|CLAUDE(?!_CODE_DISABLE_)\w*)$/.test(name))).toEqual([]);
  expect(await readlink(`/proc/${pid}/cwd`)).toBe('/');
  for (const fd of [0, 1, 2]) expect(await readlink(`/proc/${pid}/fd/${fd}`)).toBe('/dev/null');
  const [, , , session] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  expect(Number(session)).toBe(pid);
};
