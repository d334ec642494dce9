/** `npm run reference receipts`: records the databases of daemons that were killed, and what the next daemon makes of them. */
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { newest } from '../rig/cli.ts';
import { until } from '../rig/within.ts';
import { openWorld, type World } from '../rig/world.ts';
import { packDatabase } from './database.ts';
import { statuses } from './receipt-statuses.ts';
import { databaseOf, type ReceiptOutcome, receiptsFile, startOver } from './receipts.ts';

const version = newest;

export const recordReceipts = async (): Promise<void> => {
  const lines: string[] = [];
  for (const [status, bring] of Object.entries(statuses)) {
    await inWorld(async world => {
      await bring(world);
      await packDatabase(world, databaseOf(status));
    });
    const outcome = await inWorld(settled(status));
    console.log(
      `${status}: ${outcome.map(({ left, receipt }) => `${left} ${JSON.stringify(receipt)}`).join('; ')}`,
    );
    lines.push(`${JSON.stringify({ status, outcome })}\n`);
  }
  writeFileSync(receiptsFile, lines.join(''));
};

const settled =
  (status: string) =>
  async (world: World): Promise<ReceiptOutcome[]> => {
    const read = await startOver(world, status);
    let last = await read();
    return until(
      60_000,
      () => 'the receipts go on changing',
      async () => {
        await pauseFor(5_000);
        const before = last;
        last = await read();
        return isDeepStrictEqual(before, last) ? last : undefined;
      },
    );
  };

const inWorld = async <T>(work: (world: World) => Promise<T>): Promise<T> => {
  const world = await openWorld({ version });
  try {
    return await work(world);
  } finally {
    await world.close();
  }
};
