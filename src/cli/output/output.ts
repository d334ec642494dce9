/** Writes to the terminal and removes control characters from foreign text. */
import { clean, escaped } from '../../client/text.ts';

export interface Output {
  /** Writes text in an ANSI colour (0: none). With `--json` it is one JSON value. */
  out: (text: string, colour?: number) => void;
  err: (text: string) => void;
  /** Writes foreign text: unchanged into a pipe or file, cleaned on a terminal. */
  payload: (text: string) => void;
}

export interface Streams {
  out: { write: (text: string) => unknown; isTTY?: boolean };
  err: { write: (text: string) => unknown };
}

/** `isJson` is a function because flags are parsed after the first possible error. */
export const outputTo = ({ out, err }: Streams, isJson: () => boolean): Output => ({
  out: (text, colour = 0) => void out.write(`${isJson() ? escaped(text) : paint(clean(text), colour)}\n`),
  err: text => void err.write(`${clean(text)}\n`),
  payload: text => void out.write(`${out.isTTY ? clean(text) : text}\n`),
});

const paint = (text: string, colour: number): string => (colour ? `\x1b[${colour}m${text}\x1b[0m` : text);
