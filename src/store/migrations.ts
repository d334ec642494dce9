/** The schema, one step per version. Steps are never edited, only added. */
import { DroverError } from '../contract/error.ts';
import { type Database, transaction } from './sqlite.ts';

const steps = [
  `
  CREATE TABLE event (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    source TEXT NOT NULL,
    name TEXT NOT NULL,
    session_id TEXT,
    context TEXT,
    raw BLOB NOT NULL
  );
  CREATE INDEX event_session ON event (session_id, seq);
  CREATE TABLE taken (key TEXT PRIMARY KEY, seen INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE session (id TEXT PRIMARY KEY, live INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE tally (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO tally VALUES ('events', 0), ('bytes', 0), ('folded', 0), ('gone', 0);
  `,
  `
  CREATE TABLE wait (
    session_id TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    reason TEXT NOT NULL,
    project TEXT,
    answered INTEGER NOT NULL,
    PRIMARY KEY (session_id, since)
  ) WITHOUT ROWID;
  CREATE INDEX wait_until ON wait (until);
  `,
  `
  CREATE TABLE message (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    key TEXT,
    open INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX message_session ON message (session_id, key);
  CREATE INDEX message_open ON message (open, at);
  `,
  `
  CREATE TABLE wake (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    open INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (agent, session_id, kind, key)
  );
  CREATE INDEX wake_open ON wake (open, at);
  CREATE INDEX wake_session ON wake (session_id);
  CREATE TABLE capture (session_id TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  CREATE TABLE span (
    session_id TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    project TEXT,
    PRIMARY KEY (session_id, since)
  ) WITHOUT ROWID;
  CREATE INDEX span_until ON span (until);
  `,
  `
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    session_id TEXT,
    caller TEXT NOT NULL,
    caller_name TEXT,
    caller_session TEXT,
    request INTEGER,
    tool TEXT,
    hash TEXT,
    result TEXT NOT NULL,
    text TEXT,
    message TEXT
  );
  CREATE INDEX audit_session ON audit (session_id, seq);
  CREATE INDEX audit_at ON audit (at);
  `,
  `
  CREATE TABLE volume (
    session_id TEXT PRIMARY KEY,
    events INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) WITHOUT ROWID;
  INSERT INTO volume SELECT session_id, count(*), sum(length(raw)) FROM event
    WHERE session_id IS NOT NULL GROUP BY session_id;
  CREATE TRIGGER event_added AFTER INSERT ON event WHEN NEW.session_id IS NOT NULL BEGIN
    INSERT INTO volume VALUES (NEW.session_id, 1, length(NEW.raw))
      ON CONFLICT (session_id) DO UPDATE SET events = events + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER event_removed AFTER DELETE ON event WHEN OLD.session_id IS NOT NULL BEGIN
    UPDATE volume SET events = events - 1, bytes = bytes - length(OLD.raw) WHERE session_id = OLD.session_id;
    DELETE FROM volume WHERE session_id = OLD.session_id AND events <= 0;
  END;
  CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  DELETE FROM wait WHERE max(since, until) > 8640000000000000;
  DELETE FROM span WHERE max(since, until) > 8640000000000000;
  `,
  `
  CREATE TABLE change (
    seq INTEGER NOT NULL,
    path TEXT NOT NULL,
    session_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    turn INTEGER,
    tool TEXT NOT NULL,
    is_new INTEGER NOT NULL,
    added INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    is_cut INTEGER NOT NULL,
    patch TEXT,
    UNIQUE (seq, path)
  );
  CREATE INDEX change_session ON change (session_id, seq, bytes);
  CREATE INDEX change_at ON change (at, tool, path, session_id);
  CREATE INDEX change_path ON change (path, at);
  CREATE TABLE collision (
    path TEXT NOT NULL,
    one TEXT NOT NULL,
    other TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (path, one, other)
  ) WITHOUT ROWID;
  `,
];

export const schemaVersion = steps.length;

/** Migrates the database to this version. Rejects a newer one without touching it. */
export const migrate = (db: Database): void => {
  const version = Number((db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version);
  if (version > schemaVersion)
    throw new DroverError(
      'newer_database',
      `The database has version ${version}; this Drover supports up to version ${schemaVersion}.`,
    );
  for (let step = version; step < schemaVersion; step++) {
    transaction(db, () => {
      db.exec(stepOf(db, step));
      db.exec(`PRAGMA user_version = ${step + 1}`);
    });
  }
};

/** There were two versions of the fourth step. A database that has one of them still needs the other. */
const stepOf = (db: Database, step: number): string => {
  const isOther = step === 4 && hasTable(db, 'span');
  return steps[isOther ? 3 : step] as string;
};

const hasTable = (db: Database, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;
