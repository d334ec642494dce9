/** The rows of sessions and models, which messages refer to by number. Known ones are cached. */
import type { Connection } from '../connection.ts';

export interface SessionRow {
  id: number;
  floor: number;
  dir: string | null;
  created: number;
}

/** What a message says of its session. */
interface Seen {
  dir: string | null;
  created: number;
}

export class UsageRows {
  private readonly sessions = new Map<string, SessionRow>();
  private readonly models = new Map<string, number>();

  constructor(private readonly db: Connection) {}

  /** Forgets what is cached: the rows may have changed. */
  clear(): void {
    this.sessions.clear();
    this.models.clear();
  }

  /** Returns the row of a session, made or changed by what was seen. */
  session(session: string, seen: Seen = nothingSeen): SessionRow {
    const { dir, created } = seen;
    const known = this.sessions.get(session);
    const isOlder = created > 0 && (known === undefined || known.created === 0 || created < known.created);
    if (known && !isOlder && (known.dir !== null || dir === null)) return known;
    // The first directory of a session is the one it was started in. Transcripts of subagents are younger than its own.
    this.db
      .prepare(
        `INSERT INTO session (session, dir, created) VALUES (?, ?, ?) ON CONFLICT (session) DO UPDATE SET
          dir = coalesce(dir, excluded.dir),
          created = iif(excluded.created > 0 AND (created = 0 OR excluded.created < created), excluded.created, created)`,
      )
      .run(session, dir, created);
    const row = this.db
      .prepare('SELECT id, floor, dir, created FROM session WHERE session = ?')
      .get(session) as SessionRow;
    if (this.sessions.size > cachedSessions) this.sessions.clear();
    this.sessions.set(session, row);
    return row;
  }

  /** Returns the number of a model at a service tier. */
  model(model: string, tier: string): number {
    const name = `${tier} ${model}`;
    const known = this.models.get(name);
    if (known !== undefined) return known;
    this.db.prepare('INSERT OR IGNORE INTO model (model, tier) VALUES (?, ?)').run(model, tier);
    const { id } = this.db.prepare('SELECT id FROM model WHERE model = ? AND tier = ?').get(model, tier) as {
      id: number;
    };
    this.models.set(name, id);
    return id;
  }
}

const cachedSessions = 10_000;
const nothingSeen: Seen = { dir: null, created: 0 };
