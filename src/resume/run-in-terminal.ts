/** Run Claude Code in this terminal, and wait for its exit. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { DroverError } from '../contract/error.ts';
import type { Env } from '../paths.ts';

export interface TerminalRun {
  argv: string[];
  dir: string;
  env: Env;
}

/** Run the CLI in this terminal; resolves with its exit code as a shell reports it. */
export const runInTerminal = ({ argv, dir, env }: TerminalRun): Promise<number> =>
  new Promise((resolve, reject) => {
    const [program = 'claude', ...args] = argv;
    const child = spawn(program, args, { cwd: dir, stdio: 'inherit', env: { ...env, PWD: dir } });
    // The terminal sends Ctrl-C to the CLI itself. Signals that only reach this process are passed on.
    const ignore = () => {};
    const forward = (signal: NodeJS.Signals) => void child.kill(signal);
    process.on('SIGINT', ignore).on('SIGQUIT', ignore).on('SIGTERM', forward).on('SIGHUP', forward);
    const removeHandlers = () =>
      process.off('SIGINT', ignore).off('SIGQUIT', ignore).off('SIGTERM', forward).off('SIGHUP', forward);
    child.once('error', error => {
      removeHandlers();
      reject(new DroverError('failed', `Could not start ${program}: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      removeHandlers();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
