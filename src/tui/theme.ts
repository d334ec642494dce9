/** Colours that mean something, and none where the user or the terminal wants none. */
import type { Row } from '../client/board.ts';

export interface Look {
  color?: string;
  dimColor?: boolean;
  bold?: boolean;
  inverse?: boolean;
}

/** Red: its turn is held up by a dialog. Yellow: it waits. Green: it works. Magenta: look into it. Grey: later or over. */
export const lookOf = ({ session, group }: Row, colours: boolean): Look => {
  if (!colours) return {};
  if (group === 'deferred') return { dimColor: true };
  if (group === 'ended') return { color: 'gray' };
  if (session.stalled) return { color: 'magenta' };
  if (group === 'working') return { color: session.state === 'background' ? 'cyan' : 'green' };
  if (group === 'ready') return {};
  return { color: session.reason === 'stopped' || session.reason === 'interrupted' ? 'yellow' : 'red' };
};

/** A word in one colour, or as it is. */
export const tint = (color: string, colours: boolean): Look => (colours ? { color } : {});
