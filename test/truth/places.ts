/** Where sessions live: tmux servers, panes that others use too, and none at all. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';
import { must, soon } from './must.ts';
import type { Scenario } from './scenario.ts';

export const places: Scenario[] = [
  {
    name: 'headless',
    run: async ({ world, expect, session }) => {
      const id = randomUUID();
      const run = world.headless({ prompt: 'SLEEP 1500 SAY alone', args: ['--session-id', id] });
      const works = await expect('working', { id, by: ['ready'], within: 30_000 });
      must(works.headless && works.pane === null, 'it is headless and has no pane', works);
      must((await run).stdout.includes('alone'), 'it answers', await run);
      const gone = await expect('ended/exit', { id, by: ['waiting/stopped'] });
      must(gone.headless, 'it is headless to the end', gone);
      must((await session(id)).hooks === 'live', 'its hooks reach us', gone);
    },
  },
  {
    name: 'headless killed',
    run: async ({ world, expect }) => {
      const id = randomUUID();
      const run = world.headless({ prompt: 'SLEEP 60000 SAY late', args: ['--session-id', id], ms: 60_000 });
      const { pid } = await expect('working', { id, by: ['ready'], within: 30_000 });
      must(pid !== null, 'its process is known', pid);
      const since = Date.now();
      process.kill(pid, 'SIGKILL');
      await run;
      await expect('ended/killed', { id, since, within: 2_000 });
    },
  },
  {
    name: 'headless inside a session’s pane',
    run: async stage => {
      const { world, expect } = stage;
      const [id, inner] = [randomUUID(), randomUUID()];
      const seat = await world.claude({
        prompt: `RUN claude -p 'SLEEP 1500 SAY inner' --session-id ${inner}`,
        args: ['--session-id', id, '--allowedTools', 'Bash'],
      });
      await expect('working', { id, by: ['ready'] });
      const nested = await expect('working', { id: inner, by: ['ready'] });
      must(nested.headless, 'the inner one is headless', nested);
      const outer = await stage.session(id);
      must(outer.state === 'working' && !outer.headless, 'the outer one works on', outer);
      await expect('ended/exit', { id: inner, by: ['waiting/stopped'] });
      const done = await expect('waiting/stopped', { id });
      must(done.pane?.id === seat.pane && done.pid === (await seat.pid()), 'it keeps its pane', done);
      must(done.next === null, 'nothing follows it', done);
    },
  },
  {
    name: 'tmux names and numbers of the pane',
    run: async stage => {
      const { world, expect } = stage;
      const seat = await world.claude();
      await expect('ready');
      const known = await soon(stage, 'the pane is known by name', ({ pane }) => pane?.session === seat.name);
      const [server, pid] = (
        await world.tmux(['display-message', '-p', '-t', seat.pane, '#{pid} #{pane_pid}'])
      )
        .trim()
        .split(' ');
      must(
        known.pane?.serverPid === Number(server) &&
          known.pane.pid === Number(pid) &&
          known.pane.socket === world.socket,
        'the pane is the one',
        known.pane,
      );
      await world.tmux(['rename-session', '-t', seat.name, 'renamed']);
      // Nothing reports a new name: it is detected with the next poll of tmux (`paneRest`).
      await soon(stage, 'the new name is known', ({ pane }) => pane?.session === 'renamed', 8_000);
    },
  },
  {
    name: 'tmux server restarted with the same pane ids',
    run: async stage => {
      const { world, expect } = stage;
      const [old, id] = [randomUUID(), randomUUID()];
      const first = await world.claude({ prompt: 'SAY one', args: ['--session-id', old] });
      await expect('waiting/stopped', { id: old, by: ['ready', 'working'] });
      const before = await stage.session(old);
      await world.tmux(['kill-server']);
      await until(
        5_000,
        () => 'the server lives on',
        async () =>
          (await world.tmux(['list-sessions']).catch(() => undefined)) === undefined ? true : undefined,
      );
      const second = await world.claude({ args: ['--session-id', id] });
      must(second.pane === first.pane, 'the pane id is the same', [first.pane, second.pane]);
      await expect('ended/exit', { id: old });
      const fresh = await expect('ready', { id });
      must(fresh.pane?.serverPid !== before.pane?.serverPid, 'the servers are told apart', fresh.pane);
      await second.ready();
      await second.type('RUN touch made');
      await expect('waiting/permission', { id, by: ['working'] });
      const after = await stage.session(old);
      must(after.state === 'ended' && after.next === null, 'the old one is gone', after);
      must(after.pane?.serverPid === before.pane?.serverPid, 'nothing of it is in the new pane', after.pane);
    },
  },
  {
    name: 'tmux server killed with SIGKILL, then another',
    run: async stage => {
      const { world, expect } = stage;
      const [old, id] = [randomUUID(), randomUUID()];
      const first = await world.claude({ prompt: 'RUN touch made', args: ['--session-id', old] });
      await expect('waiting/permission', { id: old, by: ['ready', 'working'] });
      const before = await stage.session(old);
      must(before.pane?.serverPid !== null && before.pane !== null, 'the server is known', before.pane);
      const cli = await first.pid();
      process.kill(cli, 'SIGKILL');
      process.kill(before.pane.serverPid, 'SIGKILL');
      const since = Date.now();
      const second = await until(
        5_000,
        () => 'no new server',
        () => world.claude({ args: ['--session-id', id] }).catch(() => undefined),
      );
      await expect('ended/killed', { id: old, since, within: 2_000 });
      const fresh = await expect('ready', { id });
      must(
        second.pane === first.pane && fresh.pane?.serverPid !== before.pane.serverPid,
        'told apart',
        fresh,
      );
      await stage.stays('ended/killed', 2_500, old);
      await stage.stays('ready', 0, id);
    },
  },
  {
    name: 'two tmux servers',
    run: async stage => {
      const { world, expect } = stage;
      const [a, b] = [randomUUID(), randomUUID()];
      const socket = join(world.root, 'second');
      const other = async (...args: string[]) => {
        const said = await world.run('tmux', ['-S', socket, '-f', '/dev/null', ...args]);
        must(said.code === 0, `tmux ${args[0]}`, said);
        return said.stdout.trim();
      };
      const seat = await world.claude({ prompt: 'SAY one', args: ['--session-id', a] });
      await expect('waiting/stopped', { id: a, by: ['ready', 'working'] });
      const mode = ['--permission-mode', 'default'];
      const size = ['-x', '220', '-y', '50', '-P', '-F', '#{pane_id}'];
      try {
        const pane = await other(
          'new-session',
          '-d',
          '-s',
          'second',
          ...size,
          'env',
          'claude',
          'RUN touch made',
          '--session-id',
          b,
          ...mode,
        );
        const asks = await expect('waiting/permission', { id: b, by: ['ready', 'working'] });
        must(
          pane === seat.pane && asks.pane?.id === pane && asks.pane.socket === socket,
          'same id, other server',
          asks,
        );
        await soon(
          stage,
          'its name is known',
          session => session.id === b && session.pane?.session === 'second',
        );
        const first = await stage.session(a);
        must(
          first.pane?.socket === world.socket && first.state === 'waiting',
          'the first is where it was',
          first,
        );
        await other('kill-server');
        await expect('ended/exit', { id: b });
        await stage.stays('waiting/stopped', 2_500, a);
      } finally {
        await other('kill-server').catch(() => {});
      }
    },
  },
  {
    name: '30 sessions at once',
    run: async ({ world, expect, sessions }) => {
      const lives = Array.from({ length: 30 }, (_, index) => ({ index, id: randomUUID() }));
      const seats: Seat[] = [];
      // A start takes a second of a core: three at a time leave enough CPU time to detect the others.
      for (const { index, id } of lives) {
        seats.push(await world.claude({ prompt: `SAY first ${index}`, args: ['--session-id', id] }));
        const earlier = lives[index - 3];
        if (earlier)
          await expect('waiting/stopped', { id: earlier.id, by: ['ready', 'working'], within: 60_000 });
      }
      for (const { id } of lives.slice(-3))
        await expect('waiting/stopped', { id, by: ['ready', 'working'], within: 60_000 });
      const say = async (index: number) => {
        await seats[index]?.ready();
        await seats[index]?.type(`SLEEP ${4_000 - index * 100} SAY second ${index}`);
      };
      await Promise.all(
        [0, 1, 2].map(async hand => {
          for (const { index } of lives) if (index % 3 === hand) await say(index);
        }),
      );
      for (const { index, id } of lives) {
        await expect('working', { id });
        const done = await expect('waiting/stopped', { id, within: 60_000 });
        must(done.detail?.line === `second ${index}`, 'each says its own', done.detail);
      }
      const all = await sessions();
      must(
        all.length === 30 && all.every(({ state, hooks }) => state === 'waiting' && hooks === 'live'),
        'all wait',
        all,
      );
      must(
        new Set(all.map(({ pane }) => pane?.id)).size === 30,
        'each has its pane',
        all.map(({ pane }) => pane),
      );
    },
  },
];
