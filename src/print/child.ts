/** The CLI of a run: its environment, its command line, its start and its end. */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../limits.ts';
import type { Env } from '../paths.ts';
import { processStart } from '../proc.ts';
import { quote } from '../quote.ts';
import { endServer, type PrivateServer, startPrivateServer } from '../tmux/private-server.ts';
import type { Request } from './request.ts';
import { type RunDir, writePrivate } from './run-dir.ts';

export interface Child extends PrivateServer {
  /** With the pid it names one process for ever. */
  start: string | null;
}

export const startChild = async (dir: RunDir, request: Request): Promise<Child> => {
  const words = [request.claude.path, ...argumentsOf(dir, request)].map(quote).join(' ');
  // The pane must not be taken for one of the user's server by hooks that know nothing of sockets.
  writePrivate(dir.start, `unset TMUX TMUX_PANE\nexec ${words}\n`, 0o600);
  const { socket, start: script } = dir;
  const server = await startPrivateServer({
    socket,
    script,
    cwd: request.cwd,
    env: environmentOf(request.env),
  });
  writePrivate(dir.pid, `${server.panePid}\n`, 0o600);
  return { ...server, start: processStart(server.panePid) };
};

/** The prompt goes on as an argument only if it stood on a command line before, and if one argument can hold it. */
export const promptAsArgument = ({ prompt }: Request): boolean =>
  prompt.shown && Buffer.byteLength(prompt.text) <= limits.promptArgument;

const argumentsOf = (dir: RunDir, request: Request): string[] => [
  `--settings=${dir.settings}`,
  ...(request.inheritHooks ? [] : ['--setting-sources=']),
  ...request.flags,
  // Behind `--` a leading dash is text; a leading `/` would be a slash command still.
  ...(promptAsArgument(request)
    ? ['--', `${/^[!/]/.test(request.prompt.text) ? ' ' : ''}${request.prompt.text}`]
    : []),
];

/** What a session sets for those it starts. Inherited, it makes a CLI take itself for a child and keep no transcript. */
const markers = [
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SKIP_PROMPT_HISTORY',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_PID',
  'CLAUDE_PROJECT_DIR',
  'TMUX',
  'TMUX_PANE',
];

export const environmentOf = (env: Env): Env => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !markers.includes(name))),
  CLAUDE_CODE_ENTRYPOINT: 'cli',
  CLAUDE_CODE_FORCE_SESSION_PERSISTENCE: '1',
  // Drover's own hooks, where the user has them, list this session as headless.
  DROVER_ENTRYPOINT: 'print',
});

export const isAlive = ({ panePid, start }: Child): boolean =>
  start !== null && processStart(panePid) === start;

/** SIGTERM, which the CLI answers by writing all it holds back; after a grace SIGKILL. */
export const endChild = async (child: Child): Promise<void> => {
  signal(child, 'SIGTERM');
  if (await gone(() => !isAlive(child), limits.endGrace)) return;
  signal(child, 'SIGKILL');
  await gone(() => !isAlive(child), limits.endGrace);
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
  if (!(await gone(() => processStart(pid) !== start, 1_000))) await endServer(socket);
};

const signal = (child: Child, name: NodeJS.Signals): void => {
  if (!isAlive(child)) return;
  try {
    process.kill(child.panePid, name);
  } catch {
    // It has just ended by itself.
  }
};

/** Nothing tells of the end of a process that is not our child: it must be looked for. */
const gone = async (isGone: () => boolean, ms: number): Promise<boolean> => {
  const deadline = performance.now() + ms;
  while (!isGone()) {
    if (performance.now() > deadline) return false;
    await pause(3);
  }
  return true;
};
