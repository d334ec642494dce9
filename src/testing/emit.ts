/** Runs the real emitter as Claude Code runs a hook. */
import { spawn } from 'node:child_process';
import { handlerFor } from '../hook/install/command.ts';
import type { Paths } from '../paths.ts';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export const emit = (
  paths: Paths,
  event: string,
  payload: string | Buffer,
  env: Record<string, string> = {},
  command = handlerFor(event, { HOME: '/nowhere', DROVER_HOME: paths.home }).command,
  shell = '/bin/sh',
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(shell, ['-c', command], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const ran: Ran = { code: null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', chunk => {
      ran.stdout += String(chunk);
    });
    child.stderr.on('data', chunk => {
      ran.stderr += String(chunk);
    });
    child.stdin.on('error', () => {});
    child.stdin.end(payload);
    child.on('error', reject);
    child.on('close', code => resolve({ ...ran, code }));
  });
