/** How a session begins and ends, and under which id it continues. */
import { randomUUID } from 'node:crypto';
import type { Seat, SeatOptions } from '../rig/tmux.ts';
import type { Scenario, Stage } from './scenario.ts';
import { gone, must, soon } from './must.ts';

/** A session of a known id that has answered once. */
const answered = async ({ world, expect }: Stage, options: SeatOptions = {}): Promise<[string, Seat]> => {
  const id = randomUUID();
  const args = ['--session-id', id, ...(options.args ?? [])];
  const seat = await world.claude({ prompt: 'SAY one', ...options, args });
  await expect('waiting/stopped', { id, by: ['ready', 'working'] });
  await seat.ready();
  return [id, seat];
};

/** The same, ended by /exit. */
const left = async (stage: Stage): Promise<string> => {
  const [id, seat] = await answered(stage);
  const pid = await seat.pid();
  await seat.type('/exit');
  await stage.expect('ended/exit', { id });
  // A conversation that an exiting process still has open cannot be continued.
  await gone(pid);
  return id;
};

/** Ends a session in some way and waits until that is known. */
const end = (name: string, what: string, act: (seat: Seat, stage: Stage) => Promise<unknown>): Scenario => ({
  name,
  run: async stage => {
    const [id, seat] = await answered(stage);
    await act(seat, stage);
    const gone = await stage.expect(what, { id });
    must(gone.next === null, 'nothing follows it', gone);
    await stage.stays(what, 1_500, id);
  },
});

const kill = async (seat: Seat, signal: NodeJS.Signals): Promise<number> => {
  const pid = await seat.pid();
  const at = Date.now();
  process.kill(pid, signal);
  return at;
};

export const lives: Scenario[] = [
  {
    name: '/clear',
    run: async stage => {
      const [old, seat] = await answered(stage);
      await seat.type('/clear');
      await stage.expect('ended/clear', { id: old });
      const { sessionId: id } = await seat.file(file => file.sessionId !== old);
      await stage.expect('ready', { id });
      await stage.stays('ready', 1_500, id);
      const before = await stage.session(old);
      must(before.next === id, 'the old one names the new one', before);
      await seat.ready();
      await seat.type('SLEEP 300 SAY two');
      await stage.expect('working', { id });
      const done = await stage.expect('waiting/stopped', { id });
      must(done.pane?.id === seat.pane, 'it has the pane', done);
      await stage.stays('ended/clear', 0, old);
    },
  },
  end('/exit', 'ended/exit', seat => seat.type('/exit')),
  end('Ctrl-C twice', 'ended/exit', seat => seat.press('C-c', 'C-c')),
  end('SIGTERM', 'ended/exit', seat => kill(seat, 'SIGTERM')),
  end('pane killed', 'ended/exit', (seat, { world }) => world.tmux(['kill-pane', '-t', seat.pane])),
  end('tmux session killed', 'ended/exit', (seat, { world }) =>
    world.tmux(['kill-session', '-t', seat.name]),
  ),
  end('tmux server killed', 'ended/exit', (_, { world }) => world.tmux(['kill-server'])),
  {
    name: 'SIGKILL while working',
    run: async ({ world, expect, stays }) => {
      const seat = await world.claude({ prompt: 'SLEEP 30000 SAY late' });
      await expect('working', { by: ['ready'] });
      await world.model.asked(({ prompt }) => prompt?.includes('late') === true);
      const since = await kill(seat, 'SIGKILL');
      await expect('ended/killed', { since, within: 2_000 });
      await stays('ended/killed', 1_500);
    },
  },
  {
    name: 'SIGKILL while waiting',
    run: async stage => {
      const [id, seat] = await answered(stage, { inShell: true });
      const since = await kill(seat, 'SIGKILL');
      await stage.expect('ended/killed', { id, since, within: 2_000 });
      await stage.stays('ended/killed', 1_500, id);
    },
  },
  {
    name: 'SIGKILL while a permission is asked',
    run: async ({ world, expect, stays }) => {
      const seat = await world.claude({ prompt: 'RUN touch made' });
      await expect('waiting/permission', { by: ['ready', 'working'] });
      const since = await kill(seat, 'SIGKILL');
      await expect('ended/killed', { since, within: 2_000 });
      await stays('ended/killed', 1_500);
    },
  },
  {
    name: '--resume',
    run: async stage => {
      const id = await left(stage);
      const seat = await stage.world.claude({ args: ['--resume', id] });
      const back = await stage.expect('ready', { id });
      must(back.next === null, 'nothing follows it', back);
      await seat.ready();
      await seat.type('SLEEP 300 SAY two');
      await stage.expect('working', { id });
      const done = await stage.expect('waiting/stopped', { id });
      must(done.pane?.id === seat.pane && done.pid === (await seat.pid()), 'it lives in the new pane', done);
      must((await stage.sessions()).length === 1, 'there is one session', await stage.sessions());
    },
  },
  {
    name: '--continue',
    run: async stage => {
      const id = await left(stage);
      const seat = await stage.world.claude({ args: ['--continue'] });
      const back = await stage.expect('ready', { id });
      must(back.pane?.id === seat.pane, 'it lives in the new pane', back);
      await seat.ready();
      await seat.type('SLEEP 300 SAY two');
      await stage.expect('working', { id });
      await stage.expect('waiting/stopped', { id });
    },
  },
  {
    name: '--fork-session',
    run: async stage => {
      const old = await left(stage);
      const seat = await stage.world.claude({ args: ['--resume', old, '--fork-session'] });
      const { sessionId: id } = await seat.file(file => file.sessionId !== old && file.status === 'idle');
      const fork = await stage.expect('ready', { id });
      must(fork.pane?.id === seat.pane, 'the fork has the pane', fork);
      await seat.ready();
      await seat.type('SLEEP 300 SAY two');
      await stage.expect('working', { id });
      await stage.expect('waiting/stopped', { id });
      await stage.stays('ended/exit', 0, old);
      const before = await stage.session(old);
      must(before.state === 'ended' && before.pid !== fork.pid, 'the old one stays what it was', before);
      // The last session of a server takes it along: the next one counts its panes again.
      const moved = before.pane?.id === fork.pane?.id && before.pane?.serverPid === fork.pane?.serverPid;
      must(!moved, 'and where it was', before.pane);
    },
  },
  {
    name: '--fork-session of a live one',
    run: async stage => {
      const [old, first] = await answered(stage);
      await first.type('RUN touch made');
      await stage.expect('waiting/permission', { id: old, by: ['working'] });
      const seat = await stage.world.claude({ args: ['--resume', old, '--fork-session'] });
      const { sessionId: id } = await seat.file(file => file.sessionId !== old && file.status === 'idle');
      const fork = await stage.expect('ready', { id });
      must(fork.pane?.id === seat.pane, 'the fork has its own pane', fork);
      await seat.ready();
      await seat.type('SLEEP 300 SAY two');
      await stage.expect('working', { id });
      await stage.expect('waiting/stopped', { id });
      await stage.expect('waiting/permission', { id: old });
      const before = await stage.session(old);
      must(
        before.pane?.id === first.pane && before.pid === (await first.pid()),
        'the live one stays',
        before,
      );
      await seat.type('/exit');
      await stage.expect('ended/exit', { id });
      await first.asks('Do you want to proceed?');
      await first.press('Enter');
      await stage.expect('waiting/stopped', { id: old, by: ['working'] });
    },
  },
  {
    name: 'two sessions in one directory',
    run: async stage => {
      const { world, expect } = stage;
      const [a, b] = [randomUUID(), randomUUID()];
      const one = await world.claude({ args: ['--session-id', a] });
      const two = await world.claude({ args: ['--session-id', b] });
      await expect('ready', { id: a });
      await expect('ready', { id: b });
      await one.ready();
      await two.ready();
      await one.type('RUN touch made');
      await expect('working', { id: a });
      await expect('waiting/permission', { id: a });
      await two.type('SLEEP 500 SAY two');
      await expect('working', { id: b });
      await expect('waiting/stopped', { id: b });
      await one.asks('Do you want to proceed?');
      await one.press('Enter');
      await expect('waiting/stopped', { id: a, by: ['working'] });
      const since = await kill(two, 'SIGKILL');
      await expect('ended/killed', { id: b, since, within: 2_000 });
      const alive = await stage.session(a);
      must(alive.state === 'waiting' && alive.pane?.id === one.pane, 'the other is as it was', alive);
    },
  },
  {
    name: 'dir is where it was started',
    run: async stage => {
      const { world } = stage;
      const [id, seat] = await answered(stage, { args: ['--allowedTools', 'Bash'] });
      await seat.type('RUN mkdir -p sub && cd sub');
      await stage.expect('waiting/stopped', { id, by: ['working'] });
      await seat.ready();
      await seat.type('/compact');
      await world.model.asked(({ body }) => JSON.stringify(body.messages).includes('summary'));
      await seat.sees(/Compacted|compacted/);
      const { dir, project, cwd } = await stage.session(id);
      must(dir === world.dir() && project === 'project', 'dir and project do not move', {
        dir,
        project,
        cwd,
      });
      must(cwd === `${world.dir()}/sub`, 'cwd does', { cwd });
    },
  },
  {
    name: 'context in use',
    run: async stage => {
      const { world, expect } = stage;
      const seat = await world.claude();
      const fresh = await expect('ready');
      must(fresh.context === null, 'nothing is known before the first answer', fresh.context);
      await seat.ready();
      await seat.type('TOKENS 50000 SAY x');
      await expect('waiting/stopped', { by: ['working'] });
      const { context } = await soon(stage, 'the context is known', session => session.context !== null);
      must(context !== null && context.tokens >= 50_000 && context.tokens < 51_000, 'about 50,000', context);
      const { tokens, window, percent } = context ?? { tokens: 0, window: null, percent: null };
      must(
        window === null ? percent === null : percent === Math.round((tokens / window) * 1000) / 10,
        'the percent',
        context,
      );
      await seat.ready();
      await seat.type('/clear');
      await expect('ended/clear', { by: ['waiting/stopped'] });
    },
  },
];
