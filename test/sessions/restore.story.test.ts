/** After a reboot: ten live sessions, tmux server and daemon killed, and all restored in their places. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { newest, oldest } from '../rig/cli.ts';
import { awaitAnswer, awaitRunning, awaitEnded, createPastSession, runningProcesses } from '../rig/past.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

interface Listed {
  id: string;
  state: string;
  pane: { session: string | null; windowIndex: number | null } | null;
}

const listed = async ({ drover }: World): Promise<Listed[]> => {
  const { stdout } = await drover('ls', '--all', '--json');
  return (JSON.parse(stdout) as { sessions: Listed[] }).sessions;
};

/** Session, window number and directory of every pane that runs Claude Code. */
const layout = async ({ tmux }: World): Promise<string[]> =>
  (await tmux(['list-panes', '-a', '-F', '#{session_name}:#{window_index} #{pane_start_path}']))
    .trim()
    .split('\n')
    .sort();

/** Where each session is to live: a window, beside another one in it, or another window. */
const seats = ['a:0', 'a:0', 'a:3', 'b:0', 'b:1', 'b:1', 'b:1', 'c d:0', 'e:0', 'f:0'];

test.each([
  [oldest, 4, false],
  [newest, 10, true],
] as const)(
  'Claude Code %s: %i sessions come back, hooks %s',
  { timeout: 120_000 },
  async (version, count, hooks) => {
    const wanted = seats.slice(0, count).map((seat, n) => ({ seat, dir: `p${n}`, id: randomUUID() }));
    const opened = await world({ version, projects: ['project', ...wanted.map(({ dir }) => dir)] });
    if (hooks) expect((await opened.drover('setup')).code).toBe(0);
    const daemon = await opened.daemon();
    const begun = new Set<string>();
    for (const { seat, dir, id } of wanted) {
      const [session = '', index] = seat.split(':');
      const claude = ['env', 'claude', 'SAY one', '--session-id', id, '--permission-mode', 'default'];
      const what = ['-c', opened.dir(dir), ...claude];
      if (begun.has(seat)) await opened.tmux(['split-window', '-d', '-t', `=${seat}`, ...what]);
      else if (begun.has(session)) await opened.tmux(['new-window', '-d', '-t', `=${seat}`, ...what]);
      else {
        await opened.tmux(['new-session', '-d', '-s', session, '-x', '200', '-y', '90', ...what]);
        expect(index).toBe('0');
      }
      begun.add(seat).add(session);
    }
    const left = randomUUID();
    const gone = await opened.claude({
      name: 'left',
      args: ['--session-id', left],
      prompt: 'SAY one',
    });
    for (const { id } of wanted) await awaitAnswer(opened, id, 60_000);
    await gone.ready(30_000);
    const ids = [...wanted.map(({ id }) => id), left];
    // Without hooks and environments a pane is found by a scan.
    await until(
      30_000,
      () => 'not all panes are known',
      async () => {
        const sessions = await listed(opened);
        const isKnown = (id: string) => sessions.find(one => one.id === id)?.pane?.windowIndex != null;
        return ids.every(isKnown) || undefined;
      },
    );
    await gone.type('/exit');
    await until(
      30_000,
      () => 'the session that was left has not ended',
      async () =>
        (await listed(opened)).some(({ id, state }) => id === left && state === 'ended') || undefined,
    );
    const outlived = async () => (await opened.drover('events', left, '--json')).stdout.includes('Outlived');
    await until(
      10_000,
      () => 'it is not noted that the server outlived a session',
      async () => (await outlived()) || undefined,
    );
    const before = await layout(opened);

    await daemon.kill9();
    await opened.tmux(['kill-server']);
    for (const { id } of wanted) await awaitEnded(opened, id);
    const plan = await opened.drover('restore', '--json');
    expect([plan.code, plan.stderr]).toEqual([0, '']);
    const planned = JSON.parse(plan.stdout) as {
      sessions: { id: string; argv: string[] }[];
      skipped: unknown[];
    };
    expect(planned.skipped).toEqual([]);
    expect(planned.sessions.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort());
    for (const { id, argv } of planned.sessions) expect(argv.slice(1)).toEqual(['--resume', id]);
    await expect(opened.tmux(['list-sessions'])).rejects.toThrow('list-sessions');

    const done = await opened.drover('restore', '--yes');
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout.match(/^restored {2}/gm)).toHaveLength(count);
    // At once again: whatever is on its way is not started a second time.
    const again = await opened.drover('restore', '--yes');
    expect([again.code, again.stdout.match(/^restored {2}/gm)]).toEqual([0, null]);
    for (const { id, dir } of wanted) await awaitRunning(opened, id, opened.dir(dir), 60_000);
    expect(await layout(opened)).toEqual(before.filter(line => !line.startsWith('left:')));
    for (const { id } of wanted) expect(runningProcesses(opened, id)).toHaveLength(1);
    // A directory that is gone is left to the person.
    expect((await opened.drover('restore')).stdout).not.toContain('would');
  },
);

test('sessions are listed, searched and resumed over HTTP', async () => {
  const version = newest;
  const opened = await world({ version, projects: ['project', 'shop'] });
  const { url, token } = await opened.daemon();
  const one = await createPastSession(opened, opened.dir(), undefined, 'SAY one turnstile');
  const two = await createPastSession(opened, opened.dir('shop'), undefined, 'SAY two zebras');
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await opened.drover('sessions', '--json', ...args);
    expect([code, stderr]).toEqual([0, '']);
    return (JSON.parse(stdout) as { sessions: { id: string }[] }).sessions.map(({ id }) => id);
  };
  expect(await json()).toEqual([two, one]);
  expect(await json('--project', 'SHOP')).toEqual([two]);
  expect(await json('--since', '1h', '-n', '1')).toEqual([two]);
  expect(await json('--branch', 'main')).toEqual([]);
  expect((await opened.drover('sessions')).stdout).toMatch(
    new RegExp(`^${shortId(two)} .+ ~/shop\\n +SAY two zebras · two zebras$`, 'm'),
  );
  const off = await opened.drover('sessions', 'zebras');
  expect([off.code, off.stderr]).toEqual([6, expect.stringContaining('`drover sessions index on`')]);
  expect((await opened.drover('sessions', 'index')).stdout).toBe('The index is off\n');
  expect((await opened.drover('sessions', 'index', 'on')).code).toBe(0);
  await until(
    20_000,
    () => 'the index is not ready',
    async () => (await opened.drover('sessions', 'index')).stdout.includes('2 of 2') || undefined,
  );
  expect(await json('zebra*')).toEqual([two]);
  expect(await json('turnstile')).toEqual([one]);

  const ask = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const found = await ask('GET', '/sessions?state=ended&q=zebras');
  expect(found).toMatchObject({ status: 200, body: { sessions: [{ id: two, state: 'ended' }] } });
  expect((await ask('POST', '/sessions/000000/resume')).status).toBe(404);
  const resumed = await ask('POST', `/sessions/${shortId(two)}/resume`, {});
  expect(resumed).toMatchObject({ status: 200, body: { id: two, dir: opened.dir('shop') } });
  await awaitRunning(opened, two, opened.dir('shop'));
  expect((await ask('POST', `/sessions/${two}/resume`)).status).toBe(409);
  const fork = await ask('POST', `/sessions/${two}/resume`, { fork: true });
  expect(fork.status).toBe(200);
  expect((await opened.drover('sessions', 'index', 'off')).stdout).toBe('The index is off\n');
});
