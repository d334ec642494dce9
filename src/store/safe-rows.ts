/**
 * Reading rows that anything may have been written to. SQLite keeps 64-bit integers, and reading one past 2^53 throws, so
 * integers are clamped in the query. A row that still cannot be read is left out, counted and reported.
 */

/** An integer column, clamped to what JavaScript can hold. */
export const integer = (column: string): string =>
  `max(0, min(coalesce(${column}, 0), ${Number.MAX_SAFE_INTEGER})) AS ${column}`;

/** The same for a column that may be empty. */
export const maybeInteger = (column: string): string =>
  `max(0, min(${column}, ${Number.MAX_SAFE_INTEGER})) AS ${column}`;

/** Rows that could not be read, each counted once. */
export class UnreadableRows {
  private readonly rows = new Set<string>();

  constructor(private readonly onError: (message: string, error: unknown) => void) {}

  get count(): number {
    return this.rows.size;
  }

  /** Returns what `read` makes of a row, or null when that fails. */
  attempt<T>(table: string, key: unknown, read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      this.note(table, key, error);
      return null;
    }
  }

  private note(table: string, key: unknown, error: unknown): void {
    const row = `${table} ${String(key)}`;
    if (this.rows.has(row) || this.rows.size >= rowsAtMost) return;
    this.rows.add(row);
    this.onError(`Skipped row ${row}, which cannot be read`, error);
  }
}

/** More are not told apart: the count says enough. */
const rowsAtMost = 10_000;

/** The text of a column; throws when it holds something else. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  throw new TypeError(`expected text, found ${value === null ? 'null' : typeof value}`);
};

/** The JSON object in a column; throws when it is not one. */
export const objectOf = (value: unknown): object => {
  const parsed: unknown = JSON.parse(textOf(value));
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new TypeError('expected a JSON object');
};

/** The time in a column, ms; throws for one that no calendar has. */
export const timeOf = (value: number): number => {
  if (value <= 8.64e15) return value;
  throw new RangeError(`${value} is not a time`);
};
