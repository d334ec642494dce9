/**
 * A world: one temp folder with its own HOME, its own DROVER_HOME, its own tmux server and its own model. Nothing in it
 * inherits the environment of whoever runs the tests, and everything that runs in it carries the folder in its
 * environment, by which `close` finds what to end.
 */
import { randomBytes } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { askTmux } from './ask-tmux.ts';
import { claudeBinary } from './cli.ts';
import { type Daemon, type DaemonOptions, MAIN, startDaemon } from './drover.ts';
import { type Model, openModel } from './model.ts';
import type { Network } from './network.ts';
import { endAll, processesOf } from './process.ts';
import { type Run, run } from './run.ts';
import { type Headless, type Seat, type SeatOptions, seatIn } from './tmux.ts';

export interface WorldOptions {
  /** Any published version of the CLI. */
  version: string;
  /** Trusted folders under HOME; the first is where sessions start. */
  projects?: string[];
  /** The user's own ~/.claude/settings.json. */
  settings?: object;
  /** Default: `classic`; `ask` is a user whom 2.1.325 asks once, in a dialog, to try fullscreen. */
  renderer?: Renderer;
  /** `bsd` runs Drover with its code for macOS, `linux` with that for /proc; else as DROVER_PLATFORM says. */
  platform?: 'bsd' | 'linux';
  /** The user has a subscription: credentials in a file, and no API key. */
  subscription?: boolean;
  /** Another build of the product than the one under test. */
  main?: string;
  /** Everything runs in this network, as on a separate machine. Only the model is reached without it. */
  network?: Network;
  /**
   * Seats start in the CLI's own default mode. So that the usual commands ask there too, the user's settings want a dialog for
   * `touch` and `WebFetch`.
   */
  ownMode?: boolean;
  /** Milliseconds at its prompt after which the CLI fires Notification(idle_prompt); default: a minute. */
  idleNotice?: number;
}

type Renderer = 'classic' | 'fullscreen' | 'ask';

export interface World {
  version: string;
  root: string;
  home: string;
  droverHome: string;
  /** The default tmux socket of this world, so that what follows TMUX_TMPDIR finds it too. */
  socket: string;
  model: Model;
  network: Network | null;
  /** The mode of a seat that names none; null: the CLI's own. */
  permissionMode: string | null;
  /** The product that runs here: its main.js. */
  main: string;
  seats: Seat[];
  /** A project folder; without a name the first. */
  dir: (name?: string) => string;
  /** The environment of the world, built from empty. */
  env: (extra?: Record<string, string>) => Record<string, string>;
  /** Runs any program inside the world. */
  run: (command: string, args: string[], options?: Inside) => Promise<Run>;
  /** Runs tmux on the world's socket; throws what tmux says when it fails. */
  tmux: (args: string[], input?: string) => Promise<string>;
  /** Starts the CLI in a new tmux session. */
  claude: (options?: SeatOptions) => Promise<Seat>;
  /** Runs `claude -p`. */
  headless: (options: Headless) => Promise<Run>;
  /** Runs the built product. */
  drover: (...args: string[]) => Promise<Run>;
  /** Starts the built daemon in the foreground, ready to be asked. */
  daemon: (options?: DaemonOptions) => Promise<Daemon>;
  /** The pids of everything that runs in this world. */
  processes: () => Promise<number[]>;
  /** Done first when the world closes, while everything still runs. */
  closing: (end: () => Promise<void>) => void;
  close: () => Promise<void>;
}

export interface Inside {
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
  ms?: number;
}

/** Another one in each world, so that a story can look for it anywhere. The CLI compares the last 20 characters. */
const newApiKey = (): string => `sk-ant-${randomBytes(6).toString('hex')}`;

/** As the CLI writes them after a sign-in. The tokens are invalid. */
const credentials = {
  claudeAiOauth: {
    accessToken: 'sk-ant-oat01-test',
    refreshToken: 'sk-ant-ort01-test',
    expiresAt: 4_102_444_800_000,
    scopes: ['user:inference', 'user:profile'],
    subscriptionType: 'max',
    rateLimitTier: 'default_claude_max_5x',
  },
};

/** Makes a world; whoever opens it closes it (stories use `world` of story.ts). */
export async function openWorld(options: WorldOptions): Promise<World> {
  const { version, projects = ['project'], settings = {} } = options;
  const {
    renderer = 'classic',
    idleNotice = 60_000,
    subscription = false,
    network = null,
    main = MAIN,
    ownMode = false,
  } = options;
  const apiKey = newApiKey();
  // DROVER_TEST_RUN is the folder that the run's teardown sweeps; names stay short, a socket path ends at 107 bytes.
  const root = await realpath(await mkdtemp(join(process.env.DROVER_TEST_RUN ?? tmpdir(), 'dv-')));
  const home = join(root, 'home');
  const socket = join(root, 't', `tmux-${userInfo().uid}`, 'default');
  const dirs = projects.map(name => join(home, name));
  const open = [...dirs, join(home, '.claude'), join(root, 'bin'), join(root, 'tmp')];
  const closedToOthers = [join(root, 'drover'), dirname(socket)];
  for (const dir of open) await mkdir(dir, { recursive: true });
  for (const dir of closedToOthers) await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(
    join(home, '.claude.json'),
    JSON.stringify(answeredBefore(dirs, renderer, idleNotice, apiKey)),
  );
  const tui = renderer === 'fullscreen' ? { tui: 'fullscreen' } : {};
  await writeFile(
    join(home, '.claude', 'settings.json'),
    JSON.stringify({ ...tui, ...(ownMode ? withAskRules(settings) : settings) }),
  );
  if (subscription)
    await writeFile(join(home, '.claude', '.credentials.json'), JSON.stringify(credentials), { mode: 0o600 });
  await putClaude(version, join(root, 'bin', 'claude'));
  const model = await openModel();
  await network?.leadOut(Number(new URL(model.url).port));
  const children = new Set<ChildProcess>();
  const started = (child: ChildProcess) => {
    children.add(child);
    child.once('close', () => children.delete(child));
  };
  const ends: (() => Promise<void>)[] = [];
  let closed: Promise<void> | undefined;

  const world: World = {
    version,
    root,
    home,
    droverHome: join(root, 'drover'),
    socket,
    model,
    network,
    permissionMode: ownMode ? null : 'default',
    main,
    seats: [],
    dir: (name = projects[0] ?? '') => join(home, name),
    env: extra => ({
      ...environment(root, home, model.url),
      ...(subscription ? {} : { ANTHROPIC_API_KEY: apiKey }),
      ...chosenPlatform(options.platform),
      ...extra,
    }),
    run: (command, args, { cwd = world.dir(), env = {}, ...rest } = {}) => {
      const [program = '', ...words] = [...(network?.inside ?? []), command, ...args];
      return run(program, words, { ...rest, cwd, env: world.env(env), started });
    },
    tmux: (args, input) => askTmux(world, ['-S', socket], args, input),
    async claude(options) {
      const seat = await seatIn(world, options);
      world.seats.push(seat);
      return seat;
    },
    headless: ({ prompt, args = [], ...inside }) => world.run('claude', ['-p', prompt, ...args], inside),
    drover: (...args) => world.run(process.execPath, [main, ...args]),
    daemon: options =>
      startDaemon(
        world,
        { ...(network && { port: network.port, inside: network.inside }), ...options },
        started,
      ),
    processes: () => processesOf(root),
    closing: end => void ends.push(end),
    close: () => (closed ??= shut(world, children, ends)),
  };
  return world;
}

/** In auto mode a dialog opens for what the user wants to be asked about, unless the settings allow it. */
function withAskRules(settings: object): object {
  const { permissions = {} } = settings as { permissions?: { allow?: string[] } };
  return permissions.allow
    ? settings
    : { ...settings, permissions: { ...permissions, ask: ['Bash(touch *)', 'WebFetch'] } };
}

async function shut(world: World, children: Set<ChildProcess>, ends: (() => Promise<void>)[]): Promise<void> {
  await Promise.allSettled(ends.map(end => end()));
  await world.tmux(['kill-server']).catch(() => {});
  for (const child of children) child.kill('SIGKILL');
  await endAll(world.root);
  await world.model.close();
  await rm(world.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** The stories of the project `fast` start no CLI: theirs knows its version, and nothing else. */
async function putClaude(version: string, path: string): Promise<void> {
  if (!process.env.DROVER_TEST_NO_CLI) return symlink(await claudeBinary(version), path);
  const refusal =
    'This story is in the project `fast`, whose stories start no CLI (vitest.stories.config.ts).';
  const script = `#!/bin/sh
[ "$1" = --version ] && exec echo '${version} (Claude Code)'
echo '${refusal}' >&2
exit 64
`;
  await writeFile(path, script, { mode: 0o755 });
}

function environment(root: string, home: string, url: string): Record<string, string> {
  const path = [join(root, 'bin'), dirname(process.execPath), process.env.PATH ?? '/usr/bin:/bin'];
  return {
    HOME: home,
    PATH: path.join(delimiter),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    ANTHROPIC_BASE_URL: url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DROVER_HOME: join(root, 'drover'),
    // A hook may start the daemon: on a free port, as everything here.
    DROVER_PORT: '0',
    TMUX_TMPDIR: join(root, 't'),
    // 2.1.325 leaves sockets in the temp folder when it is killed.
    TMPDIR: join(root, 'tmp'),
  };
}

/** DROVER_PLATFORM=bsd runs every story with the code for macOS. */
function chosenPlatform(name = process.env.DROVER_PLATFORM): Record<string, string> {
  return name ? { DROVER_PLATFORM: name } : {};
}

/** The first-run dialogs, answered beforehand in ~/.claude.json. */
function answeredBefore(dirs: string[], renderer: Renderer, idleNotice: number, apiKey: string): object {
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  return {
    hasCompletedOnboarding: true,
    theme: 'dark',
    messageIdleNotifThresholdMs: idleNotice,
    // A user from before fullscreen existed, who has declined it or has not been asked yet.
    firstStartTime: '2026-01-01T00:00:00.000Z',
    ...(renderer === 'ask' ? {} : { fullscreenUpsellSeenCount: 3 }),
    customApiKeyResponses: { approved: [apiKey], rejected: [] },
    projects: Object.fromEntries(dirs.map(dir => [dir, trusted])),
  };
}
