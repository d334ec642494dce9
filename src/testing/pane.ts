/** A real pane on its own tmux server, for one test. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { captureScreen } from '../tmux/server/panes.ts';
import { descendants, processStart } from '../platform/processes.ts';
import { tmux } from '../tmux/server/run.ts';
import type { Target } from '../tmux/input/send.ts';
import { endServer, startPrivateServer } from '../tmux/server/private-server.ts';

export interface TestPane {
  /** Removed with the test. */
  folder: string;
  socket: string;
  pane: string;
}

/** Runs a shell script in a new pane; resolves when the screen shows this text. */
export const openTestPane = async (
  scriptIn: (folder: string) => string,
  shows?: string,
): Promise<TestPane> => {
  const folder = mkdtempSync(join(tmpdir(), 'dv-pane-'));
  const socket = join(folder, 't');
  onTestFinished(async () => {
    await endServer(socket);
    rmSync(folder, { recursive: true });
  });
  const script = join(folder, 'pane.sh');
  writeFileSync(script, scriptIn(folder));
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' };
  const { pane } = await startPrivateServer({ socket, script, cwd: folder, env });
  if (shows !== undefined)
    await expect.poll(() => captureScreen(socket, pane), { timeout: 5_000 }).toContain(shows);
  return { folder, socket, pane };
};

/** The pane to type into; its program replaces the CLI. */
export const targetIn = async ({ socket, pane }: Pick<TestPane, 'socket' | 'pane'>): Promise<Target> => {
  const { stdout } = await tmux(socket, ['display-message', '-p', '-t', pane, '#{pid} #{pane_pid}']);
  const [serverPid = 0, panePid = 0] = stdout.trim().split(' ').map(Number);
  const pid = descendants(panePid).at(-1) ?? panePid;
  return { socket, pane, serverPid, reader: { pid, start: processStart(pid) } };
};
