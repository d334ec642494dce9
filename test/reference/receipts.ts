/** Messages of a daemon that was killed: what the next one makes of each, when their session is gone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Receipt } from '../../src/contract/hub.ts';
import { openDatabase } from '../../src/store/sqlite.ts';
import { hubOf } from '../rig/hub.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';
import { fileOf } from './corpus.ts';
import { unpackDatabase } from './database.ts';
import { renamed } from './renames.ts';

/** What a killed daemon left of a message, and what the next one says of it. */
export interface ReceiptOutcome {
  left: string;
  receipt: object;
  session: { state: string; reason: string | null };
}

export const databaseOf = (status: string): string => fileOf(`receipts/${status}.db.gz`);
export const receiptsFile = fileOf('receipts/outcome.jsonl');

export const expectedReceipts = (): Record<string, ReceiptOutcome[]> =>
  Object.fromEntries(
    readFileSync(receiptsFile, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as { status: string; outcome: ReceiptOutcome[] })
      .map(({ status, outcome }) => [status, renamed(outcome) as ReceiptOutcome[]]),
  );

/** Starts a daemon over the database of a status and returns how to read what it makes of its messages. */
export const startOver = async (world: World, status: string): Promise<() => Promise<ReceiptOutcome[]>> => {
  await unpackDatabase(world, databaseOf(status));
  const left = await leftIn(world);
  const hub = await hubOf(world);
  return () =>
    Promise.all(
      left.map(async before => {
        const { body: receipt } = await hub.ask<Receipt>('GET', `/messages/${before.id}`);
        const { body: session } = await hub.ask('GET', `/sessions/${before.sessionId}`);
        const { state, reason } = session;
        return { left: before.status, receipt: timeless(receipt, before), session: { state, reason } };
      }),
    );
};

/** Reads until all is as expected; what still differs after a while is returned as it is. */
export const settledReceipts = async (
  read: () => Promise<ReceiptOutcome[]>,
  expected: ReceiptOutcome[] | undefined,
): Promise<ReceiptOutcome[]> => {
  let last = await read();
  await until(
    10_000,
    () => 'something differs',
    async () => {
      last = await read();
      return isDeepStrictEqual(last, expected) || undefined;
    },
  ).catch(() => {});
  return last;
};

/** The messages in the database, oldest first, as the daemon left them. */
const leftIn = async (world: World): Promise<Receipt[]> => {
  const db = await openDatabase(join(world.droverHome, 'drover.db'), { readOnly: true });
  const rows = db.prepare('SELECT body FROM message ORDER BY at, rowid').all() as { body: string }[];
  db.close();
  return rows.map(({ body }) => JSON.parse(body) as Receipt);
};

/** A receipt with words instead of times: the one it had, or one that the new daemon gave it. */
const timeless = (receipt: Receipt, before: Receipt): object =>
  Object.fromEntries(
    Object.entries(receipt).map(([key, value]) => {
      if (!key.endsWith('At') || typeof value !== 'number') return [key, value];
      return [key, value === before[key as keyof Receipt] ? 'as it was' : 'now'];
    }),
  );
