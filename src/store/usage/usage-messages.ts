/** Adds messages of a transcript, each to the session that asked for it, and keeps the sums by day in step. */
import type { Connection } from '../connection.ts';
import { DayChanges, type Tokens } from './usage-days.ts';
import type { SessionRow, UsageRows } from './usage-rows.ts';
import { tokenColumns, type UsageMessage } from './usage-sums.ts';

interface Kept extends Tokens {
  at: number;
  session: number;
  model: number;
  isCopy: number;
}

/** Adds what is not older than `floor`. Returns the sessions of messages that are. */
export const addMessages = (
  db: Connection,
  rows: UsageRows,
  messages: UsageMessage[],
  floor: number,
): number[] => {
  const days = new DayChanges();
  const newest = new Map<number, number>();
  const left = new Set<number>();
  const forks = new Set<number>();
  const cut = new Set<number>();
  const find = db.prepare(
    `SELECT at, session, model, isCopy, ${tokenColumns.join(', ')} FROM message WHERE id = ?`,
  );
  const columns = ['id', 'at', 'session', 'model', ...tokenColumns, 'isCopy'];
  const put = db.prepare(
    `INSERT INTO message (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
      ON CONFLICT (id) DO UPDATE SET ${columns
        .slice(1)
        .map(column => `${column} = excluded.${column}`)
        .join(', ')}`,
  );
  for (const message of messages) {
    const session = rows.session(message.sessionId, message);
    if (message.at < floor) cut.add(session.id);
    if (message.at < Math.max(floor, session.floor)) continue;
    const known = find.get(message.id) as Kept | undefined;
    const isFinal = known === undefined || hasMore(message, known);
    const countsHere = known === undefined || isOriginal(db, session, message, known);
    if (known && known.session !== session.id) forks.add(countsHere ? known.session : session.id);
    if (!isFinal && !countsHere) continue;
    const countedFor = countsHere ? session.id : known.session;
    const at = known ? Math.min(known.at, message.at) : message.at;
    const model = isFinal ? rows.model(message.model, message.tier) : known.model;
    const tokens = isFinal ? message : known;
    const isCopy = (known?.isCopy ?? 1) === 1 && message.isCopy ? 1 : 0;
    if (known) days.count(known.at, known.session, known.model, known, -1);
    if (known && countsHere) left.add(known.session);
    days.count(at, countedFor, model, tokens, 1);
    newest.set(countedFor, Math.max(newest.get(countedFor) ?? 0, at));
    put.run(message.id, at, countedFor, model, ...tokenColumns.map(column => tokens[column]), isCopy);
  }
  days.write(db);
  const update = db.prepare('UPDATE session SET last = max(last, ?) WHERE id = ?');
  for (const [session, at] of newest) update.run(at, session);
  const empty = db.prepare(
    'UPDATE session SET last = 0 WHERE id = ? AND NOT EXISTS (SELECT 1 FROM day WHERE session = session.id)',
  );
  for (const session of left) empty.run(session);
  const fork = db.prepare('UPDATE session SET isFork = 1 WHERE id = ?');
  for (const session of forks) fork.run(session);
  return [...cut];
};

/**
 * Whether this session asked for a message that counts for another one so far. A fork has the lines of its original, and
 * may be read first: the older transcript asked for it. Only forks made inside a session mark what they copied.
 */
const isOriginal = (db: Connection, session: SessionRow, message: UsageMessage, known: Kept): boolean => {
  if (known.session === session.id) return false;
  if (message.isCopy !== (known.isCopy === 1)) return known.isCopy === 1;
  const { created } = db.prepare('SELECT created FROM session WHERE id = ?').get(known.session) as {
    created: number;
  };
  return session.created > 0 && session.created < created;
};

/** A message is written several times while it streams, with growing figures; the largest are final. */
const hasMore = (message: UsageMessage, known: Kept): boolean =>
  message.output === known.output ? promptOf(message) > promptOf(known) : message.output > known.output;

const promptOf = ({ input, cacheWrite5m, cacheWrite1h, cacheRead }: Tokens): number =>
  input + cacheWrite5m + cacheWrite1h + cacheRead;
