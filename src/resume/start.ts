/** Starting Claude Code in this terminal, and being out of its way until it ends. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { DroverError } from '../contract/error.ts';
import type { Env } from '../paths.ts';

export interface Start {
  argv: string[];
  dir: string;
  env: Env;
}

/** Runs the CLI with this terminal and resolves with its exit code, as a shell would tell it. */
export const start = ({ argv, dir, env }: Start): Promise<number> =>
  new Promise((resolve, reject) => {
    const [program = 'claude', ...args] = argv;
    const child = spawn(program, args, { cwd: dir, stdio: 'inherit', env: { ...env, PWD: dir } });
    // Keys reach it from the terminal itself; what is sent to this process alone is handed on.
    const ignore = () => {};
    const hand = (signal: NodeJS.Signals) => void child.kill(signal);
    process.on('SIGINT', ignore).on('SIGQUIT', ignore).on('SIGTERM', hand).on('SIGHUP', hand);
    const over = () =>
      process.off('SIGINT', ignore).off('SIGQUIT', ignore).off('SIGTERM', hand).off('SIGHUP', hand);
    child.once('error', error => {
      over();
      reject(new DroverError('failed', `${program} could not be started: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      over();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
