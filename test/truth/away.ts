/** What is detected without hooks, before them, or after them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { World } from '../rig/world.ts';
import { late, must, soon } from './must.ts';
import type { Scenario } from './scenario.ts';

/** Changes the user's ~/.claude.json. */
const rewrite = async (world: World, change: (state: Record<string, unknown>) => void): Promise<void> => {
  const path = join(world.home, '.claude.json');
  const state = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  change(state);
  await writeFile(path, JSON.stringify(state));
};

export const away: Scenario[] = [
  {
    name: 'trust dialog',
    run: async stage => {
      const { world, expect } = stage;
      const dir = join(world.home, 'stranger');
      await mkdir(dir);
      const seat = await world.claude({ dir });
      await seat.sees('trust');
      const asks = await expect('waiting/dialog', { since: Date.now(), within: 3_000 });
      must(asks.detail?.line.includes('trust') === true, 'it says what is asked', asks.detail);
      must(asks.pane?.id === seat.pane && asks.cwd === dir && !asks.headless, 'it says where', asks);
      await seat.asks('trust');
      if (world.version !== '2.1.197') await seat.press('Up');
      await seat.press('Enter');
      const { sessionId: id } = await seat.file(file => file.status === 'idle');
      const real = await expect('ready', { id });
      must(real.pane?.id === seat.pane && real.dir === dir, 'the session is in the pane', real);
      await expect('ended/exit', { id: asks.id, by: ['waiting/dialog'] });
      const startup = await stage.session(asks.id);
      must(startup.state === 'ended' && startup.next === id, 'the dialog is over', startup);
      await stage.stays('ready', 2_500, id);
    },
  },
  {
    name: 'trust dialog, declined',
    run: async ({ world, expect, stays, session }) => {
      const dir = join(world.home, 'stranger');
      await mkdir(dir);
      const seat = await world.claude({ dir, inShell: true });
      await expect('waiting/dialog');
      await stays('waiting/dialog', 3_000);
      const { hooks } = await session();
      must(hooks === 'live', 'nobody expects a hook yet', hooks);
      await seat.press('Escape');
      await expect('ended/exit');
      await stays('ended/exit', 2_500);
    },
  },
  {
    name: 'theme dialog',
    run: async stage => {
      const { world, expect } = stage;
      await rewrite(world, state => {
        delete state.hasCompletedOnboarding;
        delete state.theme;
      });
      const seat = await world.claude();
      await seat.sees('Choose the text style');
      const asks = await expect('waiting/dialog', { since: Date.now(), within: 3_000 });
      must(asks.detail?.line === 'choose a theme', 'it says what is asked', asks.detail);
      await seat.asks('Dark mode');
      await seat.press('Enter');
      await seat.asks('Security notes');
      await soon(stage, 'the next one is told', ({ detail }) => detail?.line === 'read the security notes');
      await seat.press('Enter');
      const { sessionId: id } = await seat.file(file => file.status === 'idle');
      await expect('ready', { id });
      await expect('ended/exit', { id: asks.id, by: ['waiting/dialog'] });
    },
  },
  {
    name: 'no hooks at all',
    hooks: 'none',
    run: async stage => {
      const { world, expect } = stage;
      const seat = await world.claude();
      const fresh = await expect('ready');
      must(fresh.pane?.id === seat.pane && fresh.dir === world.dir(), 'it is found in its pane', fresh);
      await soon(stage, 'it is silent', session => session.hooks === 'silent');
      await seat.ready();
      await seat.type('SLEEP 800 SAY hello');
      await expect('working');
      const done = await expect('waiting/stopped');
      must(done.detail?.line === 'hello', 'it shows the answer', done.detail);
      await seat.ready();
      await seat.type('RUN touch made');
      await expect('waiting/permission', { by: ['working'] });
      await seat.asks('Do you want to proceed?');
      const approved = Date.now();
      await seat.press('Enter');
      const { since } = await expect('waiting/stopped', { by: ['working'] });
      must(since >= approved, 'since is true', { since, approved });
      await seat.ready();
      await seat.type('RUN touch again');
      await expect('waiting/permission', { by: ['working'] });
      await seat.asks('Do you want to proceed?');
      await seat.press('Escape');
      await expect('waiting/interrupted', { by: ['working'] });
      await seat.ready();
      await seat.type('STREAM 100');
      await expect('working');
      await seat.sees('line 5 of');
      await seat.press('Escape');
      const stopped = await expect('waiting/interrupted');
      must(stopped.hooks === 'silent', 'it is still silent', stopped);
      await seat.ready();
      // A failure within a few milliseconds changes no session file.
      await seat.type('SLEEP 500 FAIL 400');
      await expect('waiting/failed', { by: ['working'] });
    },
  },
  {
    name: 'no hooks, found by a daemon that comes later',
    hooks: 'none',
    run: async stage => {
      const { world, expect, whileDown } = stage;
      let idle = 0;
      await whileDown(async () => {
        const seat = await world.claude({ prompt: 'SAY hello' });
        await seat.sees('● hello');
        await seat.file(file => file.status === 'idle');
        idle = Date.now();
        await pauseFor(1_500);
      });
      const found = await expect('waiting/stopped', { since: Date.now(), by: ['ready'] });
      must(found.since <= idle + late, 'since when is true', { since: found.since, idle });
      must(found.detail?.line === 'hello', 'it shows the answer', found.detail);
      must(found.pane !== null, 'it has its pane', found);
    },
  },
  {
    name: 'hooks removed under a running session',
    run: async stage => {
      const { world, expect } = stage;
      const seat = await world.claude({ prompt: 'SAY one' });
      const first = await expect('waiting/stopped', { by: ['ready', 'working'] });
      must(first.hooks === 'live', 'its hooks reach us', first);
      const removed = await world.drover('setup', '--remove');
      must(removed.code === 0, 'setup --remove', removed);
      await seat.ready();
      await seat.type('SLEEP 1500 SAY two');
      await expect('working');
      await expect('waiting/stopped');
      // The CLI has read its settings again by now, and what happens within a second of a hook counts as reported by it.
      await seat.ready();
      await pauseFor(1_100);
      const typed = Date.now();
      await seat.type('SLEEP 800 SAY three');
      const { since } = await expect('working');
      must(since >= typed, 'since is true', { since, typed });
      const done = await expect('waiting/stopped');
      must(done.detail?.line === 'three', 'it shows the answer', done.detail);
      await soon(stage, 'it is silent', session => session.hooks === 'silent', 5_000);
    },
  },
  {
    name: "a shell command of the user's own tells no hook, and nothing is asked",
    run: async stage => {
      const { world, expect } = stage;
      const seat = await world.claude({ prompt: 'SAY one' });
      await expect('waiting/stopped', { by: ['ready', 'working'] });
      await seat.ready();
      await pauseFor(1_500);
      await seat.type('!sleep 2; echo over');
      await seat.sees('over', 10_000);
      await pauseFor(4_000);
      await stage.stays('waiting/stopped', 10);
      const { hooks } = await stage.session();
      must(hooks === 'live', 'its hooks are live', hooks);
    },
  },
  {
    name: 'a menu and an Esc tell no hook, and it is not silent',
    run: async stage => {
      const { world, expect } = stage;
      const seat = await world.claude({ prompt: 'SAY one' });
      await expect('waiting/stopped', { by: ['ready', 'working'] });
      await seat.ready();
      await pauseFor(1_500);
      await seat.type('/model');
      await expect('waiting/dialog');
      await seat.asks('Select model');
      const since = Date.now();
      await seat.press('Escape');
      await expect('waiting/stopped', { since });
      await seat.ready();
      await seat.type('STREAM 100');
      await expect('working');
      await seat.sees('line 20 of');
      await seat.press('Escape');
      await expect('waiting/interrupted');
      await pauseFor(3_000);
      const { hooks } = await stage.session();
      must(hooks === 'live', 'its hooks are live', hooks);
    },
  },
];
