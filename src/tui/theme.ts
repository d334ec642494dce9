/** Colours by meaning, and none where the user or the terminal wants none. */
import { type Row, type Tone, toneOf } from '../client/board.ts';

export interface TextStyle {
  color?: string;
  dimColor?: boolean;
  bold?: boolean;
  inverse?: boolean;
}

const styles: Record<Tone, TextStyle> = {
  asking: { color: 'red' },
  stopped: { color: 'yellow' },
  working: { color: 'green' },
  background: { color: 'cyan' },
  stalled: { color: 'magenta' },
  ready: {},
  deferred: { dimColor: true },
  stale: { dimColor: true },
  ended: { color: 'gray' },
};

export const styleOf = (row: Row, colours: boolean): TextStyle => (colours ? styles[toneOf(row)] : {});

/** Text in one colour, where colours are on. */
export const tint = (color: string, colours: boolean): TextStyle => (colours ? { color } : {});
