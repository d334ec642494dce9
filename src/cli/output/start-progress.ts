/** Shows how far a daemon that is starting has come, on standard error: in one line of a terminal, else each ten percent. */
import type { Call } from '../verb.ts';

export const startProgress = ({
  err,
}: Pick<Call, 'err'>): { show: (text: string) => void; end: () => void } => {
  const isTerminal = process.stderr.isTTY === true;
  let shown = '';
  return {
    show: text => {
      // Without a terminal `40 %` to `49 %` are one step.
      const step = isTerminal ? text : text.replace(/\d(?= %)/, '');
      if (step === shown) return;
      shown = step;
      if (isTerminal) process.stderr.write(`\r${text}\x1b[K`);
      else err(text);
    },
    end: () => {
      if (isTerminal && shown !== '') process.stderr.write('\r\x1b[K');
      shown = '';
    },
  };
};
