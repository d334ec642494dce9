/** Runs one command on another machine. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { DroverError } from '../../contract/error.ts';
import type { Env } from '../../paths.ts';

export interface SshResult {
  code: number | null;
  out: string;
  err: string;
}

/** Runs ssh with these arguments. Its standard error is collected; ssh itself asks on the terminal for passwords and host keys. */
export const runSsh = async (
  args: string[],
  { env, input, ms }: { env: Env; input?: string; ms: number },
): Promise<SshResult> => {
  const child = spawn('ssh', args, { env, stdio: 'pipe', timeout: ms });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  // It may exit before it has read everything.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  try {
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, out, err };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new DroverError('failed', 'ssh is not installed.', 'Install OpenSSH, or use `drover fleet token`.');
  }
};

/** The last line that ssh wrote, which says why it failed. */
export const lastLine = (text: string): string =>
  text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(Boolean)
    .at(-1)
    ?.slice(0, 200) ?? '';
