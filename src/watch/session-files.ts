/**
 * Turn Claude's session files into events. They report what no hook reports (an interrupt, a denied permission) and exist
 * without any hooks. Claude rewrites them in place, so one that does not parse is read again.
 */
import { existsSync, readdirSync, statSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive, paneOfProcess } from '../claude/live-session.ts';
import { readSmall } from '../claude/read-file.ts';
import { parseSessionFile, type SessionFile, sessionFilePid } from '../claude/session-file.ts';
import type { Clock } from '../clock.ts';
import type { Context, Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { processEnv } from '../platform/processes.ts';
import { PrintRuns } from './print-runs.ts';
import { eventFrom } from '../session/own-event.ts';

const second = 1_000;
const printRuns = new PrintRuns();

export class SessionFiles {
  private readonly published = new Map<string, { text: string; sessionId: string; pid: number }>();
  private readonly watchers = new Map<string, ReturnType<typeof watch>>();
  /** Watchers of the nearest existing parent, for folders that do not exist yet. */
  private readonly parents = new Map<string, ReturnType<typeof watch>>();
  private readonly retries = new Map<string, number>();
  /** Version of each file that the scan has read. */
  private readonly stamps = new Map<string, string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly dirs: () => string[],
    private readonly record: (drafts: Draft[]) => void,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  /** Read every file, then watch the folders. A slow scan covers what the watchers miss. */
  start(): void {
    this.scan();
    this.timer = setInterval(() => this.scan(), limits.watch.sessionFileScan);
    this.timer.unref();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
    for (const watcher of [...this.watchers.values(), ...this.parents.values()]) watcher.close();
  }

  /** Check every folder and every file now. */
  scan(): void {
    for (const dir of this.dirs()) {
      const folder = join(dir, 'sessions');
      this.watchFolder(folder);
      const names = list(folder);
      for (const name of names) if (this.mayHaveChanged(join(folder, name))) this.readFile(folder, name);
      for (const file of this.published.keys())
        if (file.startsWith(`${folder}/`) && !names.includes(file.slice(folder.length + 1)))
          this.onRemoved(file);
    }
  }

  /** Check for a write since the last read. File times are coarse, so a recent write counts as changed. */
  private mayHaveChanged(path: string): boolean {
    if (!this.published.has(path)) return true;
    const file = statSync(path, { throwIfNoEntry: false });
    const stamp =
      file && this.clock.now() - file.mtimeMs > second ? `${file.ino} ${file.size} ${file.mtimeMs}` : '';
    const before = this.stamps.get(path);
    if (stamp) this.stamps.set(path, stamp);
    else this.stamps.delete(path);
    return stamp === '' || stamp !== before;
  }

  /** Read the files of these processes now. */
  read(pids: number[]): void {
    for (const dir of this.dirs())
      for (const pid of pids) this.readFile(join(dir, 'sessions'), `${pid}.json`);
  }

  private watchFolder(folder: string): void {
    if (this.watchers.has(folder)) return;
    this.parents.get(folder)?.close();
    this.parents.delete(folder);
    try {
      if (existsSync(folder)) {
        const onChange = (name: string | null) => (name ? this.readFile(folder, name) : this.scan());
        this.watchers.set(folder, this.watch(folder, this.watchers, folder, onChange));
      } else this.awaitFolder(folder);
    } catch (error) {
      this.onError(`could not watch ${folder}; it is still scanned`, error);
    }
  }

  /** Watch the nearest existing parent: Claude creates its folders with the first session. */
  private awaitFolder(folder: string): void {
    let next = folder;
    while (!existsSync(dirname(next))) next = dirname(next);
    const isNext = (name: string | null) => name === null || name === basename(next);
    const onChange = (name: string | null) => {
      if (isNext(name)) this.scan();
    };
    this.parents.set(folder, this.watch(dirname(next), this.parents, folder, onChange));
    if (existsSync(next)) this.watchFolder(folder);
  }

  private watch(
    path: string,
    watchers: Map<string, ReturnType<typeof watch>>,
    folder: string,
    onChange: (name: string | null) => void,
  ): ReturnType<typeof watch> {
    const watcher = watch(path, (_, name) => onChange(name));
    watcher.on('error', () => {
      watcher.close();
      watchers.delete(folder);
    });
    return watcher;
  }

  private readFile(folder: string, name: string): void {
    const pid = sessionFilePid(name);
    if (pid === null) return;
    const path = join(folder, name);
    const text = readSmall(path, limits.watch.sessionFileBytes);
    if (text === null) {
      this.onRemoved(path);
      return;
    }
    const file = parseSessionFile(text);
    if (!file) {
      this.retry(folder, name, path);
      return;
    }
    this.retries.delete(path);
    const before = this.published.get(path);
    // The time counts too: the same status at another time means that a turn in between was missed.
    const { sessionId, status, waitingFor, statusUpdatedAt, cwd, tmux, name: given } = file;
    const current = JSON.stringify([sessionId, status, waitingFor, statusUpdatedAt, cwd, tmux, given]);
    if (before?.text === current || !isAlive(pid, file)) return;
    this.published.set(path, { text: current, sessionId: file.sessionId, pid });
    this.record([draftOf(file, path)]);
  }

  /** Read an incomplete file again: the rest follows within milliseconds, but not always with its own event. */
  private retry(folder: string, name: string, path: string): void {
    const tries = (this.retries.get(path) ?? 0) + 1;
    this.retries.set(path, tries);
    if (tries > 5) return;
    setTimeout(() => this.readFile(folder, name), 10 * tries).unref();
  }

  private onRemoved(path: string): void {
    const last = this.published.get(path);
    if (!last) return;
    this.published.delete(path);
    this.stamps.delete(path);
    const { sessionId, pid } = last;
    this.record([eventFrom('file', 'FileGone', sessionId, this.clock.now(), { pid }, { pid })]);
  }
}

/** Check for a session file of this process, which may also be left over from one that was killed. */
export const hasSessionFile = (dirs: string[], pid: number): boolean =>
  dirs.some(dir => existsSync(join(dir, 'sessions', `${pid}.json`)));

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const draftOf = (file: SessionFile, path: string): Draft => {
  const at =
    file.statusUpdatedAt ?? statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? file.startedAt ?? 0;
  const { sessionId, ...rest } = file;
  return eventFrom('file', 'FileStatus', sessionId, Math.floor(at), rest, {
    pid: file.pid,
    ...(file.entrypoint && { entrypoint: file.entrypoint }),
    ...processContext(file.pid),
  });
};

/**
 * Read from the process's environment: the pane of a session without hooks, and the mark of `drover print`. Where it is not shown,
 * the pane is found by the pane watcher, and a print run is known by its arguments.
 */
const processContext = (pid: number): Context => {
  const env = processEnv(pid, ['DROVER_ENTRYPOINT'] as const);
  const DROVER_ENTRYPOINT = env ? env.DROVER_ENTRYPOINT : printRuns.entrypointOf(pid);
  return { ...(DROVER_ENTRYPOINT && { entrypoint: DROVER_ENTRYPOINT }), ...paneOfProcess(pid) };
};
