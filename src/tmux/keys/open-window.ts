/** Opens a window that runs a program, and stays open for a moment when the program fails. */
import { DroverError } from '../../contract/error.ts';
import { tmux } from '../server/run.ts';

/** Opens it after the current window of the session, and shows it. No shell interprets the arguments of the program. */
export const openWindow = async (
  socket: string,
  session: string,
  name: string,
  argv: string[],
): Promise<void> => {
  const program = ['sh', '-c', keepFailedWindow, 'sh', ...argv];
  const { error } = await tmux(socket, [
    'new-window',
    '-a',
    '-t',
    `${session}:`,
    '-n',
    name,
    '--',
    ...program,
  ]);
  if (error) throw new DroverError('failed', error);
};

/** What the program said would vanish with its window. */
const keepFailedWindow = '"$@" || { printf "\\n%s ended with %s. Press Enter." "$1" "$?"; read -r _; }';
