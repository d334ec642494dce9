/** The one table of errors: code, what is said, HTTP status, exit code, and what to do about it. */

export const errors = {
  usage: { status: 400, exit: 2, message: 'Wrong usage.', hint: 'See `drover <verb> --help`.' },
  bad_json: {
    status: 400,
    exit: 2,
    message: 'The body is not a JSON object.',
    hint: 'Send one JSON object, UTF-8.',
  },
  bad_request: {
    status: 400,
    exit: 2,
    message: 'The request is not of the expected form.',
    hint: 'GET /openapi.json has the form of every route.',
  },
  bad_id: {
    status: 400,
    exit: 2,
    message: 'That is not a session id.',
    hint: 'A session id is a UUID, or a prefix of 6 hex digits or more.',
  },
  bad_cursor: {
    status: 400,
    exit: 2,
    message: 'The cursor is not a sequence number.',
    hint: 'Send the last `id:` you saw, or 0 for all that is kept.',
  },
  bad_config: {
    status: 500,
    exit: 2,
    message: 'config.json cannot be used.',
    hint: 'Mend the named line; `drover doctor` checks it.',
  },
  unauthorized: {
    status: 401,
    exit: 7,
    message: 'A bearer token is needed.',
    hint: 'Send `Authorization: Bearer $(cat ~/.drover/token)`.',
  },
  forbidden: {
    status: 403,
    exit: 7,
    message: 'This token lacks the right for that.',
    hint: '`drover token ls` shows the rights of each token.',
  },
  bad_ticket: {
    status: 403,
    exit: 7,
    message: 'That ticket was used, or is too old.',
    hint: '`drover open` makes a new one.',
  },
  bad_host: {
    status: 403,
    exit: 7,
    message: 'This Host is not allowed.',
    hint: 'Use 127.0.0.1 or localhost with the bound port.',
  },
  bad_origin: {
    status: 403,
    exit: 7,
    message: 'Requests from other origins are refused.',
    hint: 'Only the page of `drover open` speaks to Drover from a browser.',
  },
  not_found: {
    status: 404,
    exit: 2,
    message: 'There is no such route.',
    hint: 'GET /openapi.json lists the routes.',
  },
  no_session: {
    status: 404,
    exit: 4,
    message: 'No such session.',
    hint: '`drover events` shows the sessions that are known.',
  },
  no_message: {
    status: 404,
    exit: 4,
    message: 'No such message.',
    hint: 'Receipts are kept for 30 days; GET /sessions/:id/messages lists those of a session.',
  },
  no_agent: {
    status: 404,
    exit: 4,
    message: 'No such agent.',
    hint: '`drover wake ls` lists them.',
  },
  no_token: {
    status: 404,
    exit: 4,
    message: 'No such token.',
    hint: '`drover token ls` lists the named tokens.',
  },
  no_transcript: {
    status: 404,
    exit: 4,
    message: 'The session has no transcript.',
    hint: 'It is written with the first prompt.',
  },
  method: {
    status: 405,
    exit: 2,
    message: 'That method does not fit this route.',
    hint: 'GET /openapi.json lists the methods of every route.',
  },
  ambiguous: {
    status: 409,
    exit: 5,
    message: 'Several sessions begin with that.',
    hint: 'Give more digits of the id.',
  },
  too_large: { status: 413, exit: 2, message: 'The body is too large.', hint: 'An event may have 24 MiB.' },
  busy: { status: 503, exit: 7, message: 'Too many readers.', hint: 'Close some streams and try again.' },
  store_failed: {
    status: 503,
    exit: 7,
    message: 'The event could not be kept.',
    hint: 'Look at free disk space; nothing was taken, send it again.',
  },
  bad_event: {
    status: 422,
    exit: 7,
    message: 'The event cannot be stored.',
    hint: 'The message says why; sending it again does not help.',
  },
  internal: {
    status: 500,
    exit: 7,
    message: 'Something went wrong inside Drover.',
    hint: 'The daemon log has the details: `drover status` says where.',
  },
  daemon_down: {
    status: 503,
    exit: 3,
    message: 'The daemon is not running.',
    hint: '`drover up` starts it.',
  },
  daemon_held: {
    status: 409,
    exit: 6,
    message: 'Another daemon already serves this DROVER_HOME.',
    hint: '`drover status` shows it, `drover down` stops it.',
  },
  newer_database: {
    status: 500,
    exit: 6,
    message: 'The database was written by a newer Drover.',
    hint: 'Update this Drover; the file was not touched.',
  },
  bad_settings: {
    status: 500,
    exit: 7,
    message: 'The settings file cannot be edited safely.',
    hint: 'Mend it by hand; it was left untouched.',
  },
  several_requests: {
    status: 409,
    exit: 6,
    message: 'Several requests are open.',
    hint: 'Name one of them: `--id`, or `id` in the body.',
  },
  request_gone: {
    status: 409,
    exit: 6,
    message: 'This request is no longer open.',
    hint: 'Nothing was changed.',
  },
  refused: {
    status: 409,
    exit: 6,
    message: 'Refused in this state.',
    hint: 'Read the message; nothing was changed.',
  },
  not_in_tmux: {
    status: 409,
    exit: 6,
    message: 'This is no pane of tmux, so there is no session to take up again.',
    hint: 'Name one by 6 digits of its id, or more; `drover sessions` lists them.',
  },
  no_pane_session: {
    status: 409,
    exit: 4,
    message: 'This pane has had no session.',
    hint: 'Name one by 6 digits of its id, or more; `drover sessions` lists them.',
  },
  nested: {
    status: 409,
    exit: 6,
    message: 'This runs inside a session of Claude Code.',
    hint: 'Use another pane; --dry-run prints what would be run.',
  },
  unsupported: {
    status: 500,
    exit: 7,
    message: 'This platform is not supported.',
    hint: 'Drover runs on Linux; on Windows use WSL.',
  },
  failed: { status: 500, exit: 7, message: 'That did not work.', hint: 'The message says what was tried.' },
} as const satisfies Record<string, { status: number; exit: number; message: string; hint: string }>;

export type ErrorCode = keyof typeof errors;

/** An error with a code of the table. `detail` says what it was this time; `hint` may be sharper than the table's. */
export class DroverError extends Error {
  /** Each verb is a bundle with a copy of this class: an error is known by its name, not by its copy. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'DroverError';
  }

  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, detail?: string, hint?: string) {
    super(detail ?? errors[code].message);
    this.name = 'DroverError';
    this.code = code;
    this.hint = hint ?? errors[code].hint;
  }

  get status(): number {
    return errors[this.code].status;
  }

  get exit(): number {
    return errors[this.code].exit;
  }

  toJSON() {
    return { error: { code: this.code, message: this.message, hint: this.hint } };
  }
}
