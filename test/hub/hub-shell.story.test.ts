/** Use the hub from a shell, and what happens to its sessions when the daemon stops. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { Receipt } from '../../src/contract/hub.ts';
import type { Session } from '../../src/contract/session.ts';
import { processStart } from '../../src/platform/processes.ts';
import { edges } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

describe.each(edges)('Claude Code %s', version => {
  test('new, send, interrupt, stop; a restart keeps the session, `down` ends it', async () => {
    const opened = await world({ version });
    const { drover } = opened;
    const json = async <T = Session>(...args: string[]): Promise<T> => {
      const { code, stdout, stderr } = await drover(...args, '--json');
      expect([args, code, stderr]).toEqual([args, 0, expect.anything()]);
      return JSON.parse(stdout) as T;
    };
    // Whoever needs the daemon starts it.
    const session = await json('new', '--dir', opened.dir(), '--permission-mode', 'default');
    expect(session).toMatchObject({ managed: true, state: 'ready' });
    const id = shortId(session.id);
    expect(await drover('send', id, 'SAY hello there', '--wait', 'answered')).toMatchObject({
      code: 0,
      stdout: 'hello there\n',
    });
    await json<Receipt>('send', id, 'STREAM 200');
    await until(
      10_000,
      () => 'it does not begin to answer',
      async () => {
        const screen = await opened.tmux(['capture-pane', '-p', '-t', session.pane?.id ?? '']);
        return /line \d+ of 200/.test(screen) || undefined;
      },
    );
    expect(await json('interrupt', id)).toMatchObject({ state: 'waiting', reason: 'interrupted' });
    expect(await drover('interrupt', id)).toMatchObject({ code: 6 });

    expect((await drover('restart')).code).toBe(0);
    expect(await json('show', id)).toMatchObject({ managed: true, state: 'waiting', pid: session.pid });
    expect(await json<Receipt>('send', id, 'SAY again', '--wait', 'answered')).toMatchObject({
      answer: 'again',
    });

    expect(await json('stop', id)).toMatchObject({ state: 'ended', reason: 'exit' });
    expect(await drover('send', id, 'SAY more')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('resume'),
    });

    const kept = await json('new', '--dir', opened.dir());
    expect((await drover('down', '--keep')).code).toBe(0);
    expect(processStart(kept.pid ?? 0)).not.toBeNull();
    expect((await drover('up')).code).toBe(0);
    expect(await json('show', kept.id)).toMatchObject({ managed: true, state: 'ready' });
    const { code, stderr } = await drover('down');
    expect([code, stderr]).toEqual([
      0,
      `Stopping 1 managed session (--keep leaves it running) …\n  1 of 1: ${shortId(kept.id)} stopped\n`,
    ]);
    expect(processStart(kept.pid ?? 0)).toBeNull();
    await until(
      10_000,
      () => 'something is left',
      async () => ((await opened.processes()).length === 0 ? true : undefined),
    );
  });

  test('uninstall stops the sessions that Drover started, and no others', async () => {
    const opened = await world({ version });
    const { claude, drover } = opened;
    const own = await claude();
    const started = JSON.parse((await drover('new', '--dir', opened.dir(), '--json')).stdout) as Session;
    const { code, stdout } = await drover('uninstall', '--delete-data');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Stopped the session that Drover had started'),
    ]);
    expect([processStart(started.pid ?? 0), existsSync(opened.droverHome)]).toEqual([null, false]);
    expect(processStart(await own.pid())).not.toBeNull();
    expect((await drover('uninstall')).stdout).toContain('Drover was not set up here.');
  });

  test('a signal keeps the sessions, or ends them if the config says so', async () => {
    const opened = await world({ version });
    const first = await hubOf(opened);
    const { body: session } = await first.create();
    const runs = () => processStart(session.pid ?? 0) !== null;
    expect(await first.stop()).toBe(0);
    expect(runs()).toBe(true);
    await writeFile(join(opened.droverHome, 'config.json'), JSON.stringify({ onShutdown: 'stop' }));
    const second = await hubOf(opened);
    expect(await second.read(session.id)).toMatchObject({ managed: true, state: 'ready' });
    expect((await second.send(session.id, { text: 'SAY hello', wait: 'answered' })).body.answer).toBe(
      'hello',
    );
    // A restart is no shutdown.
    expect(await opened.drover('restart')).toMatchObject({ code: 0, stderr: '' });
    expect(runs()).toBe(true);
    const { pid } = JSON.parse((await opened.drover('status', '--json')).stdout) as { pid: number };
    process.kill(pid, 'SIGTERM');
    await until(
      10_000,
      () => 'it runs on',
      () => (runs() ? undefined : true),
    );
  });

  test('a session that a person started is driven only if they or the config allow it', async () => {
    const opened = await world({ version });
    await opened.drover('setup');
    await opened.drover('up');
    const seat = await opened.claude();
    await seat.ready();
    let id = await until(
      5_000,
      () => 'it is not listed',
      async () => {
        const { sessions } = JSON.parse((await opened.drover('ls', '--json')).stdout) as {
          sessions: Session[];
        };
        return sessions[0]?.id;
      },
    );
    for (const args of [
      ['send', id, 'SAY x'],
      ['stop', id],
      ['interrupt', id],
    ])
      expect(await opened.drover(...args)).toMatchObject({
        code: 6,
        stderr: expect.stringContaining('drive'),
      });
    expect(await opened.drover('drive', id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Programs may now type into'),
    });
    expect(await opened.drover('send', id, 'SAY let in', '--wait', 'answered')).toMatchObject({
      stdout: 'let in\n',
    });
    // It belongs to the conversation that follows, and survives the daemon.
    await opened.drover('restart');
    await seat.type('/clear');
    const next = await until(
      10_000,
      () => 'nothing follows',
      async () =>
        (JSON.parse((await opened.drover('show', id, '--json')).stdout) as Session).next ?? undefined,
    );
    expect(await opened.drover('send', next, 'SAY and again', '--wait', 'answered')).toMatchObject({
      stdout: 'and again\n',
    });
    expect((await opened.drover('drive', next, '--off')).code).toBe(0);
    expect(await opened.drover('send', next, 'SAY x')).toMatchObject({ code: 6 });
    id = next;
    await writeFile(join(opened.droverHome, 'config.json'), JSON.stringify({ drive: 'all' }));
    await opened.drover('restart');
    expect(await opened.drover('send', id, 'SAY driven', '--wait', 'answered')).toMatchObject({
      stdout: 'driven\n',
    });
    expect(await opened.drover('stop', id)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('force'),
    });
    expect(await opened.drover('stop', id, '--force')).toMatchObject({ code: 0 });
    await opened.drover('down');
  });
});
