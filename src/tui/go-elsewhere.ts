/** Goes to a session of another host, by the same way as `drover go`. */
import { spawn, spawnSync } from 'node:child_process';
import type { Env } from '../paths.ts';

/** Inside tmux: opens a window for the session. Rejects with what `drover go` said. */
export const openWindow = (id: string, env: Env): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, goCommand(id), { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output = `${output}${chunk.toString('utf8')}`.slice(-2_000);
    });
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve();
      else reject(new Error(reasonOf(output, code)));
    });
  });

/** Outside tmux: hands the terminal to the session until it is left. Returns what went wrong; null: nothing. */
export const takeTerminal = (id: string, env: Env): string | null => {
  // What is said on the screen of the terminal would be gone with it.
  const { status, stderr } = spawnSync(process.execPath, goCommand(id), {
    env,
    stdio: ['inherit', 'inherit', 'pipe'],
  });
  return status === 0 ? null : reasonOf(stderr.toString('utf8'), status);
};

const reasonOf = (output: string, code: number | null): string =>
  output
    .trim()
    .slice(-2_000)
    .replaceAll(/\s*\n\s*/g, ' ') || `\`drover go\` exited with ${code}`;

/** This program itself, whatever PATH leads to. */
const goCommand = (id: string): string[] => [process.argv[1] ?? '', 'go', id];
