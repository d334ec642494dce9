// `npm test`: format, lint, types, dead code, unit tests with the architecture rules, stories. Stops at the first that
// fails, and closes with one line that counts. `npm test -- unit` runs one step; what stands behind it goes to vitest.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';

const bin = name => `node_modules/.bin/${name}`;
const vitest = (name, config) => ({
  name,
  command: [
    bin('vitest'),
    'run',
    '--config',
    config,
    '--reporter=default',
    '--reporter=json',
    `--outputFile=.cache/${name}.json`,
  ],
  counts: `.cache/${name}.json`,
});
const steps = [
  { name: 'format', command: [bin('biome'), 'format', '.'] },
  { name: 'lint', command: [bin('oxlint'), '--type-aware', '--quiet', '.'] },
  { name: 'types', command: [bin('tsc'), '-p', '.'] },
  { name: 'page-types', command: [bin('tsc'), '-p', 'src/web'] },
  { name: 'unused', command: [bin('knip')] },
  vitest('unit', 'vitest.config.ts'),
  vitest('stories', 'vitest.stories.config.ts'),
];

const [only, ...more] = process.argv.slice(2);
const wanted = only ? steps.filter(step => step.name === only) : steps;
if (wanted.length === 0) fail(`there is no step ${only}: ${steps.map(step => step.name).join(', ')}`);

mkdirSync('.cache', { recursive: true });
const total = { passed: 0, failed: 0, skipped: 0 };
let broken = null;
/** Stories that passed only when they were run again. */
const flaky = [];
/** With more failures than this nothing is run again. */
const mostAgain = 3;
for (const { name, command, counts } of wanted) {
  const began = Date.now();
  console.log(`\n== ${name}`);
  if (counts) rmSync(counts, { force: true });
  let status = run([...command, ...more]);
  if (counts) add(counts);
  const again = name === 'stories' && status !== 0 ? playAgain() : null;
  if (again) status = again.status;
  console.log(
    `== ${name}: ${status === 0 ? 'ok' : `FAILED (${status})`} in ${((Date.now() - began) / 1000).toFixed(1)} s`,
  );
  if (status !== 0) {
    broken = name;
    break;
  }
}
if (flaky.length > 0)
  console.log(
    `\nFLAKY: failed once and passed alone (each is a defect):\n${flaky.map(title => `  ${title}`).join('\n')}`,
  );
console.log(`\n${broken ? `${broken} failed` : 'all steps passed'}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = broken || total.failed > 0 ? 1 : 0;

/** Runs a command; returns its exit status. */
function run([command, ...args]) {
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;
}

/** Runs the failed stories again, one at a time, if they are few. Those that now pass are listed at the end. Null when there are many. */
function playAgain() {
  const { testResults } = JSON.parse(readFileSync('.cache/stories.json', 'utf8'));
  const isFailed = ({ status }) => status === 'failed';
  const files = testResults.filter(({ assertionResults }) => assertionResults.some(isFailed));
  const titles = files.flatMap(({ assertionResults }) =>
    assertionResults.filter(isFailed).map(({ fullName }) => fullName),
  );
  const broken = testResults.filter(file => isFailed(file) && !file.assertionResults.some(isFailed));
  if (titles.length === 0 || titles.length > mostAgain || broken.length > 0) return null;
  console.log(`\n== stories that failed, once more: ${titles.join('; ')}`);
  const pattern = titles.map(title => title.replace(/[^\w ]/g, '.')).join('|');
  const file = '.cache/stories-again.json';
  rmSync(file, { force: true });
  const { command } = vitest('stories-again', 'vitest.stories.config.ts');
  const status = run([...command, '--maxWorkers=1', '-t', pattern, ...files.map(({ name }) => name)]);
  const report = JSON.parse(readFileSync(file, 'utf8'));
  total.passed += report.numPassedTests;
  total.failed -= report.numPassedTests;
  flaky.push(
    ...report.testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName),
    ),
  );
  return { status };
}

function add(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    total.passed += report.numPassedTests;
    total.failed += report.numFailedTests;
    total.skipped += report.numPendingTests + report.numTodoTests;
  } catch {
    total.failed++;
  }
}

function fail(message) {
  console.error(`drover: ${message}`);
  process.exit(2);
}
