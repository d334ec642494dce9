// Runs one prompt in each of several repositories, a few at a time, and writes a report. For cron:
//
//   0 2 * * *  node examples/nightly.mjs --report ~/nightly.md "update the dependencies and run the tests" ~/app ~/site
//
//   --parallel <n>   sessions at the same time (default 2)
//   --minutes <n>    time for one repository (default 60)
//   --mode <mode>    permission mode (default acceptEdits)
//   --report <file>  Markdown file to write (default: standard output)
//
// A session that is done is stopped. One that needs an answer, or more time, keeps running: the report says how to get there.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from 'drover/client';

const text = { type: 'string' };
const { values, positionals } = parseArgs({
  options: { parallel: text, minutes: text, mode: text, report: text },
  allowPositionals: true,
});
const [prompt, ...folders] = positionals;
if (!prompt || folders.length === 0) {
  console.error(
    'usage: node examples/nightly.mjs [--parallel n] [--minutes n] [--mode m] [--report f] <prompt> <folder> …',
  );
  process.exit(2);
}
const drover = connect();
const timeout = Math.round(Number(values.minutes ?? 60) * 60);

const runIn = async folder => {
  const { id } = await drover.create({
    session_id: randomUUID(),
    cwd: resolve(folder),
    name: `nightly ${basename(resolve(folder))}`,
    permission_mode: values.mode ?? 'acceptEdits',
  });
  const { status, answer, reason } = await drover.send(id, { text: prompt, wait: 'answered', timeout });
  if (status === 'answered') {
    await drover.stop(id);
    return { folder, isDone: true, text: answer ?? '' };
  }
  const { detail, state } = await drover.session(id);
  const why = detail?.line ?? reason ?? `${status}, ${state}`;
  return { folder, isDone: false, text: `${why}\n\nIt is still there: \`drover go ${id.slice(0, 8)}\`` };
};

/** Takes the next repository until none is left. */
const waiting = [...folders];
const results = [];
const work = async () => {
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift())
    results.push(
      await runIn(folder).catch(error => ({ folder, isDone: false, text: `Failed: ${error.message}` })),
    );
};
await Promise.all(Array.from({ length: Number(values.parallel ?? 2) }, work));

const ordered = folders.map(folder => results.find(result => result.folder === folder));
const report = [
  `# ${new Date().toISOString().slice(0, 10)}: ${ordered.filter(({ isDone }) => isDone).length} of ${folders.length} done`,
  ...ordered.map(
    ({ folder, isDone, text: said }) => `## ${isDone ? 'Done' : 'NOT DONE'}: ${folder}\n\n${said.trim()}`,
  ),
].join('\n\n');
if (values.report) writeFileSync(values.report, `${report}\n`);
else console.log(report);
process.exitCode = ordered.every(({ isDone }) => isDone) ? 0 : 1;
