/** Capture what a pane shows now, in colour. */
import type { Screen } from '../../contract/api.ts';
import type { Pane } from '../../contract/session.ts';
import { tmux } from './run.ts';

const format = '#{pid} #{pane_pid} #{pane_width} #{pane_height}';

/** Capture text and colours of a pane's screen; null when the pane is gone or its id was reused. */
export const previewOf = async (pane: Pane): Promise<Screen | null> => {
  const { ok, stdout } = await tmux(pane.socket, [
    'display-message',
    '-p',
    '-t',
    pane.id,
    format,
    ';',
    'capture-pane',
    '-p',
    '-e',
    '-t',
    pane.id,
  ]);
  if (!ok) return null;
  const firstBreak = stdout.indexOf('\n');
  const [serverPid, pid, width = 0, height = 0] = stdout.slice(0, firstBreak).split(' ').map(Number);
  if (pane.serverPid !== null && pane.serverPid !== serverPid) return null;
  if (pane.pid !== null && pane.pid !== pid) return null;
  return { text: keepColours(stdout.slice(firstBreak + 1)), width, height };
};

/** Keep text and colour sequences; remove everything else that a terminal would obey. */
export const keepColours = (text: string): string =>
  text
    .replace(/\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)/g, '')
    .split(/(\x1b\[[\d;:]*m)/)
    .map((piece, n) =>
      n % 2
        ? piece
        : piece.replace(/\x1b(?:\[[\d;:?]*[ -/]*[@-~]|[ -/]*[0-~])?|[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, ''),
    )
    .join('');
