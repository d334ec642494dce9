/** Every place on disk that Drover reads or writes, from one root. */
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

export type Env = Record<string, string | undefined>;

/** The user's home as the environment tells it, before the password file is asked. */
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
  token: join(home, 'token'),
  /** Named tokens, by their hashes. */
  tokens: join(home, 'tokens.json'),
  /** Browsers that are signed in, by digests of what they hold. */
  pages: join(home, 'pages.json'),
  /** Files that send a browser to the page; each is gone once its ticket is. */
  opening: join(home, 'opening'),
  daemon: join(home, 'daemon.json'),
  socket: join(home, 'drover.sock'),
  lock: join(home, 'daemon.lock'),
  db: join(home, 'drover.db'),
  /** The full-text index; there only while it is turned on. */
  search: join(home, 'search.db'),
  /** Databases that SQLite could not read any more. */
  damaged: join(home, 'damaged'),
  spool: join(home, 'spool'),
  /** Events on their way to a hub elsewhere; a failed POST moves them into the spool. */
  outgoing: join(home, 'outgoing'),
  /** An empty file for each session whose requests are held, named by its id: all that the emitter looks at. */
  held: join(home, 'held'),
  /** The same for sessions whose Stop, PreCompact and PermissionRequest wait for an agent. */
  awaited: join(home, 'awaited'),
  /** What could not become an event, kept with its reason. */
  aside: join(home, 'aside'),
  emit: join(home, 'emit.sh'),
  /** One byte for each event the emitter had to drop because the spool was full. */
  dropped: join(home, 'dropped'),
  /** One newline, then one byte for each event that the emitter could not write because the disk was full. */
  lost: join(home, 'lost'),
  /** Room on the disk that is given up when it is full, so that the loss can be told. */
  reserve: join(home, 'reserve'),
  /** Present while the spool is over its bound. */
  full: join(home, 'spool.full'),
  /** One byte for each event whose POST failed and that went into the spool instead. */
  unsent: join(home, 'unsent'),
  /** What the emitter had to say about POSTs that failed. */
  emitLog: join(home, 'log', 'emit.log'),
  /** Present while the emitter may start the daemon. */
  autostart: join(home, 'autostart'),
  /** Held by whoever is starting the daemon from a hook. */
  starting: join(home, 'starting'),
  /** The daemon's pid alone, for the emitter, which cannot read JSON. */
  pid: join(home, 'daemon.pid'),
  /** What tmux shows and which keys it has; sourced by the user's own tmux.conf. */
  tmuxConf: join(home, 'tmux.conf'),
  /** Which session each pane had, for a tmux that was restarted. */
  panes: join(home, 'panes.json'),
  /** Sessions that are being resumed, and by which process. */
  resuming: join(home, 'resuming'),
  backups: join(home, 'backups'),
  /** What setup wrote, and where, so that it can be taken back. */
  setup: join(home, 'setup.json'),
  /** Settings and start of every session that the hub runs, a folder each. */
  managed: join(home, 'managed'),
  /** What agents are being told just now, and how it ended, for a daemon that comes after this one. */
  wakes: join(home, 'wakes'),
  log: join(home, 'log'),
  logFile: join(home, 'log', 'daemon.log'),
});

export type Paths = ReturnType<typeof pathsAt>;

/** The folder of a demo; the pid of the process that it belongs to stands in its name. */
export const demoName = /^drover-demo-(\d+)-[0-9a-f]{12}$/;

/** Whether a home is that of a demo: its daemon goes with it and is started by nobody else. */
export const isDemoHome = (home: string): boolean => demoName.test(basename(dirname(home)));

export const pathsFrom = (env: Env): Paths => pathsAt(droverHome(env));

/** The scripts that start a session of the hub's, in its folder under `managed`: the first time, and again. */
export const startScripts = { first: 'start.sh', again: 'again.sh' } as const;
