/** Held permissions of the real CLI, answered over HTTP one after another: how fast, and what is left of it. */
import type { SessionPage } from '../src/contract/api.ts';
import { type Version, versions } from '../test/rig/cli.ts';
import { waitersOf } from '../test/rig/process.ts';
import { until } from '../test/rig/within.ts';
import { openWorld } from '../test/rig/world.ts';
import { median, ms, percentile, type Row } from './figures.ts';

const times = 100;
const dialog = 'Do you want to proceed?';

export const answerRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const version of versions) rows.push(...(await answered(version)));
  return rows;
};

const answered = async (version: Version): Promise<Row[]> => {
  const world = await openWorld({ version });
  try {
    await world.drover('setup');
    const { url, token } = await world.daemon();
    const seat = await world.claude();
    await seat.ready();
    const { sessionId } = await seat.file(file => file.status === 'idle');
    await world.drover('hold', sessionId);
    const at = `${url}/sessions/${sessionId}`;
    const headers = { Authorization: `Bearer ${token}` };
    const seen: number[] = [];
    await seat.type(`LINGER 300 TIMES ${times} touch made`);
    for (let n = 1; n <= times; n++) {
      const command = `touch made-${n}`;
      await until(
        20_000,
        () => `${command} is not held`,
        async () => {
          const { pending } = (await (await fetch(at, { headers })).json()) as SessionPage;
          return pending?.input.command === command || undefined;
        },
      );
      const shows = new RegExp(`${command}\\s[\\s\\S]*${dialog.replace('?', '\\?')}`);
      await seat.sees(shows);
      const began = performance.now();
      const body = JSON.stringify({ behavior: 'allow' });
      const sent = fetch(`${at}/answer`, { method: 'POST', headers, body });
      while ((await seat.screen()).includes(dialog)) if (performance.now() - began > 10_000) break;
      seen.push(performance.now() - began);
      if ((await sent).status !== 200) throw new Error(`${command}: ${await (await sent).text()}`);
    }
    await seat.sees(/● done\s/);
    const left = (await waitersOf(world.root)).length;
    const [p50, p95] = [median(seen), percentile(seen, 95)];
    return [
      {
        what: `answer over HTTP -> dialog closed on the screen, Claude Code ${version}, ${times} permissions`,
        target: '<= 150 ms',
        seen: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
        met: p50 <= 150,
      },
      {
        what: `hooks that still wait after ${times} answered permissions, Claude Code ${version}`,
        target: '0',
        seen: String(left),
        met: left === 0,
      },
    ];
  } finally {
    await world.close();
  }
};
