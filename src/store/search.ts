/**
 * The full-text index over prompts and answers, in a separate database: it contains people's words, so turning it off deletes
 * the file. A transcript's rows have numbers in one range, by which they are found when it is gone. Later transcripts have
 * higher numbers, so reading numbers downwards goes from new to old without sorting.
 */
import { rmSync } from 'node:fs';
import { Connection, type OnError } from './connection.ts';
import { integer } from './safe-rows.ts';
import { isDamage } from './sqlite-error.ts';
import { type Database, openDatabase } from './sqlite.ts';

/** Rows that one transcript can have. */
const span = 2 ** 20;

/** A transcript in the index. */
export interface Doc {
  doc: number;
  session: string;
  path: string;
  /** Bytes of it that have been read. */
  read: number;
  rows: number;
  /** It was forgotten on request, and must not be read again. */
  forgotten: number;
}

export interface Hit {
  session: string;
  path: string;
  /** The words around what was found. */
  text: string;
}

export class SearchIndex {
  private constructor(
    private readonly db: Connection,
    private readonly file: string,
  ) {}

  /** Opens the index. One that is damaged is moved aside, and a new one is filled from the transcripts. */
  static async open(file: string, onError: OnError = () => {}): Promise<SearchIndex> {
    return new SearchIndex(await Connection.open({ file, prepare, onError }), file);
  }

  docs(): Doc[] {
    return this.db.prepare(`SELECT ${columns} FROM doc`).all() as Doc[];
  }

  /** The row of a transcript; made when it is new. */
  docOf(session: string, path: string): Doc {
    this.db.prepare('INSERT OR IGNORE INTO doc (session, path) VALUES (?, ?)').run(session, path);
    return this.db.prepare(`SELECT ${columns} FROM doc WHERE path = ?`).get(path) as Doc;
  }

  /** Adds texts, and records how far the transcript has been read. */
  add({ doc, rows }: Doc, texts: string[], read: number): void {
    const put = this.db.prepare('INSERT INTO said (rowid, text) VALUES (?, ?)');
    this.db.transaction(() => {
      let row = rows;
      for (const text of texts.slice(0, span - 1 - rows)) put.run(doc * span + row++, text);
      this.db.prepare('UPDATE doc SET read = ?, rows = ? WHERE doc = ?').run(read, row, doc);
    });
  }

  /** Removes the rows of a transcript that is gone or was rewritten. */
  remove(doc: Doc): void {
    this.db.transaction(() => {
      this.clear(doc);
      this.db.prepare('DELETE FROM doc WHERE doc = ?').run(doc.doc);
    });
  }

  /** Removes sessions permanently, although their transcripts still exist. */
  forget(wanted: (doc: Doc) => boolean): void {
    this.db.transaction(() => {
      for (const doc of this.docs().filter(wanted)) {
        this.clear(doc);
        this.db.prepare('UPDATE doc SET forgotten = 1, rows = 0 WHERE doc = ?').run(doc.doc);
      }
    });
    this.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** Returns the newest transcripts that contain all of this, one hit each. */
  find(query: string, limit: number): Hit[] {
    const wanted = matchOf(query);
    if (wanted === null) return [];
    const matches = this.db.prepare('SELECT rowid AS row FROM said WHERE said MATCH ? ORDER BY rowid DESC');
    const source = this.db.prepare('SELECT session, path FROM doc WHERE doc = ?');
    const said = this.db.prepare('SELECT text FROM said WHERE rowid = ?');
    const hits: Hit[] = [];
    let last = -1;
    for (const { row } of matches.iterate(wanted) as Iterable<{ row: number }>) {
      const doc = Math.floor(row / span);
      if (doc === last) continue;
      last = doc;
      const of = source.get(doc) as { session: string; path: string } | undefined;
      const { text } = said.get(row) as { text: string };
      if (of) hits.push({ ...of, text: excerptOf(text, query) });
      if (hits.length === limit) break;
    }
    return hits;
  }

  close(): void {
    this.db.close();
  }

  /** Closes it and deletes the file. */
  destroy(): void {
    this.db.close();
    SearchIndex.delete(this.file);
  }

  /** Deletes an index that nobody has opened. */
  static delete(file: string): void {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  }

  private clear({ doc }: Doc): void {
    this.db.prepare('DELETE FROM said WHERE rowid >= ? AND rowid < ?').run(doc * span, (doc + 1) * span);
  }
}

/** Says why SQLite cannot read an index; null when it can. */
export const searchProblem = async (file: string): Promise<string | null> => {
  let db: Database | null = null;
  try {
    db = await openDatabase(file, { readOnly: true });
    const [found] = db.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
    const problem = found?.quick_check ?? 'ok';
    // SQLite puts the database and the page on separate lines.
    return problem === 'ok' ? null : problem.replace(/^\*\*\*.*\*\*\*\n/, '').replaceAll('\n', '; ');
  } catch (error) {
    return isDamage(error) ? (error as Error).message : null;
  } finally {
    db?.close();
  }
};

const columns = `doc, session, path, ${['read', 'rows', 'forgotten'].map(name => integer(name)).join(', ')}`;

const prepare = (db: Database): void => {
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA busy_timeout = 250;
    PRAGMA journal_size_limit = 16000000;
    PRAGMA secure_delete = ON;
    CREATE TABLE IF NOT EXISTS doc (
      doc INTEGER PRIMARY KEY AUTOINCREMENT,
      session TEXT NOT NULL,
      path TEXT NOT NULL UNIQUE,
      read INTEGER NOT NULL DEFAULT 0,
      rows INTEGER NOT NULL DEFAULT 0,
      forgotten INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX IF NOT EXISTS doc_session ON doc (session);
    CREATE VIRTUAL TABLE IF NOT EXISTS said USING fts5(text, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2');
  `);
  // Without it a deleted row's words stay in the index until its pages are merged.
  db.exec(`INSERT INTO said (said, rank) VALUES ('secure-delete', 1)`);
};

/** Every word must occur; `begin*` is a prefix, words in quotes are a phrase. Null for an empty query. */
const matchOf = (query: string): string | null => {
  const words = (query.match(/"[^"]+"|[^\s"]+/g) ?? [])
    .map(part => ({ word: part.replaceAll(/["*]/g, ' ').trim(), begins: /^[^"]+\*$/.test(part) }))
    .filter(({ word }) => /[\p{L}\p{N}]/u.test(word))
    .map(({ word, begins }) => `"${word}"${begins ? '*' : ''}`);
  return words.length ? words.join(' AND ') : null;
};

/** A piece of a text around the first word of a query, on one line. */
const excerptOf = (text: string, query: string): string => {
  const word = /[\p{L}\p{N}]+/u.exec(query)?.[0] ?? '';
  const at = Math.max(0, text.toLowerCase().indexOf(word.toLowerCase()));
  const from = at < 60 ? 0 : at - 40;
  const piece = text
    .slice(from, from + 200)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${from > 0 ? '…' : ''}${piece}${from + 200 < text.length ? '…' : ''}`;
};
