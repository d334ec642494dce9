/** What a pane shows now, for a picture of it elsewhere. */
import type { Screen } from '../../contract/api.ts';
import type { Pane } from '../../contract/session.ts';
import { tmux } from './run.ts';

const head = '#{pid} #{pane_pid} #{pane_width} #{pane_height}';

/** The text and colours on a pane's screen; null when the pane is gone, or its id is another one's by now. */
export const previewOf = async (pane: Pane): Promise<Screen | null> => {
  const { ok, stdout } = await tmux(pane.socket, [
    'display-message',
    '-p',
    '-t',
    pane.id,
    head,
    ';',
    'capture-pane',
    '-p',
    '-e',
    '-t',
    pane.id,
  ]);
  if (!ok) return null;
  const cut = stdout.indexOf('\n');
  const [serverPid, pid, width = 0, height = 0] = stdout.slice(0, cut).split(' ').map(Number);
  if (pane.serverPid !== null && pane.serverPid !== serverPid) return null;
  if (pane.pid !== null && pane.pid !== pid) return null;
  return { text: onlyColours(stdout.slice(cut + 1)), width, height };
};

/** The text with its colour sequences; whatever else could move a cursor or ask a terminal is left out. */
export const onlyColours = (text: string): string =>
  text
    .replace(/\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)/g, '')
    .split(/(\x1b\[[\d;:]*m)/)
    .map((piece, n) =>
      n % 2
        ? piece
        : piece.replace(/\x1b(?:\[[\d;:?]*[ -/]*[@-~]|[ -/]*[0-~])?|[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, ''),
    )
    .join('');
