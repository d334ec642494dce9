/** The CLI of a run: its environment, its command line, its start and its end. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutMarkers } from '../../claude/markers.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { processStart } from '../../proc.ts';
import { quote } from '../../quote.ts';
import { endServer, type PrivateServer, startPrivateServer } from '../../tmux/server/private-server.ts';
import type { Target } from '../../tmux/input/send.ts';
import { type RunDir, writePrivate } from './run-dir.ts';

export interface Child extends PrivateServer, Running {}

interface Running {
  cliPid: number;
  /** With the pid it names one process for ever; null when it had ended before anyone looked. */
  start: string | null;
}

/** How the CLI is started. */
export interface Launch {
  claude: string;
  flags: string[];
  inheritHooks: boolean;
  /** A prompt that may stand on its command line. */
  prompt: string | null;
  env: Env;
  cwd: string;
}

export const startChild = async (dir: RunDir, launch: Launch): Promise<Child> => {
  const words = [launch.claude, ...argumentsOf(dir, launch)].map(quote).join(' ');
  writePrivate(dir.start, startScript(dir, words), 0o600);
  const { socket, start: script } = dir;
  const { cwd } = launch;
  const server = await startPrivateServer({ socket, script, cwd, env: environmentOf(launch.env) });
  const cliPid = await pidFrom(dir.pid);
  return { ...server, cliPid, start: processStart(cliPid) };
};

/**
 * The shell stays behind the CLI: were the CLI the terminal's only process, its last words would often be lost with it.
 * And the pane must not be taken for one of the user's server by hooks that know nothing of sockets.
 */
const startScript = ({ pid, ended }: RunDir, words: string): string =>
  `unset TMUX TMUX_PANE
sh -c 'umask 077; echo $$ >"$0"; exec "$@"' ${quote(pid)} ${words}
code=$?
umask 077
echo $code >${quote(ended)}
while :; do read -r line || sleep 60; done
`;

/** The shell writes it first of all; by then it is a few ms old. */
const pidFrom = async (file: string): Promise<number> => {
  let text = '';
  await becomes(() => {
    text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return text.endsWith('\n');
  }, limits.print.exitGrace);
  if (!text.endsWith('\n')) throw new Error('the terminal did not start claude');
  return Number(text);
};

const argumentsOf = (dir: RunDir, { inheritHooks, flags, prompt }: Launch): string[] => [
  `--settings=${dir.settings}`,
  ...(inheritHooks ? [] : ['--setting-sources=']),
  ...flags,
  // Behind `--` a leading dash is text; a leading `/` would be a slash command still.
  ...(prompt === null ? [] : ['--', `${/^[!/]/.test(prompt) ? ' ' : ''}${prompt}`]),
];

export const environmentOf = (env: Env): Env => ({
  ...withoutMarkers(env),
  CLAUDE_CODE_ENTRYPOINT: 'cli',
  CLAUDE_CODE_FORCE_SESSION_PERSISTENCE: '1',
  // Drover's own hooks, where the user has them, list this session as headless.
  DROVER_ENTRYPOINT: 'print',
});

/** Its pane, and the CLI that must read what is typed there. */
export const targetOf = ({ socket, pane, pid, cliPid, start }: Child): Target => ({
  socket,
  pane,
  serverPid: pid,
  reader: { pid: cliPid, start },
});

export const isAlive = ({ cliPid, start }: Running): boolean =>
  start !== null && processStart(cliPid) === start;

/** Ends what the terminal runs and, where that is a wrapper, the CLI behind it, which a signal to the wrapper does not reach. */
export const endChild = async (child: Child, behind = child.cliPid): Promise<void> => {
  const wrapped = { cliPid: behind, start: processStart(behind) };
  await Promise.all((behind === child.cliPid ? [child] : [wrapped, child]).map(endProcess));
};

/** SIGTERM, which the CLI answers by writing all it holds back; after a grace SIGKILL. */
const endProcess = async (running: Running): Promise<void> => {
  signal(running, 'SIGTERM');
  if (await becomes(() => !isAlive(running), limits.print.exitGrace)) return;
  signal(running, 'SIGKILL');
  await becomes(() => !isAlive(running), limits.print.exitGrace);
};

/** The terminal goes after what ran in it. */
export const endTerminal = async ({ pid, socket }: Child): Promise<void> => {
  const start = processStart(pid);
  if (start === null) return;
  // By a signal, which takes no further process; if that does not do, by tmux's own command.
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    return;
  }
  if (!(await becomes(() => processStart(pid) !== start, 1_000))) await endServer(socket);
};

const signal = (running: Running, name: NodeJS.Signals): void => {
  if (!isAlive(running)) return;
  try {
    process.kill(running.cliPid, name);
  } catch {
    // It has just ended by itself.
  }
};

/** Nothing tells of the end of a process that is not our child: it must be looked for. */
const becomes = async (isSo: () => boolean, ms: number): Promise<boolean> => {
  const deadline = performance.now() + ms;
  while (!isSo()) {
    if (performance.now() > deadline) return false;
    await pause(3);
  }
  return true;
};
