/**
 * Reads rows that may contain anything. SQLite stores 64-bit integers, and reading one above 2^53 throws, so integers are
 * clamped in the query. A row that still cannot be read is skipped, counted and reported.
 */

/** Selects an integer column, clamped to safe integers. */
export const integer = (column: string): string =>
  `max(0, min(coalesce(${column}, 0), ${Number.MAX_SAFE_INTEGER})) AS ${column}`;

/** The same for a nullable column. */
export const maybeInteger = (column: string): string =>
  `max(0, min(${column}, ${Number.MAX_SAFE_INTEGER})) AS ${column}`;

/** Rows that could not be read, each counted once. */
export class UnreadableRows {
  private readonly rows = new Set<string>();

  constructor(private readonly onError: (message: string, error: unknown) => void) {}

  get count(): number {
    return this.rows.size;
  }

  /** Returns the result of `read`, or null when it fails. */
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
    if (this.rows.has(row) || this.rows.size >= maxRows) return;
    this.rows.add(row);
    this.onError(`Skipped row ${row}, which cannot be read`, error);
  }
}

/** Beyond this, rows are only counted. */
const maxRows = 10_000;

/** Returns the text of a column; throws when it is not text. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  throw new TypeError(`expected text, found ${value === null ? 'null' : typeof value}`);
};

/** Returns the JSON object in a column; throws when it is not one. */
export const objectOf = (value: unknown): object => {
  const parsed: unknown = JSON.parse(textOf(value));
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new TypeError('expected a JSON object');
};

/** Returns the time in a column, ms; throws when it is not a valid date. */
export const timeOf = (value: number): number => {
  if (value <= 8.64e15) return value;
  throw new RangeError(`${value} is not a time`);
};
