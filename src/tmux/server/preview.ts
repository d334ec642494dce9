/** Capture what a pane shows now, in colour. */
import type { Screen } from '../../contract/api.ts';
import type { Pane } from '../../contract/session.ts';
import { keepColours } from '../../keep-colours.ts';
import { captureWith } from './capture-with.ts';

/** Capture text and colours of a pane's screen; null when the pane is gone or its id was reused. */
export const capturePreview = async (pane: Pane): Promise<Screen | null> => {
  const captured = await captureWith(pane, '#{pane_width} #{pane_height}');
  if (!captured) return null;
  const [width = 0, height = 0] = captured.facts.map(Number);
  return { text: keepColours(captured.coloured), width, height };
};
