/** The ways a run can fail, each with claude-print's exit code. */

const exits = {
  assistant_error: 1,
  error_max_turns: 1,
  permission_required: 1,
  internal_error: 2,
  no_input: 4,
  timeout: 124,
  interrupted: 130,
} as const;

export type Subtype = keyof typeof exits;

export class PrintFailure extends Error {
  /** The terminal's last output, where that may help. */
  screen: string | null = null;

  constructor(
    readonly subtype: Subtype,
    message: string,
  ) {
    super(message);
    this.name = 'PrintFailure';
  }

  get exit(): number {
    return exits[this.subtype];
  }
}

/** Converts anything thrown to a failure. Unexpected errors are internal errors. */
export const failureOf = (error: unknown): PrintFailure =>
  error instanceof PrintFailure
    ? error
    : new PrintFailure('internal_error', error instanceof Error ? error.message : String(error));
