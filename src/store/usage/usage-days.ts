/** Sums of tokens by local day, session and model. */
import type { Connection } from '../connection.ts';
import { noTokens, tokenColumns, type TokenSums } from './usage-sums.ts';

export type Tokens = Omit<TokenSums, 'messages'>;

/** Collects what messages add to days and take from them, and writes it at once. */
export class DayChanges {
  private readonly days = new Map<string, { key: [number, number, number]; sums: TokenSums }>();

  /** Counts a message in (1) or out (-1). */
  count(at: number, session: number, model: number, tokens: Tokens, sign: 1 | -1): void {
    const key: [number, number, number] = [dayNumber(at), session, model];
    const name = key.join(' ');
    const entry = this.days.get(name) ?? { key, sums: noTokens() };
    entry.sums.messages += sign;
    for (const column of tokenColumns) entry.sums[column] += sign * tokens[column];
    this.days.set(name, entry);
  }

  write(db: Connection): void {
    for (const { key, sums } of this.days.values()) addToDay(db, key, sums);
  }
}

const addToDay = (db: Connection, key: [number, number, number], sums: TokenSums): void => {
  db.prepare(
    `INSERT INTO day VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        messages = messages + excluded.messages,
        ${tokenColumns.map(column => `${column} = ${column} + excluded.${column}`).join(', ')}`,
  ).run(...key, sums.messages, ...tokenColumns.map(column => sums[column]));
  if (sums.messages < 0)
    db.prepare('DELETE FROM day WHERE day = ? AND session = ? AND model = ? AND messages = 0').run(...key);
};

/** Returns the local date as a number: 20260131. */
export const dayNumber = (at: number): number => {
  const date = new Date(at);
  return date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate();
};

/** Adds up the days again from the messages: all of them, or those until this one. */
export const refillDays = (db: Connection, until: number | null): void => {
  const those = (day: string): string => (until === null ? '' : `WHERE ${day} <= ${until}`);
  db.exec(`DELETE FROM day ${those('day')};
    INSERT INTO day SELECT ${dayOfMessage} AS day, session, model, count(*),
      ${tokenColumns.map(column => `sum(${column})`).join(', ')} FROM message
      ${those(dayOfMessage)} GROUP BY 1, session, model`);
};

const dayOfMessage = "CAST(strftime('%Y%m%d', at / 1000, 'unixepoch', 'localtime') AS INTEGER)";
