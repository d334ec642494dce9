/** Capture what a pane shows now, in colour. */
import type { Screen } from '../../contract/api.ts';
import type { Pane } from '../../contract/session.ts';
import { captureWith } from './capture-with.ts';

/** Capture text and colours of a pane's screen; null when the pane is gone or its id was reused. */
export const previewOf = async (pane: Pane): Promise<Screen | null> => {
  const captured = await captureWith(pane, '#{pane_width} #{pane_height}');
  if (!captured) return null;
  const [width = 0, height = 0] = captured.facts.map(Number);
  return { text: keepColours(captured.coloured), width, height };
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
