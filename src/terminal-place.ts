/** Where a process outside tmux runs: the terminal program whose window shows it, and its tty. */
import { lineage, processEnv, processName, terminalOf } from './platform/processes.ts';

export interface TerminalPlace {
  /** The terminal program, e.g. `iTerm2`; null when it is not known. */
  program: string | null;
  /** The device, e.g. `/dev/pts/3`; null without a terminal. */
  tty: string | null;
}

/** Finds the place of a process; null when it is gone. */
export const terminalPlaceOf = (pid: number): TerminalPlace | null => {
  const terminal = terminalOf(pid);
  if (!terminal) return null;
  const { path: tty } = terminal;
  if (tty === null) return { program: null, tty };
  const { TERM_PROGRAM: named } = processEnv(pid, ['TERM_PROGRAM']) ?? {};
  return { program: programName(named) ?? terminalAbove(lineage(pid).slice(1)), tty };
};

/** `iTerm2 on /dev/ttys003`. */
export const placeText = ({ program, tty }: TerminalPlace): string =>
  tty === null ? 'no terminal' : `${program ?? 'a terminal'} on ${tty}`;

/** The nearest ancestor that is not a shell or something that a shell runs. */
const terminalAbove = (pids: number[]): string | null => {
  for (const pid of pids) {
    const name = processName(pid)?.replace(/^-/, '');
    if (name !== undefined && !between.test(name)) return programName(name);
  }
  return null;
};

/** Programs that may run between a terminal and Claude Code. */
const between =
  /^(?:\w*sh|claude|node|npm|npx|bun|login|su|sudo|env|script|timeout|nohup|make|direnv|systemd|\(sd-pam\)|MainThread)$/;

/** A name that people know, for the short name of a process or the value of TERM_PROGRAM. */
const programName = (name: string | undefined): string | null => {
  if (!name) return null;
  return programs.find(([pattern]) => pattern.test(name))?.[1] ?? name;
};

const programs: [RegExp, string][] = [
  [/^(?:vscode|code)/i, 'VS Code'],
  [/^cursor/i, 'Cursor'],
  [/^iTerm/i, 'iTerm2'],
  [/^(?:Apple_Terminal|Terminal)$/, 'Terminal'],
  [/^gnome-terminal/, 'GNOME Terminal'],
  [/^wezterm/i, 'WezTerm'],
  [/^ghostty/i, 'Ghostty'],
  [/^jetbrains/i, 'JetBrains IDE'],
  [/^zed/i, 'Zed'],
  // The app on macOS runs a program of this name.
  [/^(?:Warp\w*|stable)$/i, 'Warp'],
  [/^sshd/, 'ssh'],
];
