/** Every path that Drover reads or writes. */
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

export type Env = Record<string, string | undefined>;

/** Return HOME, else the home from the password file. */
export const userHome = (env: Env): string => env.HOME || homedir();

/** DROVER_HOME, else ~/.drover. */
export const droverHome = (env: Env): string =>
  env.DROVER_HOME ? resolve(env.DROVER_HOME) : join(userHome(env), '.drover');

/** Claude's own folder: CLAUDE_CONFIG_DIR, else ~/.claude. */
export const claudeDir = (env: Env): string =>
  env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : join(userHome(env), '.claude');

export const pathsAt = (home: string) => ({
  home,
  config: join(home, 'config.json'),
  /** What `drover config edit` opens, and the schema that editors check it by. */
  configCopy: join(home, 'config.edit.json'),
  configSchema: join(home, 'config.schema.json'),
  token: join(home, 'token'),
  /** Named tokens, by their hashes. */
  tokens: join(home, 'tokens.json'),
  /** Signed-in browsers, by the hashes of their keys. */
  pages: join(home, 'pages.json'),
  /** The keys of this daemon for push services. */
  pushKeys: join(home, 'push-keys.json'),
  /** Files that redirect a browser to the page; each is removed with its ticket. */
  opening: join(home, 'opening'),
  daemon: join(home, 'daemon.json'),
  socket: join(home, 'drover.sock'),
  lock: join(home, 'daemon.lock'),
  db: join(home, 'drover.db'),
  /** The full-text index; exists only while it is turned on. */
  search: join(home, 'search.db'),
  /** Notifications that were sent, failed or were suppressed, a line each. */
  notices: join(home, 'notices.jsonl'),
  /** Tokens and cost of all sessions. */
  usage: join(home, 'usage.db'),
  /** Databases that SQLite could no longer read. */
  damaged: join(home, 'damaged'),
  spool: join(home, 'spool'),
  /** Events that are being sent to a hub on another host; a failed POST moves them into the spool. */
  outgoing: join(home, 'outgoing'),
  /** An empty file for each session whose requests are held, named after its id. The emitter reads nothing else. */
  held: join(home, 'held'),
  /** Exists while every session is held from its start. */
  holdAll: join(home, 'hold-all'),
  /** An empty file for each session whose Stop, PreCompact and PermissionRequest wait for an agent, named after its id. */
  awaited: join(home, 'awaited'),
  /** Input that could not become an event, with the reason. */
  aside: join(home, 'aside'),
  emit: join(home, 'emit.sh'),
  /** Starts the MCP server, for Claude Code, which keeps the path for ever. */
  mcpScript: join(home, 'mcp.sh'),
  /** The token of the MCP server, with its rights. */
  mcp: join(home, 'mcp.json'),
  /** The script of the status line. */
  statusLine: join(home, 'statusline.sh'),
  /** The last status line of each session. */
  statusLineSeen: join(home, 'statusline'),
  /** What the status line shows: today's cost and the waiting sessions. */
  statusLineFacts: join(home, 'statusline.facts'),
  /** One byte for each event the emitter had to drop because the spool was full. */
  dropped: join(home, 'dropped'),
  /** One newline, then one byte for each event that the emitter could not write because the disk was full. */
  lost: join(home, 'lost'),
  /** Disk space that is freed when the disk is full, so that the loss can be reported. */
  reserve: join(home, 'reserve'),
  /** Exists while the spool is over its limit. */
  full: join(home, 'spool.full'),
  /** One byte for each event whose POST failed and that went into the spool instead. */
  unsent: join(home, 'unsent'),
  /** The emitter's log of failed POSTs. */
  emitLog: join(home, 'log', 'emit.log'),
  /** Exists while the emitter may start the daemon. */
  autostart: join(home, 'autostart'),
  /** Lock of the hook that is starting the daemon. */
  starting: join(home, 'starting'),
  /** Mark of the last hook that started the daemon again after it was killed. */
  revived: join(home, 'revived'),
  /** The daemon's pid, for the emitter, which cannot read JSON. */
  pid: join(home, 'daemon.pid'),
  /** Our formats and keys; sourced by the user's own tmux.conf. */
  tmuxConf: join(home, 'tmux.conf'),
  /** The session of each pane, to restore its options after a restart of tmux. */
  panes: join(home, 'panes.json'),
  /** Start locks of sessions that are being resumed. */
  resuming: join(home, 'resuming'),
  backups: join(home, 'backups'),
  /** What setup wrote and where, so that it can be undone. */
  setup: join(home, 'setup.json'),
  /** Settings and start script of every session that Drover started, a folder each. */
  managed: join(home, 'managed'),
  /** Running deliveries to agents and their results, for recovery by the next daemon. */
  wakes: join(home, 'wakes'),
  /** Membership in a fleet, with its keys; exists only on a machine that has joined one. */
  fleet: join(home, 'fleet'),
  fleetFile: join(home, 'fleet', 'fleet.json'),
  /** The members of the fleet, as they were last known. */
  fleetRoster: join(home, 'fleet', 'roster.json'),
  /** Commands of other hosts that were executed. */
  fleetCommands: join(home, 'fleet', 'commands.db'),
  /** Tokens of `drover fleet token`, by the hashes of their secrets. */
  fleetInvitations: join(home, 'fleet', 'invitations.json'),
  /** The broker that this machine runs: its settings, certificate and data. */
  fleetBroker: join(home, 'fleet', 'broker'),
  /** A broker that this machine runs for another one. */
  hostedBroker: join(home, 'fleet-broker'),
  hostedBrokerFile: join(home, 'fleet-broker', 'hosted.json'),
  log: join(home, 'log'),
  logFile: join(home, 'log', 'daemon.log'),
});

export type Paths = ReturnType<typeof pathsAt>;

/** Name of a demo's folder, with the pid of its process. */
export const demoName = /^drover-demo-(\d+)-[0-9a-f]{12}$/;

/** Check for the home of a demo, whose daemon only the demo itself may start. */
export const isDemoHome = (home: string): boolean => demoName.test(basename(dirname(home)));

export const pathsFrom = (env: Env): Paths => pathsAt(droverHome(env));

/** The file in the folder of a parked session with the arguments that it was running with. */
export const parkedArgumentsFile = 'parked.json';

/** Scripts under `managed` that start a session for the first time, and again. */
export const startScripts = { first: 'start.sh', again: 'again.sh' } as const;

/** The file beside a start script that holds the environment of the session until it starts. */
export const environmentFileOf = (script: string): string => script.replace(/sh$/, 'env');
