/** What people and programs see of sessions: ls, show, explain, GET /sessions. */
import { describe, expect, test } from 'vitest';
import type { Session } from '../../src/contract/session.ts';
import { versions } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

describe.each(versions)('Claude Code %s', version => {
  test('a session with a request: listed first, shown in full, explained, and watched as it continues', async () => {
    const { claude, daemon, drover, tmux } = await world({ version });
    await drover('setup');
    const { url, token } = await daemon();
    await tmux([
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-s',
      'watch',
      '-x',
      '100',
      '-y',
      '30',
      `${process.execPath} ${MAIN} ls --watch`,
    ]);
    const calm = await claude();
    await calm.ready();
    const seat = await claude({ prompt: 'RUN touch made' });
    await seat.asks('Do you want to proceed?');
    const get = async (query: string) => {
      const response = await fetch(`${url}/sessions${query}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      return {
        status: response.status,
        body: (await response.json()) as { sessions: Session[]; hint?: string },
      };
    };
    const waiting = await until(
      5_000,
      () => 'no session waits',
      async () => {
        const { sessions } = (await get('?state=waiting')).body;
        return sessions.length === 1 && sessions[0]?.detail?.tool ? sessions[0] : undefined;
      },
    );
    expect(waiting).toMatchObject({
      state: 'waiting',
      reason: 'permission',
      detail: { tool: 'Bash', line: 'Bash: touch made' },
      pane: { id: seat.pane },
      pid: await seat.pid(),
      version,
      hooks: 'live',
      headless: false,
      managed: false,
    });
    expect((await get('?state=stuck')).status).toBe(400);

    const ls = (await drover('ls')).stdout.split('\n');
    expect(ls[0]).toMatch(/session +state +age +title +project +pane +memory +request or last message/);
    expect(ls[1]).toMatch(/\[⏸\] +\w{8} +needs approval .*Bash: touch made/);
    expect(ls[2]).toMatch(/\[⏸\] +\w{8} +new /);
    const json = JSON.parse((await drover('ls', '--waiting', '--json')).stdout) as { sessions: Session[] };
    expect(json.sessions.map(({ id }) => id)).toEqual([waiting.id]);

    const prefix = waiting.id.slice(0, 6);
    const show = (await drover('show', prefix)).stdout;
    expect(show).toContain('It asks to use Bash');
    expect(show).toContain('touch made');
    const explain = (await drover('explain', prefix)).stdout;
    expect(explain).toMatch(/ready +(?:hook SessionStart|file FileStatus)/);
    // On a slow machine the session file is read before the hook.
    expect(explain).toMatch(/working +(?:hook UserPromptSubmit|file FileStatus)/);
    expect(explain).toMatch(/waiting\/permission +(?:hook PermissionRequest|file FileStatus)/);
    expect(await drover('show', 'ffffffff')).toMatchObject({ code: 4, stdout: '' });

    const watched = (words: string) =>
      until(
        10_000,
        () => `--watch did not show ${words}`,
        async () => (await tmux(['capture-pane', '-p', '-t', 'watch'])).includes(words) || undefined,
      );
    await watched('needs approval');
    await seat.press('Enter');
    await watched('done');
  });

  test('a session without hooks is found and marked silent, with the remedy on every surface', async () => {
    const { claude, daemon, drover } = await world({ version });
    await daemon();
    const seat = await claude({ prompt: 'SAY hello' });
    await seat.sees('hello');
    const list = () => drover('ls').then(({ stdout }) => stdout);
    const seen = await until(
      15_000,
      () => 'not silent',
      async () => {
        const text = await list();
        return text.includes('silent') && text.includes('done') ? text : undefined;
      },
    );
    expect(seen).toContain('run `drover doctor`');
    const id = /\[⏸\] +(\w{8})/.exec(seen)?.[1] ?? '';
    for (const verb of ['show', 'explain'])
      expect((await drover(verb, id)).stdout).toMatch(/SILENT.*drover doctor/);
    expect((await drover('status')).stdout).toContain('1 SILENT');
  });
});
