/** `drover sessions`: past sessions of all projects, by project, branch and age, or by what was said in them. */
import { basename, dirname } from 'node:path';
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { type TranscriptSummary, briefSummary } from '../../resume/transcript-summary.ts';
import { listPast, type PastTranscript, statTranscript } from '../../resume/transcripts.ts';
import { claudeDirs } from '../setup/claude-dirs.ts';
import { momentOf } from '../output/moment.ts';
import { tilde } from '../output/question.ts';
import { ago, count, line, size } from '../output/say.ts';
import { type Call, flag, text } from '../verb.ts';

interface Row extends PastTranscript, TranscriptSummary {
  /** The words around what was searched for. */
  found: string | null;
}

export const run = async (call: Call): Promise<number> => {
  const [word, more, ...rest] = call.args;
  if (word === 'index' && rest.length === 0 && (more === undefined || more === 'on' || more === 'off'))
    return index(call, more);
  const rows = select(call, call.args.length ? await searched(call) : listed(call));
  if (flag(call, 'json')) call.out(JSON.stringify({ sessions: rows.map(forPrograms) }));
  else if (rows.length === 0) call.out('no past session fits');
  else for (const row of rows) for (const said of lines(row, call)) call.out(said);
  return 0;
};

/** On, off, or how far it is. */
const index = async (call: Call, wish: 'on' | 'off' | undefined): Promise<number> => {
  const state = wish
    ? await ask(call.paths, 'setIndex', { body: { on: wish === 'on' } })
    : await ask(call.paths, 'readIndex');
  if (flag(call, 'json')) call.out(JSON.stringify(state));
  else if (state.on)
    call.out(`the index is on: ${count(state.indexed)} of ${count(state.transcripts)} transcripts are in it`);
  else call.out('the index is off');
  return 0;
};

/** Every transcript, newest first, each looked at only when it is wanted. */
function* listed(call: Call): Generator<Row> {
  for (const past of listPast(claudeDirs(call.env, call.paths)))
    yield { ...past, ...briefSummary(past), found: null };
}

/** Those that said it, newest first. */
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
  const after = since === undefined ? 0 : momentOf(since, 'since');
  const has = (value: string | null, flagName: string) =>
    (value ?? '').toLowerCase().includes((text(call, flagName) ?? '').toLowerCase());
  const wanted: Row[] = [];
  for (const row of rows) {
    // Newest first: what follows is older still.
    if (row.at < after || wanted.length === most) break;
    if (has(row.dir ?? row.slug, 'project') && has(row.branch, 'branch')) wanted.push(row);
  }
  return wanted;
};

const numberOf = (given: string): number => {
  if (!/^[1-9]\d{0,6}$/.test(given)) throw new DroverError('usage', `${JSON.stringify(given)} is no number.`);
  return Number(given);
};

const lines = (row: Row, { env }: Call): string[] => {
  const width = process.stdout.columns || 120;
  const where = `${row.dir ? tilde(row.dir, env) : row.slug}${row.branch ? ` (${row.branch})` : ''}`;
  const about = [row.title, row.prompt, row.last].filter(Boolean).join(' · ');
  return [
    line(`${row.id.slice(0, 8)}  ${ago(row.at).padEnd(10)}  ${size(row.size).padStart(8)}  ${where}`, width),
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
