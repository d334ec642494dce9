/** Reads the prompt from a file, else from the argument, else from standard input. */
import { readFileSync } from 'node:fs';
import { limits } from '../limits.ts';
import { PrintFailure } from './failure.ts';

export interface PromptSource {
  file: string | undefined;
  argument: string | undefined;
  /** Null when it is a terminal. Called only when needed: node takes some ms to open it. */
  stdin: () => Input | null;
}

type Input = AsyncIterable<Buffer> & { destroy: () => unknown };

export const readPrompt = async ({ file, argument, stdin }: PromptSource): Promise<string> => {
  if (file !== undefined) return checked(fromFile(file));
  if (argument !== undefined) return checked(argument);
  const input = stdin();
  if (!input) throw new PrintFailure('no_input', 'no prompt: pass one as an argument, with -f or on stdin');
  return checked(await fromStream(input));
};

const checked = (text: string): string => {
  if (text.includes('\0')) throw new PrintFailure('internal_error', 'the prompt contains a NUL byte');
  if (text.trim() === '') throw new PrintFailure('no_input', 'the prompt is empty');
  if (Buffer.byteLength(text) > limits.print.promptBytes) throw tooLarge();
  return text;
};

const fromFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new PrintFailure('no_input', `cannot read ${file}: ${(error as Error).message}`);
  }
};

const fromStream = async (stdin: Input): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stdin) {
      bytes += chunk.length;
      if (bytes > limits.print.promptBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof PrintFailure) throw error;
    throw new PrintFailure('no_input', `cannot read standard input: ${(error as Error).message}`);
  } finally {
    stdin.destroy();
  }
  return Buffer.concat(chunks).toString('utf8');
};

const tooLarge = () =>
  new PrintFailure(
    'internal_error',
    `the prompt is larger than ${limits.print.promptBytes / 1024 / 1024} MiB`,
  );
