/** A seat: the real CLI in a pane of the world's own tmux server, with the keys and the screen of a person. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { promptLine } from '../../src/claude/screen/prompt-line.ts';
import { claudeBinary, type Version } from './cli.ts';
import { until } from './within.ts';
import type { Inside, World } from './world.ts';

export interface SeatOptions {
  /** Submitted by the CLI itself as it starts. */
  prompt?: string;
  args?: string[];
  dir?: string;
  env?: Record<string, string>;
  /** Default: that of the world, which is `default`; null omits the flag, and the CLI starts in its own default mode: since 2.1.283 `auto`. */
  permissionMode?: string | null;
  /** Given by `--settings` on top of the user's. */
  settings?: object;
  /** The name of the tmux session. */
  name?: string;
  /** The CLI as the child of a shell that keeps the pane, as when a person starts it. */
  inShell?: boolean;
  /** Another version than the world's. */
  version?: Version;
}

export interface Headless extends Inside {
  prompt: string;
  args?: string[];
}

/** What `sessions/<pid>.json` says, as far as stories read it. */
interface SessionFile {
  pid: number;
  sessionId: string;
  cwd: string;
  status: string;
  /** When the status changed, ms. */
  statusUpdatedAt?: number;
  waitingFor?: string;
  version: string;
}

export interface Seat {
  name: string;
  /** The pane's id, such as `%0`. */
  pane: string;
  /** The pid of the CLI itself, awaited while it starts. */
  pid: () => Promise<number>;
  screen: () => Promise<string>;
  /** Awaits text on the screen and returns the screen. */
  sees: (pattern: string | RegExp, ms?: number) => Promise<string>;
  /** Awaits a dialog that shows this text, and the moment from which it takes keys. */
  asks: (pattern: string | RegExp, ms?: number) => Promise<string>;
  /** Awaits an empty prompt line. */
  ready: (ms?: number) => Promise<void>;
  /** Pastes a prompt, awaits it in the prompt line, and submits it. */
  type: (text: string) => Promise<void>;
  /** Sends keys by their tmux names, such as `Enter` or `Down`; each but the last must change the screen. */
  press: (...keys: string[]) => Promise<void>;
  /** The CLI's session file now, or undefined when there is none. */
  sessionFile: () => Promise<SessionFile | undefined>;
  /** Awaits a session file that the predicate takes; an `idle` from before the last input is ignored. */
  file: (wanted: (file: SessionFile) => boolean, ms?: number) => Promise<SessionFile>;
}

/** Limits for a busy machine: normally nothing takes a tenth of them. */
const SCREEN_TIMEOUT_MS = 30_000;
/** A paste that has not appeared after this is lost. */
const PASTE_TIMEOUT_MS = 15_000;
const PROMPT = '❯';
const emptyLine = new RegExp(`^${PROMPT}\\s*$`, 'm');
/** 2.1.325 drops what is pressed in a dialog within 0.75 s of the last key, to spare those who are still typing. */
const KEYS_IGNORED_MS = 1_500;
/** For this long after a prompt was sent, the file may still report the previous state. */
const STATUS_LAG_MS = 3_000;
let count = 0;

/** Starts the CLI in a new session of the world's tmux server. */
export async function seatIn(world: World, options: SeatOptions = {}): Promise<Seat> {
  const { dir = world.dir(), env = {}, name = `seat-${++count}` } = options;
  const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const size = ['-x', '220', '-y', '50'];
  const wanted = ['-P', '-F', '#{pane_id}', '-s', name, '-c', dir, ...size, ...variables];
  const pane = (
    await world.tmux(['new-session', '-d', ...wanted, ...(await command(world, name, options))])
  ).trim();

  const ask = async (format: string) =>
    (await world.tmux(['display-message', '-p', '-t', pane, format])).trim();
  const pidNow = async () => {
    const panePid = await ask('#{pane_pid}').catch(() => undefined);
    return panePid === undefined ? undefined : claudePid(world, Number(panePid));
  };
  let lastKey = -KEYS_IGNORED_MS;
  /** When a prompt was last sent, by the wall clock. */
  let sentAt = 0;
  const look = (wanted: (screen: string) => boolean, what: string, ms: number) => {
    let last = '';
    const missing = () => `${what} was not seen in ${ms} ms; the screen:\n${last.trimEnd()}`;
    return until(ms, missing, async () => {
      last = await seat.screen();
      return wanted(last) ? last : undefined;
    });
  };
  /** The menu that completes a slash command opens while it is typed, and sometimes takes the Enter. */
  const again = async (text: string) => {
    if (!/^\/\S+$/.test(text)) return;
    await pauseFor(700);
    const screen = await seat.screen().catch(() => '');
    if (new RegExp(`^\\s+(?:❯ )?${text} {3,}\\S`, 'm').test(screen))
      await seat.press('Enter').catch(() => {});
  };
  const coloured = () => world.tmux(['capture-pane', '-p', '-e', '-t', pane]);
  const paste = async (text: string) => {
    const buffer = `rig-${name}`;
    await world.tmux(['load-buffer', '-b', buffer, '-'], text);
    await world.tmux(['paste-buffer', '-p', '-d', '-b', buffer, '-t', pane]);
  };
  const seat: Seat = {
    name,
    pane,
    pid: () => until(SCREEN_TIMEOUT_MS, () => `no claude runs in ${pane}`, pidNow),
    screen: () => world.tmux(['capture-pane', '-p', '-t', pane]),
    sees: (pattern, ms = SCREEN_TIMEOUT_MS) =>
      look(
        screen => (typeof pattern === 'string' ? screen.includes(pattern) : screen.search(pattern) !== -1),
        `"${pattern}"`,
        ms,
      ),
    async asks(pattern, ms) {
      await seat.sees(pattern, ms);
      await pauseFor(Math.max(0, lastKey + KEYS_IGNORED_MS - performance.now()));
      return seat.screen();
    },
    async ready(ms) {
      // Since 2.1.328 an empty line may show a dim suggestion, such as to resend a message that failed.
      const isEmpty = async (shown: string) =>
        emptyLine.test(shown) || promptLine(await coloured().catch(() => ''))?.draft === '';
      let last = '';
      const missing = () => `no empty prompt line was seen; the screen:\n${last.trimEnd()}`;
      await until(ms ?? SCREEN_TIMEOUT_MS, missing, async () => {
        last = await seat.screen();
        return (await isEmpty(last)) || undefined;
      });
    },
    async type(text) {
      const sees = (ms: number) =>
        look(screen => showsDraft(screen, text), `the draft "${text.slice(-40)}"`, ms);
      await paste(text);
      // Sometimes a CLI loses a paste: if its prompt is still empty, the text is pasted once more.
      await sees(PASTE_TIMEOUT_MS).catch(async error => {
        if (!emptyLine.test(await seat.screen())) throw error;
        await paste(text);
        await sees(PASTE_TIMEOUT_MS);
      });
      if (!text.startsWith('/')) sentAt = Date.now();
      await seat.press('Enter');
      await again(text);
    },
    async press(...keys) {
      for (const [index, key] of keys.entries()) {
        const before = await seat.screen();
        await world.tmux(['send-keys', '-t', pane, key]);
        lastKey = performance.now();
        if (index < keys.length - 1)
          await look(screen => screen !== before, `what ${key} does`, SCREEN_TIMEOUT_MS);
      }
    },
    async sessionFile() {
      const pid = await pidNow();
      return pid === undefined ? undefined : readSession(world, pid);
    },
    async file(wanted, ms = SCREEN_TIMEOUT_MS) {
      const pid = await seat.pid();
      let last: SessionFile | undefined;
      const missing = () => `no such session file in ${ms} ms; the last: ${JSON.stringify(last)}`;
      return until(ms, missing, async () => {
        last = await readSession(world, pid);
        const isBefore = last?.status === 'idle' && (last.statusUpdatedAt ?? sentAt) < sentAt;
        // A turn that ends at once may never have been reported as busy.
        const stale = isBefore && Date.now() - sentAt < STATUS_LAG_MS;
        return last && !stale && wanted(last) ? last : undefined;
      });
    },
  };
  return seat;
}

async function command(world: World, name: string, options: SeatOptions): Promise<string[]> {
  const {
    prompt,
    args = [],
    permissionMode = world.permissionMode,
    settings,
    inShell = false,
    version,
  } = options;
  const binary = version === undefined ? 'claude' : await claudeBinary(version);
  const line = prompt === undefined ? [] : [prompt];
  if (permissionMode !== null) line.push('--permission-mode', permissionMode);
  if (settings !== undefined) {
    const file = join(world.root, `${name}.settings.json`);
    await writeFile(file, JSON.stringify(settings));
    line.push('--settings', file);
  }
  // With `env` the command has several words, so tmux runs it without a shell.
  const shell = inShell ? ['sh', '-c', '"$@"; exec sh', 'sh'] : ['env'];
  return [...shell, binary, ...line, ...args];
}

async function claudePid(world: World, panePid: number): Promise<number | undefined> {
  const { stdout } = await world.run('ps', ['-A', '-o', 'pid=,ppid=,comm=']);
  const rows = stdout.split('\n').map(row => row.trim().split(/\s+/));
  const claudes = rows.filter(([, , comm]) => comm?.endsWith('claude'));
  // The pane's own process first: for a moment a child that becomes a hook has the same name.
  const row =
    claudes.find(([pid]) => Number(pid) === panePid) ??
    claudes.find(([, parent]) => Number(parent) === panePid);
  return row && Number(row[0]);
}

async function readSession(world: World, pid: number): Promise<SessionFile | undefined> {
  try {
    return JSON.parse(await readFile(join(world.home, '.claude', 'sessions', `${pid}.json`), 'utf8'));
  } catch {
    // Not there yet, or half written: read again.
    return undefined;
  }
}

function showsDraft(screen: string, text: string): boolean {
  // At the start of a line it is the prompt; menus and dialogs indent theirs.
  const draft = screen.slice(screen.lastIndexOf(`\n${PROMPT}`)).replace(/\s+/g, '');
  return draft.includes('[Pastedtext') || draft.includes(text.replace(/\s+/g, '').slice(-40));
}
