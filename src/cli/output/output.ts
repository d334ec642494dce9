/** The one way from a command to a terminal: no text of others can carry a control character there. */
import { clean, escaped } from '../../client/text.ts';

export interface Output {
  /** One line or several, in one of the terminal's own colours (0: none). With `--json` it is one JSON value. */
  out: (text: string, colour?: number) => void;
  err: (text: string) => void;
  /** What somebody else wrote and a program may want as it is: untouched into a pipe or file, cleaned on a terminal. */
  payload: (text: string) => void;
}

export interface Streams {
  out: { write: (text: string) => unknown; isTTY?: boolean };
  err: { write: (text: string) => unknown };
}

/** `isJson` is asked at each line: the flags are known later than the first error. */
export const outputTo = ({ out, err }: Streams, isJson: () => boolean): Output => ({
  out: (text, colour = 0) => void out.write(`${isJson() ? escaped(text) : painted(clean(text), colour)}\n`),
  err: text => void err.write(`${clean(text)}\n`),
  payload: text => void out.write(`${out.isTTY ? clean(text) : text}\n`),
});

const painted = (text: string, colour: number): string => (colour ? `\x1b[${colour}m${text}\x1b[0m` : text);
