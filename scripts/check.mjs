// `npm run check [base]`: the static steps side by side, the architecture rules, and the unit tests that what was changed since
// `base` can break. Without a base: since the branch left main.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { run, runTogether, seconds, staticSteps, vitest } from './steps.mjs';

const began = Date.now();
mkdirSync('.cache', { recursive: true });
const base = process.argv[2] ?? whereItLeftMain();
const broken = await runTogether(staticSteps);
const config = 'vitest.config.ts';
const tests = [
  vitest('rules', config, 'test/', '--passWithNoTests'),
  vitest('changed', config, `--changed=${base}`, '--passWithNoTests'),
];
for (const { name, command } of tests) {
  console.log(`\n== ${name}`);
  if (run(command) !== 0) broken.push(name);
}
console.log(
  `\n${broken.length > 0 ? `${broken.join(', ')} failed` : 'all checks passed'} in ${seconds(Date.now() - began)}`,
);
process.exitCode = broken.length > 0 ? 1 : 0;

function whereItLeftMain() {
  for (const branch of ['origin/main', 'main'])
    try {
      return git('merge-base', 'HEAD', branch);
    } catch {
      // A clone without that branch.
    }
  return 'HEAD';
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
