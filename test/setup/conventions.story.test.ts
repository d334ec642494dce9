/** Config, repairs and reports, as people use them: without Claude Code, except where a session must be somewhere. */
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const older = newest;

const succeeds = async ({ drover }: World, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await drover(...args);
  expect([args, code, stderr]).toEqual([args, 0, '']);
  return stdout;
};

describe('config', () => {
  test('changes apply while the daemon runs; an invalid file changes nothing and is reported', async () => {
    const opened = await world({ version: older });
    const file = join(opened.droverHome, 'config.json');
    await succeeds(opened, 'up', '--port', '0');
    const order = async () =>
      (
        JSON.parse(await succeeds(opened, 'status', '--json')) as {
          config: { problem: string | null; restart: string[] };
        }
      ).config;
    const queue = async () => {
      const { url } = JSON.parse(await succeeds(opened, 'status', '--json')) as { url: string };
      const token = readFileSync(join(opened.droverHome, 'token'), 'utf8').trim();
      const answer = await fetch(`${url}/queue`, { headers: { Authorization: `Bearer ${token}` } });
      return ((await answer.json()) as { order: string }).order;
    };
    const ordered = (wanted: string) =>
      until(
        20_000,
        () => `the order does not become ${wanted}`,
        async () => ((await queue()) === wanted ? true : undefined),
      );
    await ordered('blocked-first');

    expect(await succeeds(opened, 'config', 'set', 'order', 'fifo')).toBe(
      'order: fifo\nThe running daemon applies it now.\n',
    );
    await ordered('fifo');
    expect(await succeeds(opened, 'config', 'get', 'order')).toBe('fifo\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);

    // Fields with a meaning only at the start are named.
    expect(await succeeds(opened, 'config', 'set', 'port', '4711')).toContain(
      'Run `drover restart` to apply it.',
    );
    await until(
      20_000,
      () => 'the status does not name the port',
      async () => ((await order()).restart.includes('port') ? true : undefined),
    );

    // A wrong value is refused; one that somebody writes into the file is not applied.
    const refused = await opened.drover('config', 'set', 'order', 'lifo');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('The file was not changed')]);
    writeFileSync(file, '{\n  "order": "lifo"\n}\n');
    const problem = await until(
      20_000,
      () => 'the status does not name the problem',
      async () => (await order()).problem ?? undefined,
    );
    expect(problem).toContain('line 2: order');
    expect(await queue()).toBe('fifo');
    const checked = await opened.drover('config', 'check');
    expect([checked.code, checked.stdout]).toEqual([
      1,
      expect.stringMatching(/line 2: order[^]*keeps the previous config/),
    ]);
    expect((await opened.drover('doctor')).stdout).toMatch(/FAIL {2}config .*line 2: order/);

    // An editor gets a copy; what is not valid is not saved.
    const edited = (editor: string) =>
      opened.run(process.execPath, [MAIN, 'config', 'edit'], { env: { VISUAL: editor } });
    const bad = await edited("perl -pi -e 's/lifo/filo/'");
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('was not changed')]);
    expect(readFileSync(file, 'utf8')).toContain('lifo');
    // The next edit opens that copy.
    expect((await edited("perl -pi -e 's/filo/blocked-first/'")).code).toBe(0);
    await ordered('blocked-first');
    expect((await order()).problem).toBeNull();
    expect(await succeeds(opened, 'config', 'check')).toContain('is valid');

    // Sessions cannot change their own rights.
    const inside = await opened.run(process.execPath, [MAIN, 'config', 'set', 'drive', 'all'], {
      env: { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: sessionId(1) },
    });
    expect([inside.code === 0, inside.stderr]).toEqual([
      false,
      expect.stringContaining('Only people may run it'),
    ]);
  });
});

describe('doctor --fix', () => {
  test('shows what is broken, repairs it after a yes, and then finds nothing', async () => {
    const opened = await world({ version: older });
    const { droverHome, home } = opened;
    const settings = join(home, '.claude', 'settings.json');
    const at = (name: string) => join(droverHome, name);
    await succeeds(opened, 'setup');
    await succeeds(opened, 'setup', '--tmux');
    await succeeds(opened, 'up', '--port', '0');
    await succeeds(opened, 'sessions', 'index', 'on');
    const sound = readFileSync(settings, 'utf8');
    const conf = readFileSync(join(home, '.tmux.conf'), 'utf8');
    const { pid } = JSON.parse(await succeeds(opened, 'status', '--json')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    await until(
      20_000,
      () => 'the daemon is still there',
      async () => ((await opened.drover('status')).code === 3 ? true : undefined),
    );

    rmSync(at('emit.sh'));
    chmodSync(at('token'), 0o644);
    writeFileSync(join(home, '.tmux.conf'), '');
    rmSync(at('search.db-wal'), { force: true });
    writeFileSync(
      at('search.db'),
      'not a database, and long enough to be taken for the header of one '.repeat(99),
    );
    const parsed = JSON.parse(sound) as { hooks: Record<string, unknown> };
    delete parsed.hooks.Stop;
    writeFileSync(settings, JSON.stringify(parsed, null, 2));

    expect((await opened.drover('doctor')).stdout).toMatch(
      /^- {5}repairs .*hooks: .*; tmux: .*; stale files: .*; search index: .*doctor --fix/m,
    );
    const asked = await opened.drover('doctor', '--fix');
    expect([asked.code, asked.stderr]).toEqual([6, expect.stringContaining('Add --yes')]);
    for (const name of ['permissions', 'hooks', 'emitter', 'tmux', 'stale files', 'search index'])
      expect(asked.stdout).toMatch(new RegExp(`^\\d\\. ${name}: `, 'm'));
    expect(asked.stdout).toContain(`chmod 0600 ${at('token')} (now 0644)`);
    expect(asked.stdout).toMatch(/^ +\+ +"Stop": \[/m);
    const planned = await opened.drover('doctor', '--fix', '--json');
    const { repairs } = JSON.parse(planned.stdout) as { repairs: { name: string; failed: string }[] };
    expect([planned.code, repairs.map(({ name }) => name)]).toEqual([
      6,
      ['permissions', 'hooks', 'emitter', 'tmux', 'stale files', 'search index'],
    ]);
    expect(existsSync(at('emit.sh'))).toBe(false);

    const fixed = await opened.drover('doctor', '--fix', '--yes');
    expect(fixed.stdout.match(/^Repaired: /gm)).toHaveLength(6);
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual(JSON.parse(sound));
    expect(readFileSync(join(home, '.tmux.conf'), 'utf8')).toBe(conf);
    expect(existsSync(at('daemon.json'))).toBe(false);
    expect(statSync(at('token')).mode & 0o777).toBe(0o600);
    await succeeds(opened, 'up', '--port', '0');
    expect(JSON.parse(await succeeds(opened, 'sessions', 'index', '--json'))).toMatchObject({ on: true });
    expect(await succeeds(opened, 'doctor', '--fix')).toMatch(/^Nothing to repair\.\nok /);

    // Settings that cannot be read are named, left alone, and keep nothing else from being repaired.
    writeFileSync(settings, '{ "hooks": [');
    chmodSync(at('spool'), 0o755);
    const partly = await opened.drover('doctor', '--fix', '--yes');
    expect([partly.code, partly.stdout]).toEqual([
      1,
      expect.stringMatching(/^Repaired: permissions\nNot repaired: hooks: .*settings\.json/m),
    ]);
    expect(readFileSync(settings, 'utf8')).toBe('{ "hooks": [');
    expect(statSync(at('spool')).mode & 0o777).toBe(0o700);
  });
});

describe('report', () => {
  test('a secret in config, events and log is not in the report, which is shown before it is saved', async () => {
    const opened = await world({ version: older });
    const mark = 'zebrafish';
    writeFileSync(
      join(opened.droverHome, 'config.json'),
      JSON.stringify({
        redact: [`${mark}-pattern`],
        notify: { after: 3_600, webhook: `https://${mark}.example/hook` },
        agents: [
          { agent_id: `${mark}-agent`, project: `/srv/${mark} project`, deliver: { command: [mark] } },
        ],
        [mark]: mark,
      }),
    );
    await succeeds(opened, 'up', '--port', '0');
    const { fire } = await hooksOf(opened);
    await fire({
      session_id: sessionId(1),
      hook_event_name: 'UserPromptSubmit',
      prompt: `${mark} prompt`,
      cwd: `/srv/${mark} project`,
    });
    await appendFile(
      join(opened.droverHome, 'log', 'daemon.log'),
      `${JSON.stringify({ at: new Date().toISOString(), level: 'error', message: 'notification failed', error: `Error: ENOENT: /srv/${mark} project` })}\n`,
    );
    const shown = await until(
      20_000,
      () => 'the event is not in the report',
      async () => {
        const { code, stdout, stderr } = await opened.drover('report');
        expect([code, stderr]).toEqual([0, expect.stringContaining('Not saved')]);
        return stdout.includes('hook UserPromptSubmit session 1') ? stdout : undefined;
      },
    );
    const saved = join(opened.dir(), 'report.json');
    const { code, stderr } = await opened.drover('report', '--yes', '--out', saved);
    expect([code, stderr]).toEqual([0, expect.stringContaining(saved)]);
    const again = await opened.drover('report', '--yes', '--out', saved);
    expect([again.code, again.stderr]).toEqual([7, expect.stringContaining('exists already')]);
    const token = readFileSync(join(opened.droverHome, 'token'), 'utf8').trim();
    for (const text of [shown, readFileSync(saved, 'utf8')])
      for (const secret of [mark, token, opened.home, opened.droverHome, sessionId(1)])
        expect(text).not.toContain(secret);
    const report = JSON.parse(shown) as { errors: { message: string; error: string }[]; doctor: string[] };
    expect(report.errors.at(-1)).toMatchObject({
      message: 'notification failed',
      error: expect.stringContaining('ENOENT'),
    });
    expect(report.doctor.join('\n')).toMatch(/^claude: ok: \d+\.\d+\.\d+/m);
  });
});

test('a session outside tmux says where it lives, and `go` how to get there', async () => {
  const opened = await world({ version: older });
  await succeeds(opened, 'setup');
  await succeeds(opened, 'up', '--port', '0');
  const screen = await screenOf(opened, ['sh', '-c', `cd '${opened.dir()}' && exec claude 'SAY hi'`], {
    env: { TERM_PROGRAM: 'WezTerm' },
  });
  const { id } = await until(
    40_000,
    () => 'the session is not listed',
    async () => {
      const { sessions } = JSON.parse(await succeeds(opened, 'ls', '--json')) as {
        sessions: { id: string; pid: number | null; pane: unknown }[];
      };
      return sessions.find(({ pid }) => pid !== null);
    },
  );
  const place = new RegExp(`\\bin .+ on ${screen.tty}\\b`);
  expect(await succeeds(opened, 'show', id)).toMatch(/^pane +none; it runs in /m);
  expect(await succeeds(opened, 'show', id)).toMatch(place);
  const went = await opened.drover('go', id);
  expect([went.code, went.stderr]).toEqual([6, expect.stringMatching(place)]);
  expect(went.stderr).toContain(`drover resume ${shortId(id)}`);
  expect(await succeeds(opened, 'ls')).toContain(`on ${screen.tty}`.slice(0, 8));
});
