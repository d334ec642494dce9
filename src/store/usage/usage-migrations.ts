/** The schema of the usage database, one step per version. Steps are never edited, only added. */
import { DroverError } from '../../contract/error.ts';
import { type Database, transaction } from '../sqlite.ts';

const steps = [
  `
  CREATE TABLE file (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    read INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL UNIQUE,
    dir TEXT,
    -- Time of its newest message.
    last INTEGER NOT NULL DEFAULT 0,
    -- Messages before this time were forgotten and are never counted again.
    floor INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE model (id INTEGER PRIMARY KEY, model TEXT NOT NULL, tier TEXT NOT NULL, UNIQUE (model, tier));
  CREATE TABLE message (
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    session INTEGER NOT NULL,
    model INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cacheWrite5m INTEGER NOT NULL,
    cacheWrite1h INTEGER NOT NULL,
    cacheRead INTEGER NOT NULL,
    webSearches INTEGER NOT NULL,
    isCopy INTEGER NOT NULL
  );
  CREATE INDEX message_at ON message (at);
  CREATE TABLE day (
    day INTEGER NOT NULL,
    session INTEGER NOT NULL,
    model INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cacheWrite5m INTEGER NOT NULL,
    cacheWrite1h INTEGER NOT NULL,
    cacheRead INTEGER NOT NULL,
    webSearches INTEGER NOT NULL,
    PRIMARY KEY (day, session, model)
  ) WITHOUT ROWID;
  CREATE INDEX day_session ON day (session);
  CREATE TABLE bill (
    session INTEGER NOT NULL,
    model TEXT NOT NULL,
    at INTEGER NOT NULL,
    input INTEGER,
    output INTEGER,
    cacheWrite INTEGER,
    cacheRead INTEGER,
    cost REAL NOT NULL,
    PRIMARY KEY (session, model)
  ) WITHOUT ROWID;
  CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  -- When its first transcript was created, 0 where that is not known. Of two sessions that have a message, the older asked for it.
  ALTER TABLE session ADD COLUMN created INTEGER NOT NULL DEFAULT 0;
  -- The table of days without sessions, for reports by day and by model.
  CREATE TABLE total (
    day INTEGER NOT NULL,
    model INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cacheWrite5m INTEGER NOT NULL,
    cacheWrite1h INTEGER NOT NULL,
    cacheRead INTEGER NOT NULL,
    webSearches INTEGER NOT NULL,
    PRIMARY KEY (day, model)
  ) WITHOUT ROWID;
  INSERT INTO total SELECT day, model, sum(messages), sum(input), sum(output), sum(cacheWrite5m), sum(cacheWrite1h),
    sum(cacheRead), sum(webSearches) FROM day GROUP BY day, model;
  CREATE TRIGGER day_added AFTER INSERT ON day BEGIN
    INSERT INTO total VALUES (new.day, new.model, new.messages, new.input, new.output, new.cacheWrite5m, new.cacheWrite1h,
      new.cacheRead, new.webSearches)
    ON CONFLICT DO UPDATE SET messages = messages + excluded.messages, input = input + excluded.input,
      output = output + excluded.output, cacheWrite5m = cacheWrite5m + excluded.cacheWrite5m,
      cacheWrite1h = cacheWrite1h + excluded.cacheWrite1h, cacheRead = cacheRead + excluded.cacheRead,
      webSearches = webSearches + excluded.webSearches;
  END;
  CREATE TRIGGER day_changed AFTER UPDATE ON day BEGIN
    UPDATE total SET messages = messages + new.messages - old.messages, input = input + new.input - old.input,
      output = output + new.output - old.output, cacheWrite5m = cacheWrite5m + new.cacheWrite5m - old.cacheWrite5m,
      cacheWrite1h = cacheWrite1h + new.cacheWrite1h - old.cacheWrite1h, cacheRead = cacheRead + new.cacheRead - old.cacheRead,
      webSearches = webSearches + new.webSearches - old.webSearches
    WHERE day = new.day AND model = new.model;
  END;
  CREATE TRIGGER day_removed AFTER DELETE ON day BEGIN
    UPDATE total SET messages = messages - old.messages, input = input - old.input, output = output - old.output,
      cacheWrite5m = cacheWrite5m - old.cacheWrite5m, cacheWrite1h = cacheWrite1h - old.cacheWrite1h,
      cacheRead = cacheRead - old.cacheRead, webSearches = webSearches - old.webSearches
    WHERE day = old.day AND model = old.model;
    DELETE FROM total WHERE day = old.day AND model = old.model AND messages = 0;
  END;
  `,
  `
  -- It has messages of another session: it was forked from it, and what it was billed may include what that one was billed.
  ALTER TABLE session ADD COLUMN isFork INTEGER NOT NULL DEFAULT 0;
  -- The cost that the status line of each session has reported last.
  CREATE TABLE costReport (session INTEGER PRIMARY KEY, pid INTEGER, at INTEGER NOT NULL, cost REAL NOT NULL);
  CREATE INDEX costReport_pid ON costReport (pid);
  -- Forks are found and bills are added anew: the totals included what other sessions of the process had cost.
  DELETE FROM bill WHERE model = '';
  UPDATE file SET read = 0;
  `,
];

/** Migrates the database to this version. Rejects a newer one without touching it. */
export const migrateUsage = (db: Database): void => {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > steps.length)
    throw new DroverError(
      'newer_database',
      `The usage database has version ${version}; this Drover supports up to version ${steps.length}.`,
    );
  for (let step = version; step < steps.length; step++)
    transaction(db, () => {
      db.exec(steps[step] as string);
      db.exec(`PRAGMA user_version = ${step + 1}`);
    });
};
