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
  const tty = ttyName(terminal.tty);
  if (tty === null) return { program: null, tty };
  const { TERM_PROGRAM: named } = processEnv(pid, ['TERM_PROGRAM']) ?? {};
  return { program: programName(named) ?? terminalAbove(lineage(pid).slice(1)), tty };
};

/** `iTerm2 on /dev/ttys003`. */
export const placeText = ({ program, tty }: TerminalPlace): string =>
  tty === null ? 'no terminal' : `${program ?? 'a terminal'} on ${tty}`;

/** The name of a tty from what the platform says: a name, or the number of its device on Linux. */
export const ttyName = (tty: string): string | null => {
  if (tty === '') return null;
  if (!/^\d+$/.test(tty)) return tty.startsWith('/dev/') ? tty : `/dev/${tty}`;
  const number = Number(tty);
  const major = (number >> 8) & 0xfff;
  const minor = (number & 0xff) | ((number >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`;
  return major === 4 && minor < 64 ? `/dev/tty${minor}` : null;
};

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
