/** The queue with real sessions that wait, used by people and programs. */
import { spawn } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { Next, Queue } from '../../src/contract/queue.ts';
import type { Stats } from '../../src/contract/stats.ts';
import { newest, oldest } from '../rig/cli.ts';
import type { Daemon } from '../rig/drover.ts';
import { hooksOf } from '../rig/hook.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

const ask = async <T>({ url, token }: Daemon, method: string, path: string, body?: object): Promise<T> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return (await (await fetch(`${url}${path}`, init)).json()) as T;
};

/** Three sessions that stopped one after another, of both versions, called 1, 2 and 3. */
const threeStopped = async () => {
  // Setup registers what the older one knows too.
  const opened = await world({ version: oldest });
  await opened.drover('setup');
  const daemon = await opened.daemon();
  const names = new Map<string, string>();
  const list = async () => (await ask<Queue>(daemon, 'GET', '/queue')).items;
  const waiting = async (count: number) =>
    until(
      20_000,
      () => `not ${count} in the queue`,
      async () => {
        const items = await list();
        return items.length === count ? items : undefined;
      },
    );
  const seats = [];
  for (const [n, version] of [oldest, newest, oldest].entries()) {
    seats.push(await opened.claude({ prompt: `SAY ${n + 1}`, version }));
    for (const { session } of await waiting(n + 1))
      if (!names.has(session.id)) names.set(session.id, String(n + 1));
  }
  return {
    ...opened,
    daemon,
    seats,
    waiting,
    id: (name: string) => [...names].find(([, given]) => given === name)?.[0] as string,
    name: (id: string) => names.get(id) ?? id,
    queue: async () =>
      (await list()).map(
        ({ session, deferred }) => `${names.get(session.id)}${deferred ? ` ${deferred}` : ''}`,
      ),
  };
};

describe('the queue', () => {
  test('a skip works while an older one is still active, and an answer moves a session to the back', async () => {
    const { drover, queue, id, seats, waiting } = await threeStopped();
    expect(await queue()).toEqual(['1', '2', '3']);
    expect((await drover('skip')).stdout).toMatch(
      new RegExp(`^Skipped ${shortId(id('1'))} project: now at position 3`),
    );
    expect((await drover('skip')).stdout).toContain(shortId(id('2')));
    expect(await queue()).toEqual(['3', '1 skipped', '2 skipped']);
    expect((await drover('skip', shortId(id('3')))).code).toBe(0);
    expect(await drover('skip')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('No other session is waiting. Deferred: '),
    });

    await seats[0]?.ready();
    await seats[0]?.type('SLEEP 4000 SAY again');
    expect((await waiting(2)).map(({ session }) => session.id)).toEqual([id('2'), id('3')]);
    expect(await drover('skip', shortId(id('1')))).toMatchObject({ code: 6 });
    await waiting(3);
    expect(await queue()).toEqual(['2 skipped', '3 skipped', '1']);
  });

  test('two clients get two sessions; snoozed and dismissed ones are deferred; the figures show it', async () => {
    const { daemon, drover, queue, id, name, seats, waiting } = await threeStopped();
    const next = (client: string) => ask<Next>(daemon, 'POST', '/queue/next', { client });
    const [a, b] = await Promise.all([next('a'), next('b')]);
    expect([a, b].map(({ next: got }) => name(got?.session.id ?? '')).sort()).toEqual(['1', '2']);
    const third = await drover('next', '--json');
    expect([third.code, (JSON.parse(third.stdout) as Next).next]).toEqual([0, undefined]);
    expect(JSON.parse(third.stdout)).toMatchObject({ session: { id: id('3') }, moved: false });
    // No client was moved, so nothing was claimed.
    expect(name((await next('c')).next?.session.id ?? '')).toBe('3');
    expect(await next('d')).toEqual({ next: null, waiting: 3, deferred: 3 });
    expect(name((await next('a')).next?.session.id ?? '')).toBe(name(a.next?.session.id ?? ''));

    expect((await drover('snooze', shortId(id('1')), '8s')).stdout).toContain('until');
    expect((await drover('dismiss', shortId(id('2')))).code).toBe(0);
    expect(await queue()).toEqual(['1 snoozed', '2 dismissed', '3 claimed']);
    expect((await drover('snooze', 'long')).code).toBe(2);
    await until(
      20_000,
      () => 'the snooze does not end',
      async () => ((await queue())[0] === '1 snoozed' ? undefined : true),
    );

    // A dismissed session returns by itself when something happens there.
    await seats[1]?.ready();
    await seats[1]?.type('SLEEP 4000 SAY again');
    await waiting(2);
    await waiting(3);
    expect((await queue()).at(-1)).toBe('2');
    const stats = JSON.parse((await drover('stats', '--json', '--days', '2')).stdout) as Stats;
    expect(stats).toMatchObject({ waits: 1, open: { waits: 3 }, reasons: [{ name: 'stopped', waits: 1 }] });
    expect(stats.longest).toBeGreaterThan(1_000);
    const said = (await drover('stats')).stdout;
    expect(said).toMatch(/^1 wait answered in 14 days: median \d+ s/);
    expect(said).toMatch(/^project +1 .*█{24}$/m);
  });

  test('next skips a session that cannot be reached, with a word, and does not claim it', async () => {
    const opened = await world({ version: newest });
    const { daemon, drover, claude, env, dir } = opened;
    const hooks = await hooksOf(opened);
    const { url, token } = await daemon();
    const asItems = async () => (await ask<Queue>({ url, token } as Daemon, 'GET', '/queue')).items;
    const items = (count: number) =>
      until(
        20_000,
        () => `not ${count} in the queue`,
        async () => {
          const found = await asItems();
          return found.length === count ? found : undefined;
        },
      );
    // A session outside tmux that waits for an approval.
    const process = spawn('sleep', ['300'], { env: env(), stdio: 'ignore' });
    onTestFinished(() => void process.kill());
    const away = '11111111-0000-4000-8000-000000000001';
    const fire = (hook_event_name: string, fields: object = {}) =>
      hooks.fire(
        { session_id: away, hook_event_name, cwd: dir(), ...fields },
        { env: { CLAUDE_PID: String(process.pid) } },
      );
    await fire('SessionStart', { source: 'startup' });
    await fire('UserPromptSubmit', { prompt: 'do' });
    await fire('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'touch a' } });
    await items(1);
    const alone = await drover('next');
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('Skipped 11111111') });
    expect(alone.stdout).toContain(
      'No session that you can reach is waiting. 1 cannot be reached from here.',
    );
    const seat = await claude({ prompt: 'SAY here' });
    await items(2);
    const next = await drover('next', '--json');
    expect(next).toMatchObject({ code: 0, stderr: expect.stringContaining('it is not in a tmux pane') });
    expect(JSON.parse(next.stdout)).toMatchObject({ session: { pane: { id: seat.pane } } });
    expect((await asItems()).map(({ deferred }) => deferred)).toEqual([null, null]);
  });
});
