/** The hub and Claude Code in different pid and mount namespaces, as with containers: only tmux and one folder are shared. */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Session } from '../../src/contract/session.ts';
import { newest, type Version } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { isThere } from '../rig/process.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const namespaces = ['unshare', '--pid', '--mount', '--fork', '--mount-proc', '--kill-child=SIGTERM'];
const canUnshare = spawnSync(namespaces[0] as string, [...namespaces.slice(1), 'true']).status === 0;
if (!canUnshare)
  process.stdout.write('hub-container: skipped, this user may not make namespaces (unshare)\n');

/** Containers run Linux, and share their tmux socket with a host that does too. */
const onLinux = (version: Version) => ({ version, platform: 'linux' }) as const;

/** Runs a script, then what follows it, in namespaces of its own. */
const container = (script: string): string[] => [...namespaces, 'sh', '-c', `${script}; exec "$@"`, 'sh'];

const configure = (opened: World) =>
  writeFile(join(opened.droverHome, 'config.json'), JSON.stringify({ tmuxSocket: opened.socket }));

describe.skipIf(!canUnshare)('containers', () => {
  test('a hub in a container starts, messages, answers and stops sessions on the host', async () => {
    const opened = await world(onLinux(newest));
    await configure(opened);
    await opened.tmux(['new-session', '-d', '-s', 'host', 'cat']);
    // Neither the CLI nor the user's home exists in there.
    const hide = `mount -t tmpfs none '${opened.home}' && mount -t tmpfs none '${join(opened.root, 'bin')}' && cd /`;
    const hub = await hubOf(opened, { inside: container(hide) });
    const { status, body } = await hub.create();
    expect(status).toBe(201);
    expect(body).toMatchObject({ managed: true, pid: null, host: null, pane: { foreign: true } });
    const { id } = body;
    expect((await hub.send(id, { text: 'SAY from the host', wait: 'answered' })).body).toMatchObject({
      status: 'answered',
      answer: 'from the host',
    });

    // Through the hook that waits on the host, then by keys in its dialog.
    for (const way of ['hook', 'screen']) {
      const approvals = way === 'hook' ? 'held' : 'terminal';
      expect((await hub.ask('POST', `/sessions/${id}/approvals`, { approvals })).status).toBe(200);
      await hub.send(id, { text: `RUN touch ${way}`, wait: 'submitted' });
      const [request] = (await hub.is(id, ({ reason }) => reason === 'permission')).requests;
      const answered = await hub.answer(id, { id: request?.id, choice: 'allow' });
      expect(answered).toMatchObject({ status: 200, body: { way } });
      await until(
        10_000,
        () => `the answer by ${way} made nothing`,
        () => existsSync(join(opened.dir(), way)) || undefined,
      );
      await hub.is(id, ({ reason }) => reason === 'stopped');
    }

    const panePid = Number(
      await opened.tmux(['display-message', '-p', '-t', body.pane?.id ?? '', '#{pane_pid}']),
    );
    expect((await hub.ask('DELETE', `/sessions/${id}`)).body).toMatchObject({
      state: 'ended',
      evidence: { name: 'SessionEnd' },
    });
    await until(
      10_000,
      () => `process ${panePid} stays`,
      () => (isThere(panePid) ? undefined : true),
    );
    expect(await opened.tmux(['list-sessions', '-F', '#{session_name}'])).toBe('host\n');

    // One that is killed leaves a dead pane, which is all that can be seen of it.
    const other = (await hub.create({ session_id: randomUUID() })).body;
    const otherPid = await opened.tmux(['display-message', '-p', '-t', other.pane?.id ?? '', '#{pane_pid}']);
    process.kill(Number(otherPid), 'SIGKILL');
    await hub.is(other.id, ({ state }) => state === 'ended');
  });

  test('a hub on the host starts, messages and stops sessions in a container, which reports with an ingest token', async () => {
    const opened = await world(onLinux(newest));
    await configure(opened);
    const { droverHome, root, socket } = opened;
    await mkdir(join(droverHome, 'managed'), { mode: 0o700 });
    const hub = await hubOf(opened);
    const { stdout } = await opened.drover('token', 'add', 'box', '--scope', 'ingest');
    const tokenFile = join(root, 'box.token');
    await writeFile(tokenFile, stdout.trim().split(/\s+/).at(-1) ?? '', { mode: 0o600 });
    // Of DROVER_HOME only the start scripts and the emitter are in there, not the token, the log and the spool.
    const [kept, shared] = [join(root, 'emit.sh'), join(root, 'shared')];
    await mkdir(shared);
    const hide = [
      `cp '${droverHome}/emit.sh' '${kept}'`,
      `mount --bind '${droverHome}/managed' '${shared}'`,
      `mount -t tmpfs none '${droverHome}'`,
      `mkdir '${droverHome}/managed'`,
      `mount --bind '${shared}' '${droverHome}/managed'`,
      `cp '${kept}' '${droverHome}/emit.sh'`,
    ].join(' && ');
    const words = ['tmux', '-S', socket, 'new-session', '-d', '-s', 'box', 'cat'];
    const [command, ...rest] = [...container(`${hide} && ${words.join(' ')}`), 'sleep', '600'];
    const env = opened.env({ DROVER_URL: hub.url, DROVER_TOKEN_FILE: tokenFile });
    const box = spawn(command, rest, { env, cwd: opened.home, stdio: 'ignore' });
    opened.closing(async () => void box.kill('SIGKILL'));
    await until(
      10_000,
      () => 'no tmux server',
      () => opened.tmux(['list-sessions']).catch(() => undefined),
    );

    const { status, body } = await hub.create();
    expect(status).toBe(201);
    expect(body).toMatchObject({ managed: true, pid: null, pane: { foreign: true }, origin: null });
    expect((await hub.send(body.id, { text: 'SAY from the box', wait: 'answered' })).body).toMatchObject({
      status: 'answered',
      answer: 'from the box',
    });
    const all = (await hub.ask<{ sessions: Session[] }>('GET', '/sessions')).body;
    expect(all.sessions.map(({ id }) => id)).toEqual([body.id]);
    expect((await hub.ask('DELETE', `/sessions/${body.id}`)).body).toMatchObject({ state: 'ended' });
  });
});
