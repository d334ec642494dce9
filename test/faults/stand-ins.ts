/** Sessions that cost little: a process called `claude` in a pane of the world's tmux server, with its own session file. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStart } from '../../src/platform/processes.ts';
import type { World } from '../rig/world.ts';

export interface StandIn {
  id: string;
  pid: number;
  /** The variables of a hook that it fires. */
  env: Record<string, string>;
}

/** Starts one; its session file says that it is idle, as the CLI's own does between two turns. */
export const standIn = async (world: World, id: string): Promise<StandIn> => {
  const binary = join(world.root, 'stand-in', 'claude');
  mkdirSync(join(world.root, 'stand-in'), { recursive: true });
  if (!made.has(binary)) copyFileSync('/bin/sleep', binary);
  made.add(binary);
  const folder = join(world.home, '.claude', 'sessions');
  mkdirSync(folder, { recursive: true });
  const told = '#{pane_pid} #{pane_id} #{socket_path},#{pid},0';
  const words = ['new-session', '-d', '-P', '-F', told, '-c', world.dir(), 'env', binary, '36000'];
  const [word = '', pane = '', tmux = ''] = (await world.tmux(words)).trim().split(' ');
  const pid = Number(word);
  const now = Date.now();
  const file = {
    pid,
    sessionId: id,
    cwd: world.dir(),
    startedAt: now,
    procStart: processStart(pid),
    version: '2.1.325',
    kind: 'interactive',
    entrypoint: 'cli',
    status: 'idle',
    statusUpdatedAt: now,
  };
  writeFileSync(join(folder, `${pid}.json`), JSON.stringify(file));
  const env = { CLAUDE_PID: word, TMUX: tmux, TMUX_PANE: pane, CLAUDE_CODE_ENTRYPOINT: 'cli' };
  return { id, pid, env };
};

const made = new Set<string>();
