/**
 * Checks which process reads the keys of a pane. After a restart of the server `%3` is another pane, and when the CLI has exited
 * a shell reads the keys. So the CLI must be in the foreground of its terminal before a key is sent, and tmux compares server,
 * pane process and foreground command in the same command that sends the key.
 */
import {
  forgetReadings,
  hasExactArgs,
  isSameProcess,
  lineage,
  processArgs,
  processName,
  type Terminal,
  terminalOf,
} from '../../platform/processes.ts';

/** The CLI that keys are meant for. Its start identifies it after its pid is reused; null: it had already ended. */
export interface Reader {
  pid: number;
  start: string | null;
}

/** It reads the keys: the pane's process is one of these, and tmux shows this command. */
export interface ReadsPane {
  ok: true;
  panePids: number[];
  /** Null: it cannot be compared. */
  command: string | null;
  /** Where the command cannot be compared: tmux must not show a shell. */
  isNoShell?: boolean;
}

/** A CLI in another pid namespace: only tmux can tell what runs in the pane. */
export interface ForeignReader {
  panePid: number;
}

export type ReaderCheck =
  | ReadsPane
  /** It does not; `why` completes a sentence about the pane. */
  | { ok: false; why: string };

/** Checks whether the CLI reads what is typed into its pane at this moment. */
export const checkReader = (reader: Reader | ForeignReader, serverPid: number | null): ReaderCheck => {
  if ('panePid' in reader)
    return serverPid === null
      ? { ok: false, why: 'its tmux server is not known' }
      : { ok: true, panePids: [reader.panePid], command: 'claude' };
  const { pid, start } = reader;
  forgetReadings();
  const pids = lineage(pid);
  if (!isSameProcess(pid, start)) return { ok: false, why: 'Claude Code has exited there' };
  if (shells.has(processName(pid) ?? '')) return { ok: false, why: 'a shell runs there' };
  const server = serverPid === null ? -1 : pids.indexOf(serverPid);
  const panePids = server < 0 ? pids : pids.slice(0, server);
  // A program like `script` adds its own terminal: on each terminal the lowest process must be in the foreground.
  const lowest = new Map<string, Terminal>();
  for (const terminal of panePids.flatMap(one => terminalOf(one) ?? []))
    if (terminal.tty !== '' && !lowest.has(terminal.tty)) lowest.set(terminal.tty, terminal);
  const terminals = [...lowest.values()];
  const behind = terminals.find(({ group, foreground }) => group !== foreground);
  if (behind)
    return { ok: false, why: `${processName(behind.foreground) ?? 'a shell'} is in the foreground` };
  const outer = terminals.at(-1);
  if (!outer) return { ok: false, why: 'Claude Code has no terminal there' };
  const command = commandName(outer.foreground);
  const isNoShell = command === null && !shells.has(processName(outer.foreground) ?? '');
  return { ok: true, panePids, command, ...(isNoShell && { isNoShell }) };
};

/** The same check as a tmux format. It fails for a restarted server, a reused pane id, a respawned pane and another command. */
export const readerFormat = (
  { panePids, command, isNoShell = false }: ReadsPane,
  serverPid: number | null,
): string =>
  [
    ...(serverPid === null ? [] : [`#{==:#{pid},${serverPid}}`]),
    ...(command === null ? [] : [`#{==:#{pane_current_command},${command}}`]),
    ...(isNoShell ? [`#{?#{m/r:^(${[...shells].join('|')})$,#{pane_current_command}},0,1}`] : []),
  ].reduce((all, one) => `#{&&:${one},${all}}`, `#{m/r:^(${panePids.join('|')})$,#{pane_pid}}`);

/** The name that tmux shows for a process: its first word without the folder. Null when it may differ or does not fit into a format. */
export const commandName = (pid: number): string | null => {
  // What tmux shows on macOS is the name of the program's file, which ps does not print.
  if (!hasExactArgs) return null;
  const [word = ''] = processArgs(pid);
  const name = (word.split(' ')[0] ?? '').replace(/^-+/, '').replace(/^\/.*\//, '');
  return /^[A-Za-z0-9_./+-]+$/.test(name) ? name : null;
};

/** Names that a CLI never has. */
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
