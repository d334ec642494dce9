/** `npm run bench [part …]`: one table, everything measured in the same run; written to docs/benchmarks.md. */
import { writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { answerRows } from './answer.ts';
import { boardRows } from './board.ts';
import { commandRows } from './command.ts';
import { crowdRows } from './crowd.ts';
import { emitterRows } from './emitter.ts';
import type { Row } from './figures.ts';
import { fleetDelayRows } from './fleet.ts';
import { fleetClaimRows } from './fleet-claims.ts';
import { fleetCrowdRows } from './fleet-crowd.ts';
import { fleetMemoryRows } from './fleet-memory.ts';
import { hubRows } from './hub.ts';
import { idleRows } from './idle.ts';
import { ingestRows } from './ingest.ts';
import { millionRows, refoldRows } from './million.ts';
import { demoRows, pageRows } from './page.ts';
import { pathRows } from './path.ts';
import { resumeRows } from './resume.ts';
import { printCrowdRows, printKillsRows, printRows } from './print.ts';
import { printWarmRows } from './print-warm.ts';
import { spoolRows } from './spool.ts';
import { statusLineRows } from './status-line.ts';
import { tmuxCrowdRows, tmuxRows } from './tmux.ts';
import { truthRows } from './truth.ts';
import { usageRows } from './usage.ts';
import { wakeRows } from './wake.ts';

const parts: Record<string, () => Promise<Row[]>> = {
  emitter: emitterRows,
  'status-line': statusLineRows,
  path: pathRows,
  spool: spoolRows,
  ingest: ingestRows,
  million: millionRows,
  refold: refoldRows,
  crowd: crowdRows,
  board: boardRows,
  page: pageRows,
  demo: demoRows,
  command: commandRows,
  truth: truthRows,
  idle: idleRows,
  hub: hubRows,
  'fleet-delay': fleetDelayRows,
  'fleet-memory': fleetMemoryRows,
  'fleet-claims': fleetClaimRows,
  'fleet-crowd': fleetCrowdRows,
  answer: answerRows,
  wake: wakeRows,
  tmux: tmuxRows,
  'tmux-crowd': tmuxCrowdRows,
  resume: resumeRows,
  usage: usageRows,
  print: printRows,
  'print-warm': printWarmRows,
  'print-crowd': printCrowdRows,
  'print-kills': printKillsRows,
};

const lineOf = (row: Row): string =>
  `| ${row.what} | ${row.target} | ${row.seen} | ${row.met ? 'yes' : '**no**'} |`;

const wanted = process.argv.slice(2).filter(word => word !== '--write');
const isWhole = wanted.length === 0 || process.argv.includes('--write');
/** `fleet` stands for all parts that begin with it. */
const partsNamed = (word: string): string[] => {
  const group = Object.keys(parts).filter(name => name.startsWith(`${word}-`));
  return parts[word] || group.length === 0 ? [word] : group;
};
const names = wanted.length ? wanted.flatMap(partsNamed) : Object.keys(parts);
const rows: Row[] = [];
for (const name of names) {
  process.stderr.write(`${name} …\n`);
  const part = parts[name];
  if (!part) throw new Error(`there is no part ${name}; parts: ${Object.keys(parts).join(', ')}`);
  const measured = await part();
  for (const row of measured) console.log(lineOf(row));
  rows.push(...measured);
}

const table = ['| measure | target | result | met |', '|---|---|---|---|', ...rows.map(lineOf)].join('\n');
console.log(`\n${table}`);

if (isWhole)
  writeFileSync(
    'docs/benchmarks.md',
    `# Benchmarks

Measured with \`npm run bench\`, in one run on one machine: Node ${process.versions.node}, Linux ${release()}, ${cpus().length} cores,
${Math.round(totalmem() / 2 ** 30)} GiB. Ratios are against a floor or a peer measured in the same run, alternating with it.

${table}
`,
  );
process.exitCode = rows.every(row => row.met) ? 0 : 1;
