/**
 * Commands of other hosts that were executed, in a separate database beside the membership: a command that arrives twice is
 * not executed twice, also across a restart.
 */
import type { Clock } from '../clock.ts';
import { Connection, type OnError } from './connection.ts';
import type { Database } from './sqlite.ts';

export class CommandKeyStore {
  private constructor(private readonly db: Connection) {}

  static async open(file: string, onError: OnError, clock: Clock): Promise<CommandKeyStore> {
    return new CommandKeyStore(await Connection.open({ file, prepare, onError, clock }));
  }

  /**
   * Stores a new key and returns null; for a known one returns the answer that it got, as JSON (null: none yet). A known one is
   * new again if it expired before `repeatable` and this command expires later: its host has sent another command with it.
   */
  take(host: string, key: string, expires: number, repeatable: number): { answer: string | null } | null {
    const { changes } = this.db
      .prepare(
        `INSERT INTO command (host, key, expires) VALUES (?, ?, ?)
          ON CONFLICT DO UPDATE SET expires = excluded.expires, answer = NULL
          WHERE expires < ? AND expires < excluded.expires`,
      )
      .run(host, key, expires, repeatable);
    if (Number(changes) > 0) return null;
    // The key is known for as long as any command with it is valid.
    this.db
      .prepare('UPDATE command SET expires = max(expires, ?) WHERE host = ? AND key = ?')
      .run(expires, host, key);
    const row = this.db.prepare('SELECT answer FROM command WHERE host = ? AND key = ?').get(host, key) as
      | { answer: string | null }
      | undefined;
    return { answer: row?.answer ?? null };
  }

  answered(host: string, key: string, answer: string): void {
    this.db.prepare('UPDATE command SET answer = ? WHERE host = ? AND key = ?').run(answer, host, key);
  }

  /** Removes the answers of commands that expired before this time: nobody may ask for them again. */
  removeAnswersBefore(time: number): void {
    this.db.prepare('UPDATE command SET answer = NULL WHERE expires < ? AND answer IS NOT NULL').run(time);
  }

  /** Removes the keys of commands that expired before this time. */
  removeBefore(time: number): void {
    this.db.prepare('DELETE FROM command WHERE expires < ?').run(time);
  }

  close(): void {
    this.db.close();
  }
}

const prepare = (db: Database): void => {
  // NORMAL may lose the last keys in a power failure. Their commands have expired before the machine is up again.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  db.exec(`CREATE TABLE IF NOT EXISTS command (
    host TEXT NOT NULL, key TEXT NOT NULL, expires INTEGER NOT NULL, answer TEXT, PRIMARY KEY (host, key)
  ) WITHOUT ROWID`);
};
