/** Tokens and cost of sessions. Costs are API-equivalent, in US dollars. */
import * as z from 'zod';

const count = z.number().int();

export const UsageBy = z.enum(['day', 'project', 'session', 'model']);
export type UsageBy = z.infer<typeof UsageBy>;

/** What a report is about. */
export interface UsageQuery {
  by: UsageBy;
  split: UsageBy | null;
  since: number | null;
  /** The id of the only session that counts. */
  session?: string | null;
}

export const UsageFigures = z.object({
  messages: count,
  input: count,
  output: count,
  /** Tokens written to the prompt cache, by how long they stay there. */
  cacheWrite5m: count,
  cacheWrite1h: count,
  cacheRead: count,
  webSearches: count,
  /** Null when no model in it has a known price. */
  cost: z.number().nullable(),
  /** Models without a known price, which `cost` leaves out. */
  unpriced: z.array(z.string()),
});
export type UsageFigures = z.infer<typeof UsageFigures>;

export const UsageRow = UsageFigures.extend({
  /** A local date, a directory, a session id or a model. */
  name: z.string(),
  /** The second dimension, where `split` asks for one. */
  part: z.string().optional(),
  /** Title and project, in a row of a session where they are known. */
  title: z.string().nullable().optional(),
  project: z.string().nullable().optional(),
});
export type UsageRow = z.infer<typeof UsageRow>;

/** What was billed but is in no transcript: compaction, generated titles, and so on. */
export const UsageUnrecorded = z.object({
  /** Sessions whose bill is known, from Claude Code at its exit or from the status line, and those without one. */
  sessions: count,
  unknownSessions: count,
  /** Null where only the cost is known. */
  input: count.nullable(),
  output: count.nullable(),
  cacheWrite: count.nullable(),
  cacheRead: count.nullable(),
  cost: z.number(),
});
export type UsageUnrecorded = z.infer<typeof UsageUnrecorded>;

export const BudgetKind = z.enum(['day', 'week', 'session']);
export type BudgetKind = z.infer<typeof BudgetKind>;

export const Usage = z.object({
  by: UsageBy,
  since: z.number().int().nullable(),
  rows: z.array(UsageRow),
  total: UsageFigures,
  unrecorded: UsageUnrecorded,
  /** How much of the transcripts has been read. */
  reading: z.object({ files: count, bytes: count, leftFiles: count, leftBytes: count }),
  /** The date of the price table. */
  pricesOf: z.string(),
  /** The budgets of the config and what is spent of them; of the session budget, the most expensive session today. */
  budgets: z.array(z.object({ kind: BudgetKind, limit: z.number(), spent: z.number() })),
});
export type Usage = z.infer<typeof Usage>;

/** Prices of one model, US dollars for a million tokens. */
export const Price = z.object({
  input: z.number().min(0),
  output: z.number().min(0),
  /** By default 1.25 and 2 times the input price, and a tenth of it. */
  cacheWrite5m: z.number().min(0).optional(),
  cacheWrite1h: z.number().min(0).optional(),
  cacheRead: z.number().min(0).optional(),
});
export type Price = z.infer<typeof Price>;

/** `budget` in the config, in US dollars. Reaching one sends a notification and stops nothing. */
export const BudgetConfig = z.object({
  day: z.number().positive().optional(),
  week: z.number().positive().optional(),
  session: z.number().positive().optional(),
});
export type BudgetConfig = z.infer<typeof BudgetConfig>;
