/** An error that the daemon answered. It carries its own message and hint, so the page needs no error table. */
import type { ErrorCode } from '../../contract/error.ts';

export class DaemonError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly hint = '',
  ) {
    super(message);
    this.name = 'DaemonError';
  }
}

/** Reads the error in an answer. */
export const errorIn = (text: string): DaemonError => {
  try {
    const { error } = JSON.parse(text) as { error: { code: ErrorCode; message: string; hint: string } };
    return new DaemonError(error.code, error.message, error.hint);
  } catch {
    return new DaemonError('failed', `The daemon answered ${JSON.stringify(text.slice(0, 200))}.`);
  }
};

/** Whether an error has this code. */
export const hasCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof DaemonError && error.code === code;

/** The message of an error with its hint. */
export const errorText = (error: unknown): string => {
  const { message, hint } = error as Error & { hint?: string };
  return hint ? `${message} ${hint}` : message;
};
