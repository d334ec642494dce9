/** What is known after the daemon was away. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { gone, late, must } from './must.ts';
import type { Scenario } from './scenario.ts';

export const down: Scenario[] = [
  {
    name: 'daemon down across the end of a turn',
    run: async stage => {
      const { world, expect, whileDown } = stage;
      const seat = await world.claude({ prompt: 'SLEEP 2500 SAY meanwhile' });
      await expect('working', { by: ['ready'] });
      let over = 0;
      await seat.file(file => file.status === 'busy');
      await whileDown(async () => {
        await seat.file(file => file.status === 'idle');
        over = Date.now();
        await pauseFor(1_500);
      });
      const done = await expect('waiting/stopped', { since: Date.now() });
      must(done.since <= over + late && done.since > over - 2_000, 'since is when it stopped', [
        done.since,
        over,
      ]);
      must(done.evidence.name === 'Stop' && done.detail?.line === 'meanwhile', 'Stop tells it', done);
    },
  },
  {
    name: 'daemon down across a prompt',
    run: async stage => {
      const { world, expect, whileDown } = stage;
      const seat = await world.claude({ prompt: 'SAY one' });
      await expect('waiting/stopped', { by: ['ready', 'working'] });
      await seat.ready();
      let prompted = 0;
      await whileDown(async () => {
        await seat.type('SLEEP 6000 SAY two');
        await seat.file(file => file.status === 'busy');
        prompted = Date.now();
        await pauseFor(1_000);
      });
      const works = await expect('working', { since: Date.now() });
      must(works.since <= prompted + late && works.since > prompted - 2_000, 'since is when it was asked', {
        since: works.since,
        prompted,
      });
      await expect('waiting/stopped');
    },
  },
  {
    name: 'daemon down across an Esc',
    run: async stage => {
      const { world, expect, whileDown } = stage;
      const seat = await world.claude({ prompt: 'RUN touch made' });
      await expect('waiting/permission', { by: ['ready', 'working'] });
      await seat.asks('Do you want to proceed?');
      let over = 0;
      await whileDown(async () => {
        await seat.press('Escape');
        await seat.file(file => file.status === 'idle');
        over = Date.now();
        await pauseFor(1_000);
      });
      const done = await expect('waiting/interrupted', { since: Date.now() });
      must(Math.abs(done.since - over) < 1_000 || done.since < over, 'since is true', {
        since: done.since,
        over,
      });
    },
  },
  {
    name: 'daemon down across a death',
    run: async stage => {
      const { world, expect, whileDown } = stage;
      const [killed, exited] = [randomUUID(), randomUUID()];
      const one = await world.claude({ prompt: 'SLEEP 30000 SAY late', args: ['--session-id', killed] });
      const two = await world.claude({ prompt: 'SAY two', args: ['--session-id', exited] });
      await expect('working', { id: killed, by: ['ready'] });
      await expect('waiting/stopped', { id: exited, by: ['ready', 'working'] });
      await two.ready();
      let over = 0;
      await whileDown(async () => {
        const pids = [await one.pid(), await two.pid()];
        process.kill(pids[0] as number, 'SIGKILL');
        await two.type('/exit');
        for (const pid of pids) await gone(pid);
        over = Date.now();
        await pauseFor(1_500);
      });
      const since = Date.now();
      await expect('ended/killed', { id: killed, since, within: 2_000 });
      const left = await expect('ended/exit', { id: exited, since });
      must(left.since <= over + late, 'since is when it left', { since: left.since, over });
    },
  },
  {
    name: 'daemon down across a start',
    run: async stage => {
      const { world, expect, whileDown } = stage;
      const [fresh, asking] = [randomUUID(), randomUUID()];
      let over = 0;
      await whileDown(async () => {
        // A start would bring the daemon back.
        await rm(join(world.droverHome, 'autostart'), { force: true });
        const one = await world.claude({ args: ['--session-id', fresh] });
        const two = await world.claude({ prompt: 'RUN touch made', args: ['--session-id', asking] });
        await two.asks('Do you want to proceed?');
        await one.ready();
        over = Date.now();
        await pauseFor(1_500);
      });
      const since = Date.now();
      const ready = await expect('ready', { id: fresh, since });
      const asks = await expect('waiting/permission', { id: asking, since });
      must(Math.max(ready.since, asks.since) <= over + late, 'the times are true', [
        ready.since,
        asks.since,
        over,
      ]);
      must(asks.detail?.tool === 'Bash' && asks.pane !== null, 'it says what is asked', asks);
    },
  },
];
