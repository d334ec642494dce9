// `npm test`: format, lint, types, dead code, unit tests with the architecture rules, stories. Stops at the first that
// fails, and closes with one line that counts. `npm test -- unit` runs one step; what stands behind it goes to vitest.
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
for (const { name, command, counts } of wanted) {
  const began = Date.now();
  console.log(`\n== ${name}`);
  if (counts) rmSync(counts, { force: true });
  const { status } = spawnSync(command[0], [...command.slice(1), ...more], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (counts) add(counts);
  console.log(
    `== ${name}: ${status === 0 ? 'ok' : `FAILED (${status})`} in ${((Date.now() - began) / 1000).toFixed(1)} s`,
  );
  if (status !== 0) {
    broken = name;
    break;
  }
}
console.log(`\n${broken ? `${broken} failed` : 'all steps passed'}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = broken || total.failed > 0 ? 1 : 0;

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
