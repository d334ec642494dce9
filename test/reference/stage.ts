/** The corpus in a fresh home: a pane for each that was recorded, with a process called claude in it where one still ran. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { slugOf } from '../../src/claude/slug.ts';
import { pidNamespace, processStart } from '../../src/platform/processes.ts';
import type { World } from '../rig/world.ts';
import type { Corpus } from './corpus.ts';

/** What the placeholders of a corpus stand for in this world. */
export interface Stage {
  /** When the first file was written, ms. */
  base: number;
  serverPid: number;
  /** The ids of the panes and the pids of the processes; the first belongs to number 1. */
  panes: string[];
  pids: number[];
}

/** Puts it all there. When this resolves the spool is as it was at the end of the recording, for a daemon that starts now. */
export const setStage = async (world: World, corpus: Corpus): Promise<Stage> => {
  const stage = await openPanes(world, corpus);
  const fill = filler(world, stage);
  const sessions = join(world.home, '.claude', 'sessions');
  const spool = join(world.droverHome, 'spool');
  mkdirSync(sessions, { recursive: true });
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  for (const { process, content } of corpus.sessionFiles)
    writeFileSync(join(sessions, `${stage.pids[process - 1]}.json`), fill(content));
  for (const { name, at, content } of corpus.files) {
    writeFileSync(join(spool, name), fill(content), { mode: 0o600 });
    // The half millisecond keeps the rounding of a fraction of seconds away from the millisecond before.
    const seconds = (stage.base + at + 0.5) / 1_000;
    utimesSync(join(spool, name), seconds, seconds);
  }
  // The youngest file is of a moment from now: the daemon must not come before it.
  await pauseFor(Math.max(0, stage.base + (corpus.files.at(-1)?.at ?? 0) + 1 - Date.now()));
  return stage;
};

const openPanes = async (world: World, { panes, processes }: Corpus): Promise<Stage> => {
  const binary = join(world.root, 'claude');
  copyFileSync('/bin/sleep', binary);
  const stage: Stage = { base: 0, serverPid: 0, panes: [], pids: [] };
  const panePids: number[] = [];
  for (let n = 1; n <= panes; n++) {
    const isAlive = processes.some(({ pane, isAlive: runs }) => pane === n && runs);
    // A window that is named is not renamed by tmux after what runs in it.
    const place = ['-s', `session-${n}`, '-n', `window-${n}`, '-c', world.dir()];
    const told = ['-P', '-F', '#{pane_id} #{pane_pid} #{pid}'];
    const command = ['env', isAlive ? binary : 'sleep', '36000'];
    const [pane = '', pid = '', server = ''] = (
      await world.tmux(['new-session', '-d', ...told, ...place, ...command])
    )
      .trim()
      .split(' ');
    stage.panes.push(pane);
    panePids.push(Number(pid));
    stage.serverPid = Number(server);
  }
  stage.pids = processes.map(({ pane, isAlive }) =>
    isAlive && pane !== null ? (panePids[pane - 1] ?? 0) : deadPid(),
  );
  // What the queue writes into tmux it writes only where Drover's tmux.conf is loaded.
  const { code, stderr } = await world.drover('setup', '--tmux');
  if (code !== 0) throw new Error(stderr);
  // A process that is younger than the last event of its session would count as another one.
  stage.base = Date.now() - 500;
  return stage;
};

/** The pid of a process that has ended. */
const deadPid = (): number => spawnSync('true').pid;

const filler = (world: World, stage: Stage): ((text: string) => string) => {
  const values: Record<string, (n: number) => string | number | undefined> = {
    SOCKET: () => world.socket,
    SLUG: () => slugOf(world.root),
    ROOT: () => world.root,
    MODEL: () => new URL(world.model.url).host,
    TREE: () => '/tree',
    SERVER_PID: () => stage.serverPid,
    PANE: n => stage.panes[n - 1],
    PID: n => stage.pids[n - 1],
    START: n => processStart(stage.pids[n - 1] ?? 0) ?? '',
    HOST: () => hostname(),
    NS: () => pidNamespace(),
    AT: n => stage.base + n,
  };
  return text =>
    text.replace(/\{\{([A-Z_]+)(?::(\d+))?\}\}/g, (whole, name: string, n = '0') =>
      String(values[name]?.(Number(n)) ?? whole),
    );
};
