/** Runs drover on another machine by its stored paths. */
import { DroverError } from '../../contract/error.ts';
import type { Env } from '../../paths.ts';
import type { SshPlace } from '../membership.ts';
import { lastLine, runSsh } from './run-ssh.ts';
import { droverCommand, sshArgs } from './ssh-command.ts';

export interface RunDroverOptions {
  env: Env;
  ms: number;
  /** Goes to its standard input, for what nobody else may read. */
  input?: string;
  /** Nobody can answer a question of ssh. */
  isUnattended?: boolean;
  /** Starts the daemon there first, in a login shell, whose PATH its sessions need. */
  startsDaemon?: boolean;
}

/** Runs drover with `--json` and returns what it printed; throws if it failed. */
export const runDrover = async <T>(
  place: Pick<SshPlace, 'destination' | 'options' | 'node' | 'main' | 'home'>,
  args: string[],
  { env, ms, input, isUnattended = false, startsDaemon = false }: RunDroverOptions,
): Promise<T> => {
  const start = startsDaemon ? '"$SHELL" -lic "drover up" </dev/null >/dev/null 2>&1; ' : '';
  const command = start + droverCommand(place, [...args, '--json']);
  const { code, out, err } = await runSsh(sshArgs(place, command, { isUnattended }), {
    env,
    ms,
    ...(input !== undefined && { input }),
  });
  const output = jsonIn(out);
  if (code === 0 && output) return output as T;
  const { message, hint } = (output as { error?: { message?: string; hint?: string } } | null)?.error ?? {};
  throw new DroverError(
    'failed',
    message ?? (lastLine(err) || (code === null ? 'ssh does not answer.' : `ssh exited with ${code}.`)),
    hint,
  );
};

/** The last line that is JSON: login shells may print other things. */
const jsonIn = (out: string): unknown => {
  const line = out.split('\n').findLast(one => one.startsWith('{'));
  try {
    return line === undefined ? null : JSON.parse(line);
  } catch {
    return null;
  }
};
