/**
 * Who reads the keys of a pane. `%3` names another pane after a restart of the server, and a shell stands in the pane once the
 * CLI has exited. So the CLI must be in the foreground of its terminal before a key is sent, and tmux compares server, pane process
 * and foreground command in the same command that sends the key.
 */
import { lineage, processName, processStart, processWords, type Terminal, terminalOf } from '../../proc.ts';

/** The CLI that keys are meant for. With its start the pid names one process for ever; null: it had ended already. */
export interface Reader {
  pid: number;
  start: string | null;
}

/** It reads the keys: the pane's process is one of these, and tmux shows this command (null: not comparable). */
export interface Reads {
  ok: true;
  panePids: number[];
  command: string | null;
}

export type Reading =
  | Reads
  /** It does not; `why` finishes a sentence about the pane. */
  | { ok: false; why: string };

/** Whether the CLI reads what is typed into its pane at this moment. */
export const readingOf = ({ pid, start }: Reader, serverPid: number | null): Reading => {
  if (start === null || processStart(pid) !== start)
    return { ok: false, why: 'Claude Code has exited there' };
  if (shells.has(processName(pid) ?? '')) return { ok: false, why: 'a shell runs there' };
  const pids = lineage(pid);
  const above = serverPid === null ? -1 : pids.indexOf(serverPid);
  const panePids = above < 0 ? pids : pids.slice(0, above);
  // A program like `script` puts a terminal of its own between: on each of them the lowest process must be in the foreground.
  const lowest = new Map<string, Terminal>();
  for (const terminal of panePids.flatMap(one => terminalOf(one) ?? []))
    if (terminal.tty !== '' && !lowest.has(terminal.tty)) lowest.set(terminal.tty, terminal);
  const terminals = [...lowest.values()];
  const behind = terminals.find(({ group, foreground }) => group !== foreground);
  if (behind)
    return { ok: false, why: `${processName(behind.foreground) ?? 'a shell'} is in the foreground` };
  const outer = terminals.at(-1);
  if (!outer) return { ok: false, why: 'Claude Code has no terminal there' };
  return { ok: true, panePids, command: commandName(outer.foreground) };
};

/** The condition as a tmux format: false for a restarted server, a reused pane id, a respawned pane and another foreground command. */
export const readingFormat = ({ panePids, command }: Reads, serverPid: number | null): string =>
  [
    ...(serverPid === null ? [] : [`#{==:#{pid},${serverPid}}`]),
    ...(command === null ? [] : [`#{==:#{pane_current_command},${command}}`]),
  ].reduce((all, one) => `#{&&:${one},${all}}`, `#{m/r:^(${panePids.join('|')})$,#{pane_pid}}`);

/** The name that tmux shows for a process: its first word without the folder. Null where it may differ, or cannot stand in a format. */
export const commandName = (pid: number): string | null => {
  if (process.platform !== 'linux') return null;
  const [word = ''] = processWords(pid);
  const name = (word.split(' ')[0] ?? '').replace(/^-+/, '').replace(/^\/.*\//, '');
  return /^[A-Za-z0-9_./+-]+$/.test(name) ? name : null;
};

/** No CLI runs under these names. */
const shells = new Set([
  'sh',
  'bash',
  'dash',
  'ash',
  'zsh',
  'fish',
  'ksh',
  'mksh',
  'csh',
  'tcsh',
  'nu',
  'elvish',
  'xonsh',
  'pwsh',
]);
