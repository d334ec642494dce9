/** A database that a daemon left, made harmless: it contains no path, process or tmux server of this machine any more. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../../src/claude/slug.ts';
import { type Database, openDatabase } from '../../src/store/sqlite.ts';
import type { World } from '../rig/world.ts';

const elsewhere = '/srv/reference';
/** Above the largest pid of any Linux: no process ever has it. */
const nobody = 1_073_741_823;

/** Packs the database of a world whose daemon is gone. */
export const packDatabase = async (world: World, into: string): Promise<void> => {
  const file = join(world.droverHome, 'drover.db');
  const db = await openDatabase(file);
  rewrite(db, text =>
    text
      .replaceAll(slugOf(world.root), slugOf(elsewhere))
      .replaceAll(world.root, elsewhere)
      .replaceAll(new URL(world.model.url).host, '127.0.0.1:9')
      .replace(/"(pid|serverPid|pane_pid|server_pid)":\d+/g, `"$1":${nobody}`),
  );
  db.exec('VACUUM');
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  writeFileSync(into, gzipSync(readFileSync(file), { level: 9 }));
};

/**
 * Puts a packed database into the home of a world that has had no daemon. Its times are moved to now:
 * otherwise the rows would one day be removed because of their age.
 */
export const unpackDatabase = async (world: World, from: string): Promise<void> => {
  const file = join(world.droverHome, 'drover.db');
  writeFileSync(file, gunzipSync(readFileSync(from)), { mode: 0o600 });
  const db = await openDatabase(file);
  const { last } = db.prepare('SELECT max(seen) AS last FROM event').get() as { last: number };
  const by = Date.now() - 1_000 - last;
  rewrite(db, text => text.replace(/(?<=[:[,])1\d{12}(?=[\],}])/g, time => String(Number(time) + by)));
  for (const { table, column } of columnsOf(db))
    db.exec(
      `UPDATE "${table}" SET "${column}" = "${column}" + ${by} WHERE typeof("${column}") = 'integer' AND "${column}" > 1e12`,
    );
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
};

/** Changes all texts in a database, also those that are kept as bytes. */
const rewrite = (db: Database, change: (text: string) => string): void => {
  for (const { table, column } of columnsOf(db)) {
    const found = db
      .prepare(
        `SELECT DISTINCT "${column}" AS value FROM "${table}" WHERE typeof("${column}") IN ('text', 'blob')`,
      )
      .all() as { value: string | Uint8Array }[];
    for (const { value } of found) {
      const before = typeof value === 'string' ? value : Buffer.from(value).toString('utf8');
      const after = change(before);
      if (after === before) continue;
      const put = typeof value === 'string' ? after : Buffer.from(after);
      db.prepare(`UPDATE "${table}" SET "${column}" = ? WHERE "${column}" = ?`).run(put, value);
    }
  }
  // The size of each session's events is kept beside them.
  db.exec(
    'UPDATE volume SET bytes = (SELECT sum(length(raw)) FROM event WHERE event.session_id = volume.session_id)',
  );
};

const columnsOf = (db: Database): { table: string; column: string }[] => {
  const names = (sql: string) => (db.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
  return names("SELECT name FROM sqlite_master WHERE type = 'table'").flatMap(table =>
    names(`PRAGMA table_info("${table}")`).map(column => ({ table, column })),
  );
};
