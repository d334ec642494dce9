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
import type { Session } from '../../contract/session.ts';
import { shortId } from '../../contract/short-id.ts';

interface Row extends PastTranscript, TranscriptSummary {
  /** Text around the match. */
  found: string | null;
  /** Another host of the fleet, which has the transcript. */
  host: string | null;
}

export const run = async (call: Call): Promise<number> => {
  const [first, more, ...rest] = call.args;
  if (first === 'index' && rest.length === 0 && (more === undefined || more === 'on' || more === 'off'))
    return index(call, more);
  const searched = call.args.length ? await search(call) : null;
  const rows = select(call, searched?.rows ?? listPastSessions(call));
  const missing = searched?.missing ?? [];
  if (flag(call, 'json'))
    call.out(JSON.stringify({ sessions: rows.map(forPrograms), ...(missing.length > 0 && { missing }) }));
  else if (rows.length === 0) call.out('No matching sessions');
  else for (const row of rows) for (const textLine of lines(row, call)) call.out(textLine);
  if (missing.length > 0)
    call.err(`Not included: ${missing.map(({ host, problem }) => `${host} (${problem})`).join(', ')}`);
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
function* listPastSessions(call: Call): Generator<Row> {
  for (const past of listPast(claudeDirs(call.env, call.paths)))
    yield { ...past, ...briefSummary(past), found: null, host: null };
}

/** Returns the sessions that match, newest first. */
const search = async (call: Call) => {
  const {
    sessions,
    found = {},
    missing = [],
  } = await ask(call.paths, 'listSessions', {
    query: { q: call.args.join(' ') },
  });
  const rows = sessions.flatMap((session): Row[] => {
    const { id, transcript } = session;
    if (session.fleet) return [remoteRow(session, found[id] ?? null)];
    if (!transcript) return [];
    const folder = dirname(transcript);
    const claudeDir = dirname(dirname(folder));
    return statTranscript({ id, path: transcript, slug: basename(folder), claudeDir }).map(past => ({
      ...past,
      ...briefSummary(past),
      found: found[id] ?? null,
      host: null,
    }));
  });
  return { rows, missing };
};

/** A session of another host, which also has its transcript. */
const remoteRow = (
  { id, touched, dir, project, branch, title, fleet }: Session,
  found: string | null,
): Row => ({
  id,
  at: touched,
  size: 0,
  path: '',
  slug: project ?? '',
  claudeDir: '',
  dir,
  branch,
  title,
  prompt: null,
  last: null,
  found,
  host: fleet?.name ?? null,
});

const select = (call: Call, rows: Iterable<Row>): Row[] => {
  const limit = numberOf(text(call, 'last') ?? '30');
  const since = text(call, 'since');
  const after = since === undefined ? 0 : timeOf(since, 'since');
  const has = (value: string | null, flagName: string) =>
    (value ?? '').toLowerCase().includes((text(call, flagName) ?? '').toLowerCase());
  const wanted: Row[] = [];
  for (const row of rows) {
    // Rows are sorted newest first, so all that follow are older.
    if (row.at < after || wanted.length === limit) break;
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
    line(
      `${shortId(row.id)}  ${ago(row.at).padEnd(10)}  ${(row.host ?? size(row.size)).padStart(8)}  ${where}`,
      width,
    ),
    ...(row.found || about ? [`          ${line(row.found ?? about, width - 10)}`] : []),
  ];
};

const forPrograms = ({ id, at, size: bytes, dir, branch, title, prompt, last, path, found, host }: Row) => ({
  id,
  touched: Math.floor(at),
  bytes: host === null ? bytes : null,
  dir,
  branch,
  title,
  prompt,
  last,
  transcript: host === null ? path : null,
  found,
  ...(host !== null && { host }),
});
