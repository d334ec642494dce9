/** Read the screen of a pane together with the facts that keys depend on, in one tmux command. */
import type { Pane } from '../../contract/session.ts';
import { captureWith } from './capture-with.ts';

/** What a pane shows at one moment. */
export interface PaneScreen {
  serverPid: number;
  panePid: number;
  /** The command in its foreground, by tmux's name for it. */
  command: string;
  /** Copy mode or another mode is open: keys sent to the pane would go there. The screen below it is read anyway. */
  inMode: boolean;
  /** When something was last painted in its window, in seconds since the epoch. */
  paintedAt: number;
  /** Whether its window has no other pane that may have painted then. */
  isAlone: boolean;
  width: number;
  height: number;
  /** The screen with its colours. */
  coloured: string;
  /** The rows as text, without spaces at their ends. The no-break space of an empty prompt line stays, as tmux compares it. */
  rows: string[];
}

const format =
  '#{pane_in_mode} #{window_activity} #{pane_width} #{pane_height} #{window_panes} #{pane_current_command}';

/** Read a pane; null when it is gone, or its server or process is not the known one. */
export const readPaneScreen = async (pane: Pane): Promise<PaneScreen | null> => {
  const captured = await captureWith(pane, format);
  if (!captured) return null;
  const { serverPid, panePid, facts, coloured } = captured;
  const [mode = 0, paintedAt = 0, width = 0, height = 0, panes = 0] = facts.slice(0, 5).map(Number);
  const command = facts.slice(5).join(' ');
  const rows = plain(coloured)
    .split('\n')
    .map(row => row.replace(/ +$/, ''));
  return {
    serverPid,
    panePid,
    command,
    inMode: mode > 0,
    paintedAt,
    isAlone: panes === 1,
    width,
    height,
    coloured,
    rows,
  };
};

/** Remove colours, links and everything else that is not text. */
const plain = (text: string): string =>
  text.replace(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[\d;:?]*[ -/]*[@-~]/g, '').replace(/[\x0e\x0f]/g, '');
