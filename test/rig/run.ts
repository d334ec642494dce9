/** One child process, run to its end. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env: NodeJS.ProcessEnv;
  cwd: string;
  input?: string;
  /** After this the child is killed and `code` is null. */
  ms?: number;
  /** Called with the child as soon as there is one. */
  started?: (child: ChildProcess) => void;
}

/** Runs a program without a shell and returns its output; only a program that cannot start is an error. */
export function run(command: string, args: string[], options: RunOptions): Promise<Run> {
  return new Promise((resolve, reject) => {
    const { env, cwd, input = '', ms = 30_000, started } = options;
    const child = spawn(command, args, { env, cwd, timeout: ms, killSignal: 'SIGKILL' });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    started?.(child);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    // A child may exit without reading its input.
    child.stdin.on('error', () => {}).end(input);
    child.once('error', reject);
    child.once('close', code => resolve({ code, stdout: text(out), stderr: text(err) }));
  });
}

const text = (chunks: Buffer[]): string => Buffer.concat(chunks).toString('utf8');
