/** Adds up the usage of several hosts. */
import type { Usage, UsageFigures, UsageRow, UsageUnrecorded } from '../contract/usage.ts';
import { lastPart } from './usage-text.ts';

/** The first one is that of this host, whose budgets and prices count. Projects of one name are one project. */
export const mergeUsage = ([first, ...others]: [Usage, ...Usage[]]): Usage => {
  const all = [first, ...others];
  const rows = new Map<string, UsageRow>();
  for (const row of all.flatMap(usage => usage.rows)) {
    const name = first.by === 'project' ? lastPart(row.name) : row.name;
    const known = rows.get(name);
    rows.set(name, { ...row, ...(known && sumOf(known, row)), name });
  }
  return {
    ...first,
    rows: [...rows.values()].sort(first.by === 'day' ? byName : byCost),
    total: all.map(({ total }) => total).reduce(sumOf),
    unrecorded: all.map(({ unrecorded }) => unrecorded).reduce(unrecordedSum),
    reading: all
      .map(({ reading }) => reading)
      .reduce((a, b) => ({
        files: a.files + b.files,
        bytes: a.bytes + b.bytes,
        leftFiles: a.leftFiles + b.leftFiles,
        leftBytes: a.leftBytes + b.leftBytes,
      })),
  };
};

const sumOf = (a: UsageFigures, b: UsageFigures): UsageFigures => ({
  messages: a.messages + b.messages,
  input: a.input + b.input,
  output: a.output + b.output,
  cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
  cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
  cacheRead: a.cacheRead + b.cacheRead,
  webSearches: a.webSearches + b.webSearches,
  cost: addKnown(a.cost, b.cost),
  unpriced: [...new Set([...a.unpriced, ...b.unpriced])].sort(),
});

const unrecordedSum = (a: UsageUnrecorded, b: UsageUnrecorded): UsageUnrecorded => ({
  sessions: a.sessions + b.sessions,
  unknownSessions: a.unknownSessions + b.unknownSessions,
  input: addKnown(a.input, b.input),
  output: addKnown(a.output, b.output),
  cacheWrite: addKnown(a.cacheWrite, b.cacheWrite),
  cacheRead: addKnown(a.cacheRead, b.cacheRead),
  cost: a.cost + b.cost,
});

/** Adds two figures. An unknown one counts as zero, unless both are unknown. */
const addKnown = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0);

const byName = (a: UsageRow, b: UsageRow): number => (a.name < b.name ? -1 : 1);
const byCost = (a: UsageRow, b: UsageRow): number =>
  (b.cost ?? -1) - (a.cost ?? -1) || b.output - a.output || byName(a, b);
