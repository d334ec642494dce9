/** What became of every message: a view of the message events, kept so that a receipt is readable later. */
import type { Receipt } from '../contract/hub.ts';
import { objectOf, type UnreadableRows } from './safe-rows.ts';
import type { Database, Statement } from './sqlite.ts';

/** A receipt with what its delivery still needs. */
export interface Message extends Receipt {
  /** What to type; null once it is over. */
  text: string | null;
  as: 'text' | 'command';
  force: boolean;
  /** The caller's own name for it: the same one again is the same message. */
  key: string | null;
  /** A digest of what was asked under that name. */
  digest: string;
  /** The log as it was when typing began: what is newer may be its doing. */
  typingSeq: number | null;
  /** It was typed while the session worked: the CLI takes it up when it likes, perhaps within the turn that runs. */
  carried: boolean;
}

export class ReceiptTable {
  private readonly put: Statement;

  constructor(
    private readonly db: Database,
    private readonly unreadable: UnreadableRows,
  ) {
    this.put = db.prepare('INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?, ?)');
  }

  save(message: Message): void {
    const open = message.text === null ? 0 : 1;
    this.put.run(message.id, message.sessionId, message.key, open, message.queuedAt, JSON.stringify(message));
  }

  read(id: string): Message | null {
    return this.first('SELECT id, body FROM message WHERE id = ?', id);
  }

  byKey(sessionId: string, key: string): Message | null {
    return this.first('SELECT id, body FROM message WHERE session_id = ? AND key = ?', sessionId, key);
  }

  hasKey(key: string): boolean {
    return this.first('SELECT id, body FROM message WHERE key = ? LIMIT 1', key) !== null;
  }

  /** The newest messages of a session, oldest first. */
  ofSession(sessionId: string, most: number): Message[] {
    return this.all(
      'SELECT id, body FROM message WHERE session_id = ? ORDER BY at DESC, rowid DESC LIMIT ?',
      sessionId,
      most,
    ).toReversed();
  }

  /** Messages that are not over, oldest first. */
  open(): Message[] {
    return this.all('SELECT id, body FROM message WHERE open = 1 ORDER BY at, rowid');
  }

  removeOf(sessionId: string): void {
    this.db.prepare('DELETE FROM message WHERE session_id = ?').run(sessionId);
  }

  removeBefore(time: number): void {
    this.db.prepare('DELETE FROM message WHERE at < ? AND open = 0').run(time);
  }

  private first(query: string, ...values: (string | number)[]): Message | null {
    return this.all(query, ...values)[0] ?? null;
  }

  private all(query: string, ...values: (string | number)[]): Message[] {
    const rows = this.db.prepare(query).all(...values) as { id: string; body: string }[];
    return rows.flatMap(
      ({ id, body }) => this.unreadable.attempt('message', id, () => objectOf(body) as Message) ?? [],
    );
  }
}
