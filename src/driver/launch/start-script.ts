/**
 * The shell scripts that start a CLI in a pane. A script keeps its arguments and its environment off tmux's command line,
 * where every user of the machine could read them.
 */
import { markers } from '../../claude/markers.ts';
import { loadLine } from '../../files/environment-file.ts';
import { quote } from '../../quote.ts';

export interface CliCommand {
  dir: string;
  /** Holds the variables that are added to the pane's environment. It is removed before the CLI starts. */
  environmentFile: string;
  argv: string[];
}

/** Becomes the CLI, so that the pane's process is the CLI itself. */
export const execScript = ({ dir, environmentFile, argv }: CliCommand): string =>
  [
    `cd -- ${quote(dir)} || exit 1`,
    `unset ${markers.join(' ')}`,
    loadLine(environmentFile),
    `exec ${commandOf(argv)}`,
    '',
  ].join('\n');

/**
 * Runs the CLI, records its pid and its exit code, and stays: if the CLI were the terminal's only process, its last output
 * would often be lost with it. TMUX is unset so that hooks that ignore sockets do not take the pane for one of the user's.
 */
export const supervisedScript = (files: { pid: string; ended: string }, argv: string[]): string =>
  `unset TMUX TMUX_PANE
sh -c 'umask 077; echo $$ >"$0"; exec "$@"' ${quote(files.pid)} ${commandOf(argv)}
code=$?
umask 077
echo $code >${quote(files.ended)}
while :; do read -r line || sleep 60; done
`;

const commandOf = (argv: string[]): string => argv.map(quote).join(' ');
