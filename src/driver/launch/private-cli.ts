/** A CLI in its own tmux server: nothing of the user's tmux, and all of it ends with the run. */
import { existsSync, readFileSync } from 'node:fs';
import { withoutMarkers } from '../../claude/markers.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { createPrivate } from '../../files/private-file.ts';
import { processStart } from '../../platform/processes.ts';
import type { Target } from '../../tmux/input/send.ts';
import { endServer, type PrivateServer, startPrivateServer } from '../../tmux/server/private-server.ts';
import { pollUntil } from '../../poll-until.ts';
import { endProcess, isAlive, type ProcessRef, processRef } from '../stop/end-process.ts';
import { supervisedScript } from './start-script.ts';

export interface PrivateCli extends PrivateServer {
  cliPid: number;
  /** Identifies the process together with its pid; null when it had already ended. */
  start: string | null;
}

/** The files of a CLI, in a folder that only its user can read. */
export interface CliFiles {
  settings: string;
  /** The script that the terminal runs. */
  start: string;
  /** Holds the CLI's pid. */
  pid: string;
  /** Holds its exit code, once it has ended. */
  ended: string;
  socket: string;
}

export interface Launch {
  claude: string;
  flags: string[];
  inheritHooks: boolean;
  env: Env;
  cwd: string;
}

/** Starts it and resolves when its process is known. */
export const startPrivateCli = async (files: CliFiles, launch: Launch): Promise<PrivateCli> => {
  const argv = [launch.claude, ...argumentsOf(files, launch)];
  createPrivate(files.start, supervisedScript(files, argv), 0o600);
  const { socket, start: script } = files;
  const { cwd } = launch;
  const server = await startPrivateServer({ socket, script, cwd, env: environmentOf(launch.env) });
  const cliPid = await readPid(files.pid);
  return { ...server, cliPid, start: processStart(cliPid) };
};

/** The shell writes its pid first of all, within a few ms. */
const readPid = async (file: string): Promise<number> => {
  let text = '';
  const isWritten = await pollUntil(
    () => {
      text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return text.endsWith('\n');
    },
    limits.print.exitGrace,
    3,
  );
  if (!isWritten) throw new Error('the terminal did not start claude');
  return Number(text);
};

const argumentsOf = (files: CliFiles, { inheritHooks, flags }: Launch): string[] => [
  `--settings=${files.settings}`,
  ...(inheritHooks ? [] : ['--setting-sources=']),
  ...flags,
];

const environmentOf = (env: Env): Env => ({
  ...withoutMarkers(env),
  CLAUDE_CODE_ENTRYPOINT: 'cli',
  CLAUDE_CODE_FORCE_SESSION_PERSISTENCE: '1',
  // Drover's own hooks, where the user has them, list this session as headless.
  DROVER_ENTRYPOINT: 'print',
});

export const processOf = ({ cliPid, start }: PrivateCli): ProcessRef => ({ pid: cliPid, start });

export const isRunning = (cli: PrivateCli): boolean => isAlive(processOf(cli));

/** The pane to type into, and the CLI that must read it. */
export const targetOf = (cli: PrivateCli): Target => {
  const { socket, pane, pid } = cli;
  return { socket, pane, serverPid: pid, reader: processOf(cli) };
};

/**
 * Ends the terminal's process and, where that is a wrapper, the CLI behind it: a signal to the wrapper does not reach the CLI.
 */
export const endPrivateCli = async (cli: PrivateCli, behindWrapper = cli.cliPid): Promise<void> => {
  const own = processOf(cli);
  const processes = behindWrapper === cli.cliPid ? [own] : [processRef(behindWrapper), own];
  await Promise.all(
    processes.map(one => endProcess(one, { term: limits.print.exitGrace, kill: limits.print.exitGrace })),
  );
};

/** Ends the terminal. Call it when the CLI in it has ended. */
export const endPrivateTerminal = async ({ pid, socket }: PrivateCli): Promise<void> => {
  const server = processRef(pid);
  if (!isAlive(server)) return;
  // A signal starts no further process; tmux's own command is the fallback.
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    return;
  }
  if (!(await pollUntil(() => !isAlive(server), 1_000, 3))) await endServer(socket);
};
