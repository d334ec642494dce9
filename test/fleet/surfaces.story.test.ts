/** What a person sees of other hosts, and does there: in `drover ls`, on the board, in tmux and on the page. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/limits.ts';
import { chromiumPath, seriousFindings } from '../rig/browser.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { brokerOfTest, fleetAt, noFleet } from '../rig/fleet.ts';
import { openPage } from '../rig/page.ts';
import { screenOf } from '../rig/screen.ts';
import { awaitOption } from '../rig/terminal.ts';
import { until } from '../rig/within.ts';

const accept = 'read,queue,answer,drive';

/** A laptop that sees devbox, where a session asks for permission to run `touch made`. */
const withDevbox = async () => {
  const broker = await brokerOfTest();
  const { laptop, join: joined } = await fleetAt(newest, [broker.url]);
  const devbox = await joined('devbox', { accept, config: { drive: 'all' } });
  const seat = await devbox.world.claude({ prompt: 'RUN touch made' });
  await seat.asks('Do you want to proceed?');
  await laptop.sees(({ host, reason }) => host === 'devbox' && reason === 'permission');
  const made = join(devbox.world.dir(), 'made');
  const isMade = () =>
    until(
      10_000,
      () => `${made} is not there`,
      () => existsSync(made) || undefined,
    );
  return { laptop, devbox, broker, isMade };
};

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  test('ls, board and tmux show a session of another host; the board answers it, and shows when the host is away', {
    timeout: 120_000,
  }, async () => {
    const { laptop, devbox, broker, isMade } = await withDevbox();
    const { world } = laptop;
    await world.tmux(['new-session', '-d', '-s', 'desk', '-x', '160', '-y', '40', 'sh']);
    expect((await world.drover('setup', '--tmux')).code).toBe(0);
    await awaitOption(world, '@drover_fleet', '1', { ms: 15_000 });

    const ls = async (...words: string[]) => (await world.drover('ls', ...words)).stdout;
    expect(await ls()).toMatch(/host[\s\S]*needs approval +\S+ s +devbox/);
    expect(await ls('host:devbox')).toContain('Bash: touch made');
    expect(await ls('host:local')).toContain('No matching sessions');
    expect(await ls('--local')).not.toContain('devbox');
    expect(JSON.parse(await ls('--json'))).toMatchObject({
      sessions: [{ host: 'devbox', pane: null, fleet: { name: 'devbox', isAway: false } }],
    });

    const board = await screenOf(world, [process.execPath, MAIN], { rows: 30 });
    await board.sees(/needs approval +\S+ s devbox[\s\S]*command: touch made/);
    // The screen of its pane is read from devbox.
    await board.sees(/on devbox[\s\S]*Do you want to proceed\?/);
    await board.press('a');
    await board.sees(/Allow Bash in project\?[\s\S]*Enter send/);
    await pauseFor(limits.board.confirmDelay);
    await board.press('Enter');
    await isMade();
    // So is its last message.
    await board.sees(/done +\S+ s devbox[\s\S]*Last message:\s+done/);
    await board.press('m');
    await board.sees('Message to');
    await board.paste('SAY from afar');
    await pauseFor(limits.keyboard.burstGap * 2);
    await board.press('Enter');
    await board.sees(/Last message:\s+from afar/);

    await devbox.hub.stop();
    await board.sees(/1 away[\s\S]*2 hosts, devbox away[\s\S]*away \S+ s +\S+ s devbox/);
    await board.press('m');
    await board.sees('devbox is away: no heartbeat for');
    expect(await ls()).toMatch(/away \S+ s .*devbox.*\(last: (?:done|idle)\)/);
    await awaitOption(world, '@drover_fleet', '', { ms: 15_000 });

    await broker.close();
    await board.sees('fleet unreachable since');
    expect(await ls()).toMatch(
      /Fleet unreachable since \d\d:\d\d\. Sessions of other hosts are shown as last known\./,
    );
    const doctor = await world.drover('doctor');
    expect(doctor.stdout).toMatch(/FAIL +fleet +.* has been unreachable/);
    expect((await world.drover('status')).stdout).toMatch(/fleet +UNREACHABLE for/);
  });

  test.skipIf(chromiumPath === undefined)(
    'the page on the laptop allows a request on devbox, and shows when devbox is away',
    {
      timeout: 120_000,
    },
    async () => {
      const { laptop, devbox, isMade } = await withDevbox();
      const { tab, sees } = await openPage(laptop.world);
      const row = tab.locator('.row', { hasText: 'needs approval' });
      await row.locator('.mark', { hasText: 'devbox' }).waitFor();
      await tab.locator('.fleet', { hasText: '2 hosts' }).waitFor();
      await row.click();
      await tab.getByRole('region', { name: 'Screen of the session on devbox' }).waitFor();
      // Its pane cannot be opened from here.
      await tab.getByText('More', { exact: true }).waitFor();
      expect(await tab.getByRole('button', { name: 'Go to pane' }).count()).toBe(0);
      await tab.keyboard.press('Enter');
      await sees(/The session runs on devbox\. `drover go \S+@devbox` opens it in your terminal\./);
      expect(await seriousFindings(tab)).toEqual([]);
      await tab.getByRole('button', { name: 'Allow once' }).click();
      await isMade();
      await tab.locator('.last-message', { hasText: 'done' }).waitFor();

      await tab.getByRole('combobox', { name: 'Host' }).selectOption('local');
      await sees('No matching sessions.');
      await tab.getByRole('combobox', { name: 'Host' }).selectOption('devbox');
      await tab.locator('.row', { hasText: 'devbox' }).click();
      await tab.getByLabel('Message to the session').fill('RUN touch more');
      await tab.getByRole('button', { name: 'Send' }).click();
      await tab.getByRole('button', { name: 'Allow once' }).waitFor();

      await devbox.hub.stop();
      await tab.locator('.fleet.trouble', { hasText: '2 hosts, devbox away' }).waitFor();
      await tab.locator('.row.stale', { hasText: '(last: needs approval)' }).waitFor();
      await sees('It can be answered here when that host is back.');
      expect(await tab.getByRole('button', { name: 'Allow once' }).count()).toBe(0);
      await sees(/devbox is away: no heartbeat for \S+ \S+\. Showing the last known state\./);
      expect(await seriousFindings(tab)).toEqual([]);
      await tab.getByLabel('Message to the session').fill('hello');
      expect(await tab.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    },
  );
});
