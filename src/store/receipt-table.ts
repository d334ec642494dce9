/** The last state of every message. Rows are kept longer than their events, so that a receipt stays readable. */
import { messageOf } from '../session/message/earlier-message.ts';
import { isOpen, type MessageState } from '../session/message/message.ts';
import { objectOf, type UnreadableRows } from './safe-rows.ts';
import type { Database, Statement } from './sqlite.ts';

export class ReceiptTable {
  private readonly put: Statement;

  constructor(
    private readonly db: Database,
    private readonly unreadable: UnreadableRows,
  ) {
    this.put = db.prepare(
      `INSERT INTO message VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET session_id = excluded.session_id, open = excluded.open, body = excluded.body`,
    );
  }

  save(message: MessageState): void {
    const { id, sessionId, key, queuedAt } = message;
    this.put.run(id, sessionId, key, isOpen(message) ? 1 : 0, queuedAt, JSON.stringify(message));
  }

  read(id: string): MessageState | null {
    return this.first('SELECT id, body FROM message WHERE id = ?', id);
  }

  byKey(sessionId: string, key: string): MessageState | null {
    return this.first('SELECT id, body FROM message WHERE session_id = ? AND key = ?', sessionId, key);
  }

  hasKey(key: string): boolean {
    return this.first('SELECT id, body FROM message WHERE key = ? LIMIT 1', key) !== null;
  }

  /** The newest messages of a session, oldest first. */
  ofSession(sessionId: string, limit: number): MessageState[] {
    return this.all(
      'SELECT id, body FROM message WHERE session_id = ? ORDER BY at DESC, rowid DESC LIMIT ?',
      sessionId,
      limit,
    ).toReversed();
  }

  /** Open messages, oldest first. */
  open(): MessageState[] {
    return this.all('SELECT id, body FROM message WHERE open = 1 ORDER BY at, rowid');
  }

  removeOf(sessionId: string): void {
    this.db.prepare('DELETE FROM message WHERE session_id = ?').run(sessionId);
  }

  removeBefore(time: number): void {
    this.db.prepare('DELETE FROM message WHERE at < ? AND open = 0').run(time);
  }

  private first(query: string, ...values: (string | number)[]): MessageState | null {
    return this.all(query, ...values)[0] ?? null;
  }

  private all(query: string, ...values: (string | number)[]): MessageState[] {
    const rows = this.db.prepare(query).all(...values) as { id: string; body: string }[];
    return rows.flatMap(
      ({ id, body }) =>
        this.unreadable.attempt('message', id, () => messageOf(objectOf(body) as MessageState)) ?? [],
    );
  }
}
