/**
 * `npm run probe -- --claude VERSION [--write] [--only SCENE]`: measures what Drover relies on in one version of Claude Code and
 * prints the differences from the stored result of that version, else of the newest older one. Exit 1 on differences.
 * `--write` stores the result; with `--only` it replaces the facts of one scene.
 */
import { parseArgs } from 'node:util';
import { differences } from './differences.ts';
import { openProbe, type Probe } from './probe.ts';
import { nearestVersion, readResult, storedVersions, writeResult } from './results.ts';
import { headless, windows } from './scenes/headless.ts';
import { otherFailures, usageLimits } from './scenes/limits.ts';
import { lives } from './scenes/lives.ts';
import { prompt } from './scenes/prompt.ts';
import { session } from './scenes/session.ts';
import { startup } from './scenes/startup.ts';

const scenes: { [name: string]: (probe: Probe) => Promise<void> } = {
  headless,
  session,
  lives,
  prompt,
  startup,
  windows,
  limits: usageLimits,
  failures: otherFailures,
};

const { values } = parseArgs({
  options: { claude: { type: 'string' }, write: { type: 'boolean' }, only: { type: 'string' } },
});
const version = values.claude;
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Name a published version: npm run probe -- --claude 2.1.325');
  process.exit(2);
}

const probe = await openProbe(version);
const began = performance.now();
let failed = 0;
try {
  for (const [name, play] of Object.entries(scenes)) {
    if (values.only !== undefined && values.only !== name) continue;
    const start = performance.now();
    await play(probe).catch((error: Error) => {
      failed++;
      console.error(`${name} could not be measured to its end: ${error.message}`);
    });
    console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
} finally {
  await probe.world.close();
}

const { facts } = probe;
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(`${Object.keys(facts).length} facts of Claude Code ${version} in ${seconds} s`);
const stored = storedVersions();
const against = nearestVersion(version, stored);
const all = against === undefined ? {} : readResult(against).facts;
const isPart = values.only !== undefined;
const comparable = Object.entries(all).filter(([name]) => !isPart || name in facts);
const found = differences(Object.fromEntries(comparable), facts);
console.log(`${found.length} differences from ${against ?? 'nothing'}`);
for (const line of found) console.log(`  ${line}`);
if (values.write && failed === 0) {
  const earlier = isPart && against === version ? all : {};
  const measured = new Date().toISOString().slice(0, 10);
  console.log(`wrote ${writeResult({ version, measured, facts: { ...earlier, ...facts } })}`);
}
process.exitCode = found.length > 0 || failed > 0 ? 1 : 0;
