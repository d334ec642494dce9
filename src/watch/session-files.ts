/**
 * Claude's session files as events. They tell what no hook tells (an interrupt, a denied permission), and they are there
 * with no hooks at all. Rewritten in place, so a reader can meet half of one: unparsable means read again.
 */
import { existsSync, readdirSync, statSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive, paneOfProcess } from '../claude/live-session.ts';
import { readSmall } from '../claude/read-file.ts';
import { parseSessionFile, type SessionFile, sessionFilePid } from '../claude/session-file.ts';
import type { Context, Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { processEnv } from '../proc.ts';

const second = 1_000;

export class SessionFiles {
  private readonly said = new Map<string, { text: string; sessionId: string; pid: number }>();
  private readonly watchers = new Map<string, ReturnType<typeof watch>>();
  /** Of folders that are not there yet: what stands where they will be made. */
  private readonly parents = new Map<string, ReturnType<typeof watch>>();
  private readonly retries = new Map<string, number>();
  /** Which writing of a file the scan has read. */
  private readonly stamps = new Map<string, string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly dirs: () => string[],
    private readonly take: (drafts: Draft[]) => void,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  /** Reads every file, then follows the folders. A slow scan stands beside the watchers. */
  start(): void {
    this.scan();
    this.timer = setInterval(() => this.scan(), limits.watch.sessionFileScan);
    this.timer.unref();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
    for (const watcher of [...this.watchers.values(), ...this.parents.values()]) watcher.close();
  }

  /** Looks at every folder and every file now. */
  scan(): void {
    for (const dir of this.dirs()) {
      const folder = join(dir, 'sessions');
      this.follow(folder);
      const names = list(folder);
      for (const name of names) if (this.isTouched(join(folder, name))) this.look(folder, name);
      for (const file of this.said.keys())
        if (file.startsWith(`${folder}/`) && !names.includes(file.slice(folder.length + 1))) this.gone(file);
    }
  }

  /** Written since it was told of. File times are coarse: what was written a moment ago may be written again unseen. */
  private isTouched(path: string): boolean {
    if (!this.said.has(path)) return true;
    const file = statSync(path, { throwIfNoEntry: false });
    const stamp =
      file && Date.now() - file.mtimeMs > second ? `${file.ino} ${file.size} ${file.mtimeMs}` : '';
    const before = this.stamps.get(path);
    if (stamp) this.stamps.set(path, stamp);
    else this.stamps.delete(path);
    return stamp === '' || stamp !== before;
  }

  /** Looks at the files of these processes now. */
  read(pids: number[]): void {
    for (const dir of this.dirs()) for (const pid of pids) this.look(join(dir, 'sessions'), `${pid}.json`);
  }

  private follow(folder: string): void {
    if (this.watchers.has(folder)) return;
    this.parents.get(folder)?.close();
    this.parents.delete(folder);
    try {
      if (existsSync(folder)) {
        const look = (name: string | null) => (name ? this.look(folder, name) : this.scan());
        this.watchers.set(folder, this.watch(folder, this.watchers, folder, look));
      } else this.awaitFolder(folder);
    } catch (error) {
      this.onError(`${folder} cannot be watched; the scan goes on`, error);
    }
  }

  /** Claude makes its folders with the first session: the nearest one that is there tells of the next. */
  private awaitFolder(folder: string): void {
    let next = folder;
    while (!existsSync(dirname(next))) next = dirname(next);
    const isNext = (name: string | null) => name === null || name === basename(next);
    const look = (name: string | null) => {
      if (isNext(name)) this.scan();
    };
    this.parents.set(folder, this.watch(dirname(next), this.parents, folder, look));
    if (existsSync(next)) this.follow(folder);
  }

  private watch(
    place: string,
    among: Map<string, ReturnType<typeof watch>>,
    folder: string,
    look: (name: string | null) => void,
  ): ReturnType<typeof watch> {
    const watcher = watch(place, (_, name) => look(name));
    watcher.on('error', () => {
      watcher.close();
      among.delete(folder);
    });
    return watcher;
  }

  private look(folder: string, name: string): void {
    const pid = sessionFilePid(name);
    if (pid === null) return;
    const path = join(folder, name);
    const text = readSmall(path, limits.watch.sessionFileBytes);
    if (text === null) {
      this.gone(path);
      return;
    }
    const file = parseSessionFile(text);
    if (!file) {
      this.again(folder, name, path);
      return;
    }
    this.retries.delete(path);
    const before = this.said.get(path);
    // The same status with another time: what was between went by unseen.
    const { sessionId, status, waitingFor, statusUpdatedAt, cwd, tmux } = file;
    const said = JSON.stringify([sessionId, status, waitingFor, statusUpdatedAt, cwd, tmux]);
    if (before?.text === said || !isAlive(pid, file)) return;
    this.said.set(path, { text: said, sessionId: file.sessionId, pid });
    this.take([draftOf(file, path)]);
  }

  /** Half written: the rest comes within milliseconds, with or without a callback of its own. */
  private again(folder: string, name: string, path: string): void {
    const tries = (this.retries.get(path) ?? 0) + 1;
    this.retries.set(path, tries);
    if (tries > 5) return;
    setTimeout(() => this.look(folder, name), 10 * tries).unref();
  }

  private gone(path: string): void {
    const last = this.said.get(path);
    if (!last) return;
    this.said.delete(path);
    this.stamps.delete(path);
    const raw = Buffer.from(JSON.stringify({ session_id: last.sessionId, pid: last.pid }));
    this.take([
      {
        at: Date.now(),
        source: 'file',
        name: 'FileGone',
        sessionId: last.sessionId,
        context: { pid: last.pid },
        raw,
      },
    ]);
  }
}

/** The file of a process stands in one of these folders, alive or left behind. */
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
  return {
    at: Math.floor(at),
    source: 'file',
    name: 'FileStatus',
    sessionId,
    context: {
      pid: file.pid,
      ...(file.entrypoint && { entrypoint: file.entrypoint }),
      ...ownWords(file.pid),
    },
    raw: Buffer.from(JSON.stringify({ session_id: sessionId, ...rest })),
  };
};

/** What the process's own environment says: the pane of a session that has never fired a hook, and a run of `print`. */
const ownWords = (pid: number): Context => {
  const { DROVER_ENTRYPOINT } = processEnv(pid, ['DROVER_ENTRYPOINT'] as const);
  return { ...(DROVER_ENTRYPOINT && { entrypoint: DROVER_ENTRYPOINT }), ...paneOfProcess(pid) };
};
