/**
 * The corpus of one version: the spool files of real sessions and, of the sessions that still ran at the end, their session
 * files. Facts of the machine that recorded them are placeholders, such as {{SOCKET}} or {{PID:3}}.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostname } from 'node:os';
import { slugOf } from '../../src/claude/slug.ts';
import { pidNamespace, processStart } from '../../src/platform/processes.ts';
import type { World } from '../rig/world.ts';
import { headOf, type SpoolFile } from './spool.ts';

interface Process {
  /** The number of its pane; null for one outside of tmux. */
  pane: number | null;
  /** It still ran when the recording ended. */
  isAlive: boolean;
}

export interface Corpus {
  /** In the order in which the daemon takes them; `at` is ms since the first. */
  files: SpoolFile[];
  panes: number;
  /** The first is {{PID:1}}. */
  processes: Process[];
  sessionFiles: { process: number; content: string }[];
}

const here = new URL('../../test/reference/', import.meta.url);
export const fileOf = (name: string): string => new URL(name, here).pathname;
const spoolFile = (version: string): string => fileOf(`spool-${version}.jsonl`);
const worldFile = (version: string): string => fileOf(`world-${version}.jsonl`);

export const readCorpus = (version: string): Corpus => ({
  ...(JSON.parse(readFileSync(worldFile(version), 'utf8')) as Omit<Corpus, 'files'>),
  files: readFileSync(spoolFile(version), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as SpoolFile),
});

export const writeCorpus = (version: string, { files, ...rest }: Corpus): void => {
  writeFileSync(spoolFile(version), files.map(file => `${JSON.stringify(file)}\n`).join(''));
  writeFileSync(worldFile(version), `${JSON.stringify(rest)}\n`);
};

/** Gaps between two files are cut to this, ms: a replay must not take as long as the sessions did. */
const gapAtMost = 4;

/** Makes a corpus from the spool of a world in which only the sessions with a wanted state still run. */
export const corpusOf = (world: World, spool: SpoolFile[]): Corpus => {
  const heads = spool.map(({ content }) => headOf(content));
  const panes = numbered(heads.map(({ pane }) => pane));
  const pids = numbered(heads.flatMap(({ pid, parent }) => [pid, parent]));
  const [{ tmux } = { tmux: '' }] = heads.filter(head => head.tmux !== '');
  const server = tmux.split(',')[1] ?? '';
  const offsets = cutGaps(spool.map(({ at }) => at));
  const offsetAt = (time: number): number => {
    const last = spool.findLastIndex(({ at }) => at <= time);
    return last < 0 ? 0 : (offsets[last] ?? 0) + Math.min(time - (spool[last]?.at ?? 0), gapAtMost);
  };
  const words: [string, string][] = [
    [world.socket, '{{SOCKET}}'],
    [slugOf(world.root), '{{SLUG}}'],
    [world.root, '{{ROOT}}'],
    [new URL(world.model.url).host, '{{MODEL}}'],
    [new URL('../..', here).pathname, '{{TREE}}/'],
  ];
  const clean = (text: string): string =>
    words.reduce((cleaned, [word, place]) => cleaned.replaceAll(word, place), text);
  const cleanHead = (content: string): string => {
    const fields = content.split('\0', 13);
    const rest = content.slice(fields.join('\0').length);
    fields[3] = (fields[3] ?? '').replace(`,${server},`, ',{{SERVER_PID}},');
    fields[4] = placeOf('PANE', panes, fields[4]);
    fields[5] = placeOf('PID', pids, fields[5]);
    fields[6] = placeOf('PID', pids, fields[6]);
    fields[11] = fields[11] === hostname() ? '{{HOST}}' : '';
    fields[12] = fields[12] === pidNamespace() ? '{{NS}}' : '';
    return fields.join('\0') + rest;
  };
  const cleanSessionFile = (text: string, pid: string): string =>
    clean(text)
      .replace(/"pid":\d+/, `"pid":${placeOf('PID', pids, pid)}`)
      // It names the machine.
      .replace(/"pidDomain":"[^"]*",/, '')
      .replace(/"procStart":"[^"]*"/, `"procStart":"${placeOf('START', pids, pid)}"`)
      .replace(/%\d+/g, pane => placeOf('PANE', panes, pane))
      .replace(/(?<=At":)\d{13}/g, time => `{{AT:${offsetAt(Number(time))}}}`);
  const folder = join(world.home, '.claude', 'sessions');
  const alive = [...pids.keys()].filter(
    pid => existsSync(join(folder, `${pid}.json`)) && processStart(Number(pid)) !== null,
  );
  return {
    files: spool.map(({ name, content }, n) => ({
      name,
      at: offsets[n] ?? 0,
      content: clean(cleanHead(content)),
    })),
    panes: panes.size,
    processes: [...pids.keys()].map(pid => {
      const pane = heads.find(head => head.pid === pid || head.parent === pid)?.pane ?? '';
      return { pane: panes.get(pane) ?? null, isAlive: alive.includes(pid) };
    }),
    sessionFiles: alive.map(pid => ({
      process: pids.get(pid) ?? 0,
      content: cleanSessionFile(readFileSync(join(folder, `${pid}.json`), 'utf8'), pid),
    })),
  };
};

/** Whether every file in the folder of a world's sessions can be read: the CLI rewrites them in place. */
export const areSessionFilesWhole = (world: World): boolean => {
  const folder = join(world.home, '.claude', 'sessions');
  return readdirSync(folder).every(name => {
    try {
      JSON.parse(readFileSync(join(folder, name), 'utf8'));
      return true;
    } catch {
      return false;
    }
  });
};

const numbered = (words: string[]): Map<string, number> =>
  new Map([...new Set(words.filter(Boolean))].map((word, n) => [word, n + 1]));

const placeOf = (name: string, numbers: Map<string, number>, word = ''): string =>
  word === '' ? '' : `{{${name}:${numbers.get(word) ?? 0}}}`;

/** Times since the first, with long gaps cut short. Equal times stay equal: the pid in the name then tells the order. */
const cutGaps = (times: number[]): number[] => {
  let sum = 0;
  return times.map((time, n) => (sum += Math.min(time - (times[n - 1] ?? time), gapAtMost)));
};
