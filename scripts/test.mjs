// `npm test`: format, lint, types, dead code, unit tests with the architecture rules, stories, and with CI set the newest
// release of the CLI. Stops after the first of these that fails, and closes with one line that counts. `npm test -- unit`
// runs one step; what stands behind it goes to vitest.
import './check-node.mjs';
import { mkdirSync, rmSync } from 'node:fs';
import { keepDurations, readJson, run, runTogether, seconds, staticSteps, vitest } from './steps.mjs';

const stories = 'vitest.stories.config.ts';
const testSteps = [vitest('unit', 'vitest.config.ts'), vitest('stories', stories)];

/** A release that came out after the last change here must not keep that change from being merged: what fails is only printed. */
const newCli = {
  name: 'new-cli',
  command: [process.execPath, 'scripts/run-ts.mjs', 'test/probe/run.ts', 'latest'],
};

const [only, ...more] = process.argv.slice(2);
const isWanted = ({ name }) => only === undefined || name === only;
const known = [...staticSteps, ...testSteps, newCli, { name: 'fast' }];
if (!known.some(isWanted)) {
  console.error(`drover: there is no step ${only}: ${known.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

mkdirSync('.cache', { recursive: true });
const total = { passed: 0, failed: 0, skipped: 0 };
/** Stories that passed only when they were run again. */
const flaky = [];
/** With more failures than this nothing is run again. */
const mostAgain = 8;
const broken = await runTogether(
  staticSteps.filter(isWanted).map(({ name, command }) => ({ name, command: [...command, ...more] })),
);
const fast = only === 'fast' ? [vitest('fast', stories, '--project=fast')] : [];
for (const step of [...testSteps.filter(isWanted), ...fast]) if (broken.length === 0) play(step);
const news = broken.length === 0 ? tryNewCli() : [];
if (flaky.length > 0)
  console.log(
    `\nFLAKY: failed once and then passed (each is a defect):\n${flaky.map(title => `  ${title}`).join('\n')}`,
  );
for (const line of news) console.log(`\n${line}`);
console.log(`\n${broken.length > 0 ? `${broken.join(', ')} failed` : 'all steps passed'}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = broken.length > 0 || total.failed > 0 ? 1 : 0;

function play({ name, command, counts }) {
  const began = Date.now();
  console.log(`\n== ${name}`);
  rmSync(counts, { force: true });
  let status = run([...command, ...more]);
  add(counts);
  keepDurations(counts);
  const again = name === 'stories' && status !== 0 ? playAgain() : null;
  if (again) status = again.status;
  console.log(`== ${name}: ${status === 0 ? 'ok' : `FAILED (${status})`} in ${seconds(Date.now() - began)}`);
  if (status !== 0) broken.push(name);
}

/** Plays the newest release of the CLI with CI set, or when it is asked for. Returns what to print about it at the end. */
function tryNewCli() {
  const isAsked = only === newCli.name;
  if (!isAsked && (only !== undefined || !process.env.CI)) return [];
  console.log(`\n== ${newCli.name}`);
  const began = Date.now();
  const report = '.cache/new-cli.json';
  rmSync(report, { force: true });
  const status = run([...newCli.command, ...(isAsked ? more : ['--if-new'])]);
  const said = readJson(report)?.summary ?? 'it ended without a result';
  console.log(
    `== ${newCli.name}: ${status === 0 ? 'ok' : `FAILED (${status})`} in ${seconds(Date.now() - began)}`,
  );
  return status === 0 ? [`new CLI: ${said}`] : [`NEW CLI FAILED (this does not fail the run): ${said}`];
}

/** Plays the files of failed stories again, one at a time, if those are few. Stories that now pass are listed at the end. Null when there are many. */
function playAgain() {
  const isFailed = ({ status }) => status === 'failed';
  const failedIn = testResults =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.filter(isFailed).map(({ fullName }) => ({ name, fullName })),
    );
  const testResults = readJson('.cache/stories.json')?.testResults ?? [];
  const failed = failedIn(testResults);
  const unstarted = testResults.filter(file => isFailed(file) && !file.assertionResults.some(isFailed));
  if (failed.length === 0 || failed.length > mostAgain || unstarted.length > 0) return null;
  console.log(`\n== stories that failed, once more with their files: ${failed.map(titleOf).join('; ')}`);
  // Whole files: the steps of one story build on each other.
  const files = [...new Set(failed.map(({ name }) => name))];
  const { command, counts } = vitest('stories-again', stories, '--maxWorkers=1', ...files);
  rmSync(counts, { force: true });
  const status = run(command);
  const report = readJson(counts);
  if (!report) return { status };
  const now = failedIn(report.testResults);
  flaky.push(...failed.map(titleOf).filter(title => !now.map(titleOf).includes(title)));
  total.passed += failed.length - now.length;
  total.failed += now.length - failed.length;
  return { status };
}

function titleOf({ fullName }) {
  return fullName;
}

function add(file) {
  const report = readJson(file);
  total.passed += report?.numPassedTests ?? 0;
  total.failed += report?.numFailedTests ?? 1;
  total.skipped += report ? report.numPendingTests + report.numTodoTests : 0;
}
