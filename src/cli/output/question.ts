/** Asks questions on a terminal that one key answers. */
import { boardLimits } from '../../board-limits.ts';
import { clean } from '../../client/text.ts';
import type { Env } from '../../paths.ts';

/** Returns whether a person can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/** Asks a yes/no question. Enter and y are yes; n, Esc and Ctrl-C are no. */
export const confirm = async (question: string): Promise<boolean> => {
  const answer = await ask(`${question} [Y/n] `, key => {
    if (/^[yY\r\n]/.test(key)) return true;
    return /^[nN\u0003\u0004\u001b]/.test(key) ? false : undefined;
  });
  process.stdout.write(`${answer ? 'yes' : 'no'}\n`);
  return answer;
};

/**
 * Asks before something is destroyed or answered for good: only y is yes, Enter is no, and any other key asks again. What was
 * typed before the question was shown, and what was pasted, does not answer it.
 */
export const confirmAction = async (question: string): Promise<boolean> => {
  // The clock of the machine may be set back while the question is shown.
  const shownAt = performance.now();
  const prompt = `${question} [y/N] `;
  const again = (): undefined => void process.stdout.write(clean(`\n${prompt}`));
  const answer = await ask(prompt, key => {
    if (key === '\u0003' || key === '\u0004') return false;
    if (performance.now() - shownAt < boardLimits.confirmDelay) return again();
    if (/^[yY]$/.test(key)) return true;
    return /^[nN\r\n\u001b]$/.test(key) ? false : again();
  });
  process.stdout.write(`${answer ? 'yes' : 'no'}\n`);
  return answer;
};

/** Asks to choose an option by number; null for none. */
export const choice = async (question: string, options: string[]): Promise<string | null> => {
  const few = options.slice(0, 9);
  for (const [at, option] of few.entries()) process.stdout.write(`  ${at + 1}  ${clean(option)}\n`);
  const answer = await ask(`${question} [1-${few.length}, n] `, key => {
    if (/^[nN\r\n\u0003\u0004\u001b]/.test(key)) return null;
    return few[Number(key[0]) - 1];
  });
  process.stdout.write(`${clean(answer ?? 'none')}\n`);
  return answer;
};

/** Abbreviates the home directory to `~`. */
export const tilde = (path: string, { HOME }: Env): string =>
  HOME && (path === HOME || path.startsWith(`${HOME}/`)) ? `~${path.slice(HOME.length)}` : path;

/** Reads keys until one is an answer, then restores the terminal. The end of input answers as Ctrl-D does, which is always no. */
const ask = <T>(question: string, answerOf: (key: string) => T | undefined): Promise<T> =>
  new Promise(resolve => {
    process.stdout.write(clean(question));
    const { stdin } = process;
    stdin.setRawMode(true);
    const finish = (answer: T) => {
      stdin.off('data', onData).off('end', onEnd).off('error', onEnd);
      if (!stdin.destroyed) stdin.setRawMode(false);
      stdin.pause();
      resolve(answer);
    };
    const onData = (bytes: Buffer) => {
      const answer = answerOf(bytes.toString('utf8'));
      if (answer !== undefined) finish(answer);
    };
    const onEnd = () => finish(answerOf('\u0004') as T);
    stdin.on('data', onData).on('end', onEnd).on('error', onEnd).resume();
  });
