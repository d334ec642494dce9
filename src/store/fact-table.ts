/** Small facts about the store, as JSON by name, kept across restarts. */
import { objectOf, type UnreadableRows } from './safe-rows.ts';
import type { Database } from './sqlite.ts';

export class FactTable {
  constructor(
    private readonly db: Database,
    private readonly unreadable: UnreadableRows,
  ) {}

  /** Returns the fact of this name; null when there is none, or it cannot be read. */
  read(name: string): object | null {
    const row = this.db.prepare('SELECT value FROM fact WHERE name = ?').get(name) as
      | { value: string }
      | undefined;
    return row ? this.unreadable.attempt('fact', name, () => objectOf(row.value)) : null;
  }

  /** Replaces the fact of this name. */
  save(name: string, value: object): void {
    this.db.prepare('INSERT OR REPLACE INTO fact VALUES (?, ?)').run(name, JSON.stringify(value));
  }
}
