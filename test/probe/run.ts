/**
 * `npm run probe -- --claude VERSION [--write] [--only SCENE]`: measures what Drover relies on in one version of Claude Code and
 * prints the differences from the stored result of that version, else of the newest older one. Exit 1 on differences.
 * `--write` stores the result; with `--only` it replaces the facts of one scene.
 *
 * `npm run probe latest`: does so for the newest published version, and plays the truth scenarios and the stories of requests and
 * answers on it, in less than ten minutes. Differences alone do not fail. `--if-new` does nothing when that version is supported.
 */
import { parseArgs } from 'node:util';
import { differences } from './differences.ts';
import { isNewer, newestPublished, report, tryVersion } from './latest.ts';
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    claude: { type: 'string' },
    write: { type: 'boolean' },
    only: { type: 'string' },
    'if-new': { type: 'boolean' },
  },
});
const isLatest = positionals[0] === 'latest';
const version = isLatest ? await newestPublished() : values.claude;
if (version === null) {
  report('skipped: the newest version of Claude Code is not known, the npm registry cannot be reached');
  process.exit(0);
}
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Name a published version: npm run probe -- --claude 2.1.325, or: npm run probe latest');
  process.exit(2);
}
if (values['if-new'] && !isNewer(version)) {
  report(`${version} is the newest published version, and the stories have played on it`);
  process.exit(0);
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
if (isLatest) {
  const unmeasured = failed > 0 ? ['a part of the probe could not be measured'] : [];
  const wrong = [...unmeasured, ...(await tryVersion(version, performance.now() - began))];
  const differs = `${found.length} differences from ${against ?? 'nothing'}`;
  report(`Claude Code ${version}, ${differs}: ${wrong.join('\n  ') || 'everything passed'}`);
  process.exit(wrong.length > 0 ? 1 : 0);
}
process.exitCode = found.length > 0 || failed > 0 ? 1 : 0;
