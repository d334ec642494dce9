/** What happens inside a turn. */
import type { Scenario } from './scenario.ts';

export const turns: Scenario[] = [
  {
    name: 'start, prompt, stop',
    run: async ({ world, expect }) => {
      const seat = await world.claude();
      await expect('ready');
      await seat.ready();
      await seat.type('SLEEP 500 SAY hello');
      await expect('working');
      const done = await expect('waiting/stopped');
      if (done.detail?.line !== 'hello') throw new Error(`detail is ${JSON.stringify(done.detail)}`);
      if (done.pane?.id !== seat.pane || done.hooks !== 'live')
        throw new Error(`pane or hooks: ${JSON.stringify(done)}`);
    },
  },
  {
    name: 'permission asked, approved',
    run: async ({ world, expect }) => {
      const seat = await world.claude({ prompt: 'RUN touch made; sleep 1' });
      await expect('working', { by: ['ready'] });
      const asks = await expect('waiting/permission');
      if (asks.detail?.tool !== 'Bash' || !asks.detail.line.includes('touch made'))
        throw new Error(JSON.stringify(asks.detail));
      await seat.asks('Do you want to proceed?');
      await seat.press('Enter');
      await expect('working');
      await expect('waiting/stopped');
    },
  },
];
