/** `drover sessions`: lists past sessions by project, branch and age, or searches their text. */
import { basename, dirname } from 'node:path';
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { type TranscriptSummary, briefSummary } from '../../resume/transcript-summary.ts';
import { listPast, type PastTranscript, statTranscript } from '../../resume/transcripts.ts';
import { claudeDirs } from '../setup/claude-dirs.ts';
import { timeOf } from '../output/time-of.ts';
import { tilde } from '../output/question.ts';
import { ago, count, line, size } from '../output/format.ts';
import { type Call, flag, text } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

interface Row extends PastTranscript, TranscriptSummary {
  /** Text around the match. */
  found: string | null;
}

export const run = async (call: Call): Promise<number> => {
  const [first, more, ...rest] = call.args;
  if (first === 'index' && rest.length === 0 && (more === undefined || more === 'on' || more === 'off'))
    return index(call, more);
  const rows = select(call, call.args.length ? await searched(call) : listed(call));
  if (flag(call, 'json')) call.out(JSON.stringify({ sessions: rows.map(forPrograms) }));
  else if (rows.length === 0) call.out('No matching sessions');
  else for (const row of rows) for (const textLine of lines(row, call)) call.out(textLine);
  return 0;
};

/** Turns the search index on or off, or shows its progress. */
const index = async (call: Call, setting: 'on' | 'off' | undefined): Promise<number> => {
  const state = setting
    ? await ask(call.paths, 'setIndex', { body: { on: setting === 'on' } })
    : await ask(call.paths, 'readIndex');
  if (flag(call, 'json')) call.out(JSON.stringify(state));
  else if (state.on)
    call.out(`The index is on: ${count(state.indexed)} of ${count(state.transcripts)} transcripts indexed`);
  else call.out('The index is off');
  return 0;
};

/** Yields every transcript, newest first. Lazy, because reading all of them is slow. */
function* listed(call: Call): Generator<Row> {
  for (const past of listPast(claudeDirs(call.env, call.paths)))
    yield { ...past, ...briefSummary(past), found: null };
}

/** Returns the sessions that match, newest first. */
const searched = async (call: Call): Promise<Row[]> => {
  const { sessions, found = {} } = await ask(call.paths, 'listSessions', {
    query: { q: call.args.join(' ') },
  });
  return sessions.flatMap(({ id, transcript }) => {
    if (!transcript) return [];
    const folder = dirname(transcript);
    const claudeDir = dirname(dirname(folder));
    return statTranscript({ id, path: transcript, slug: basename(folder), claudeDir }).map(past => ({
      ...past,
      ...briefSummary(past),
      found: found[id] ?? null,
    }));
  });
};

const select = (call: Call, rows: Iterable<Row>): Row[] => {
  const most = numberOf(text(call, 'last') ?? '30');
  const since = text(call, 'since');
  const after = since === undefined ? 0 : timeOf(since, 'since');
  const has = (value: string | null, flagName: string) =>
    (value ?? '').toLowerCase().includes((text(call, flagName) ?? '').toLowerCase());
  const wanted: Row[] = [];
  for (const row of rows) {
    // Rows are sorted newest first, so all that follow are older.
    if (row.at < after || wanted.length === most) break;
    if (has(row.dir ?? row.slug, 'project') && has(row.branch, 'branch')) wanted.push(row);
  }
  return wanted;
};

const numberOf = (given: string): number => {
  if (!/^[1-9]\d{0,6}$/.test(given))
    throw new DroverError('usage', `${JSON.stringify(given)} is not a number.`);
  return Number(given);
};

const lines = (row: Row, { env }: Call): string[] => {
  const width = process.stdout.columns || 120;
  const where = `${row.dir ? tilde(row.dir, env) : row.slug}${row.branch ? ` (${row.branch})` : ''}`;
  const about = [row.title, row.prompt, row.last].filter(Boolean).join(' · ');
  return [
    line(`${shortId(row.id)}  ${ago(row.at).padEnd(10)}  ${size(row.size).padStart(8)}  ${where}`, width),
    ...(row.found || about ? [`          ${line(row.found ?? about, width - 10)}`] : []),
  ];
};

const forPrograms = ({ id, at, size: bytes, dir, branch, title, prompt, last, path, found }: Row) => ({
  id,
  touched: Math.floor(at),
  bytes,
  dir,
  branch,
  title,
  prompt,
  last,
  transcript: path,
  found,
});
