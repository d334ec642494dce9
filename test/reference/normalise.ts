/** Takes out of an outcome what differs from one replay to the next: paths, processes, times, and the numbers of late events. */
import { slugOf } from '../../src/claude/slug.ts';
import type { Daemon } from '../rig/drover.ts';
import type { World } from '../rig/world.ts';
import type { Corpus } from './corpus.ts';
import type { Stage } from './stage.ts';

export interface Normaliser {
  text: (text: string) => string;
  value: (value: unknown) => unknown;
}

export const normaliser = (world: World, daemon: Daemon, corpus: Corpus, stage: Stage): Normaliser => {
  const words: [string, string][] = [
    [world.socket, '{{SOCKET}}'],
    [slugOf(world.root), '{{SLUG}}'],
    [world.root, '{{ROOT}}'],
    [new URL(world.model.url).host, '{{MODEL}}'],
    ['/tree/', '{{TREE}}/'],
  ];
  const text = (given: string): string =>
    words.reduce((cleaned, [word, place]) => cleaned.replaceAll(word, place), given);
  const panes = new Map(stage.panes.map((pane, n) => [pane, `{{PANE:${n + 1}}}`]));
  const pids = new Map(stage.pids.map((pid, n) => [pid, `{{PID:${n + 1}}}`]));
  pids.set(stage.serverPid, '{{SERVER_PID}}').set(daemon.pid, '{{DAEMON}}');
  const last = corpus.files.at(-1)?.at ?? 0;

  /** A time as ms since the first file. What comes after the last one is the daemon's own time. */
  const time = (ms: number): string => {
    const offset = ms - stage.base;
    return offset > last ? 'later' : `+${offset}`;
  };
  const number = (key: string, value: number): unknown => {
    if (/pid$/i.test(key)) return pids.get(value) ?? '{{OTHER_PID}}';
    if (value > 1e12) return time(value);
    // Events of other sources come after those of the corpus, in any order.
    if (/^(?:seq|id|request)$/.test(key)) return value > corpus.files.length ? 'later' : value;
    return value;
  };
  const string = (key: string, value: string): string => {
    if (key === '@meta.claude.latest_hook_time') return 'seconds';
    if (key === '@drover_daemon') return pids.get(Number(value)) ?? value;
    if (key === 'procStart') return '{{START}}';
    return panes.get(value) ?? text(value);
  };
  const normal = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map(item => normal(item, key));
    if (typeof value === 'number') return number(key, value);
    if (typeof value === 'string') return string(key, value);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, normal(item, name)]));
  };
  return { text, value: normal };
};
