/** The error table: code, HTTP status, exit code, what happened, and what to do. */

export const errors = {
  usage: { status: 400, exit: 2, message: 'Wrong usage.', hint: 'See `drover --help`.' },
  bad_json: {
    status: 400,
    exit: 2,
    message: 'The body is not a JSON object.',
    hint: 'Send one JSON object in UTF-8.',
  },
  bad_request: {
    status: 400,
    exit: 2,
    message: 'The request does not match the schema.',
    hint: 'GET /openapi.json describes every route.',
  },
  bad_id: {
    status: 400,
    exit: 2,
    message: 'Not a session id.',
    hint: 'Use a UUID or a prefix of at least 6 hex digits.',
  },
  bad_cursor: {
    status: 400,
    exit: 2,
    message: 'The cursor is not a sequence number.',
    hint: 'Send the last `id:` you received, or 0 for the whole log.',
  },
  bad_config: {
    status: 500,
    exit: 2,
    message: 'config.json is invalid.',
    hint: 'Fix the line named above; `drover doctor` checks the file.',
  },
  unauthorized: {
    status: 401,
    exit: 7,
    message: 'A bearer token is required.',
    hint: 'Send `Authorization: Bearer …` with the content of the file `token` in DROVER_HOME (~/.drover), or make a token with `drover token add`.',
  },
  forbidden: {
    status: 403,
    exit: 7,
    message: 'This token does not have the required right.',
    hint: '`drover token ls` shows the rights of each token.',
  },
  bad_ticket: {
    status: 403,
    exit: 7,
    message: 'This ticket was already used or has expired.',
    hint: 'Run `drover open` for a new one.',
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
    message: 'Requests from other origins are rejected.',
    hint: 'In a browser, only the page of `drover open` can use the API.',
  },
  not_found: {
    status: 404,
    exit: 2,
    message: 'No such route.',
    hint: 'GET /openapi.json lists the routes.',
  },
  no_session: {
    status: 404,
    exit: 4,
    message: 'No such session.',
    hint: '`drover ls --all` lists known sessions.',
  },
  no_message: {
    status: 404,
    exit: 4,
    message: 'No such message.',
    hint: 'GET /sessions/:id/messages lists the receipts of a session. They are kept for 30 days.',
  },
  no_device: {
    status: 404,
    exit: 4,
    message: 'No such device.',
    hint: '`drover devices` lists the devices that are signed in.',
  },
  no_agent: {
    status: 404,
    exit: 4,
    message: 'No such agent.',
    hint: '`drover wake ls` lists the agents.',
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
    hint: 'Claude Code writes it with the first prompt.',
  },
  method: {
    status: 405,
    exit: 2,
    message: 'This route does not support that method.',
    hint: 'GET /openapi.json lists the methods of every route.',
  },
  ambiguous: {
    status: 409,
    exit: 5,
    message: 'Several sessions start with this prefix.',
    hint: 'Use more digits of the id.',
  },
  too_large: {
    status: 413,
    exit: 2,
    message: 'The body is too large.',
    hint: 'An event can have up to 24 MiB.',
  },
  busy: {
    status: 503,
    exit: 7,
    message: 'Too many open streams.',
    hint: 'Close some streams and try again.',
  },
  store_failed: {
    status: 503,
    exit: 7,
    message: 'The event could not be stored.',
    hint: 'Nothing was stored. Check the free disk space, then send it again.',
  },
  bad_event: {
    status: 422,
    exit: 7,
    message: 'The event is invalid and was not stored.',
    hint: 'Do not send it again; the message says what is wrong.',
  },
  internal: {
    status: 500,
    exit: 7,
    message: 'Internal error.',
    hint: 'See the daemon log; `drover status` shows its path.',
  },
  starting: {
    status: 503,
    exit: 3,
    message: 'The daemon is reading its log.',
    hint: 'After an update this can take a while, and nothing is lost. `drover up` waits until it is ready.',
  },
  other_build: {
    status: 409,
    exit: 7,
    message: 'The daemon is another version of Drover.',
    hint: 'Restart it with `drover restart`.',
  },
  daemon_down: {
    status: 503,
    exit: 3,
    message: 'The daemon is not running.',
    hint: 'Start it with `drover up`.',
  },
  already_running: {
    status: 409,
    exit: 6,
    message: 'Another daemon is already running for this DROVER_HOME.',
    hint: '`drover status` shows it; `drover down` stops it.',
  },
  newer_database: {
    status: 500,
    exit: 6,
    message: 'The database was written by a newer Drover.',
    hint: 'Update Drover. The file was not changed.',
  },
  bad_settings: {
    status: 500,
    exit: 7,
    message: 'The settings file cannot be edited safely.',
    hint: 'Fix it by hand.',
  },
  several_requests: {
    status: 409,
    exit: 6,
    message: 'Several requests are open.',
    hint: 'Name one with `--id`, or with `id` in the body.',
  },
  request_gone: {
    status: 409,
    exit: 6,
    message: 'This request is no longer open.',
    hint: 'Nothing was changed.',
  },
  stale_action: {
    status: 409,
    exit: 6,
    message: 'This notification can no longer be answered.',
    hint: 'Open the request on the page. Nothing was changed.',
  },
  refused: {
    status: 409,
    exit: 6,
    message: 'Not possible in the current state.',
    hint: 'Nothing was changed.',
  },
  not_in_tmux: {
    status: 409,
    exit: 6,
    message: 'Not inside a tmux pane, so there is no session to resume.',
    hint: 'Give at least 6 digits of a session id; `drover sessions` lists past sessions.',
  },
  no_pane_session: {
    status: 409,
    exit: 4,
    message: 'No session has run in this pane.',
    hint: 'Give at least 6 digits of a session id; `drover sessions` lists past sessions.',
  },
  nested: {
    status: 409,
    exit: 6,
    message: 'This command was run inside a Claude Code session.',
    hint: 'Use another pane. --dry-run prints the command without running it.',
  },
  not_joined: {
    status: 409,
    exit: 6,
    message: 'This machine is not in a fleet.',
    hint: '`drover fleet init` makes one, `drover fleet join TOKEN` joins one.',
  },
  bad_fleet: {
    status: 500,
    exit: 2,
    message: 'fleet.json cannot be read.',
    hint: 'Restore it, or run `drover fleet leave` and join again.',
  },
  already_joined: {
    status: 409,
    exit: 6,
    message: 'This machine is already in a fleet.',
    hint: '`drover fleet ls` shows it; `drover fleet leave` leaves it.',
  },
  bad_invitation: {
    status: 403,
    exit: 7,
    message: 'This token cannot be used.',
    hint: 'Make a new one with `drover fleet token` on the admin of the fleet.',
  },
  no_nats_server: {
    status: 500,
    exit: 7,
    message: 'nats-server is not installed.',
    hint: 'Install it with `sudo apt install nats-server` or `brew install nats-server`, or use an existing broker: `drover fleet init --url tls://HOST:4222`.',
  },
  no_host: {
    status: 404,
    exit: 4,
    message: 'No such host.',
    hint: '`drover fleet ls` lists the hosts.',
  },
  host_away: {
    status: 503,
    exit: 7,
    message: 'The host of this session is away.',
    hint: 'Nothing was sent. `drover fleet ls` shows when it was last seen.',
  },
  host_silent: {
    status: 504,
    exit: 7,
    message: 'The host did not answer in time.',
    hint: 'It may have executed the request. Check the session before you try again.',
  },
  host_too_old: {
    status: 501,
    exit: 7,
    message: 'The host runs an older drover that does not know this request.',
    hint: 'Update drover there.',
  },
  fleet_down: {
    status: 503,
    exit: 7,
    message: 'The broker of the fleet cannot be reached.',
    hint: 'Work on this machine continues. `drover fleet ls` shows since when.',
  },
  expired: {
    status: 409,
    exit: 7,
    message: 'The command arrived too late, so nothing was done.',
    hint: 'Send it again.',
  },
  unsupported: {
    status: 500,
    exit: 7,
    message: 'This platform is not supported.',
    hint: 'Drover runs on Linux and macOS. On Windows use WSL.',
  },
  failed: { status: 500, exit: 7, message: 'The operation failed.', hint: 'See the message for details.' },
} as const satisfies Record<string, { status: number; exit: number; message: string; hint: string }>;

export type ErrorCode = keyof typeof errors;

/** An error of the table. `detail` and `hint` replace the general texts with specific ones. */
export class DroverError extends Error {
  /** Compares names because each bundled verb has its own copy of this class. */
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
