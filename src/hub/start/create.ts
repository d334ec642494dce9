/** Sessions that the hub starts: a tmux session each, with the id that the caller chose. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Cli } from '../../claude/find-cli.ts';
import { DroverError } from '../../contract/error.ts';
import type { CreateSession } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import { processStart } from '../../proc.ts';
import { neverRan } from '../../session/launch.ts';
import type { Folded } from '../../session/memory.ts';
import type { Opened, Place } from '../../tmux/server/open-pane.ts';
import type { Again } from './launch.ts';
import { type StartDeps, startAgain, startNew, takeUpStart } from './start.ts';

export interface Deps extends StartDeps {
  /** The CLI to start; null where there is none. */
  findCli: () => Promise<Cli | null>;
  dirs: () => string[];
}

/** A past session as it is to be run. */
export interface Past extends Pick<Again, 'id' | 'dir' | 'argv' | 'env'> {
  /** The id of its fork, where that is wanted. */
  copy?: string;
}

export class Sessions {
  /** Those that are on their way, by id. */
  private readonly launching = new Map<string, { key: string | null; done: Promise<Folded> }>();
  /** Past sessions that are on their way. */
  private readonly resuming = new Set<string>();
  /** Starts that an earlier daemon was in the middle of, while they are looked for. */
  private readonly left = new Map<string, Promise<void>>();
  private cli: { at: number; found: Cli } | null = null;

  constructor(private readonly deps: Deps) {}

  /** Starts a session. Under the same `key` the same one is given again, not `fresh`. */
  async create(wish: CreateSession, key: string | null): Promise<{ folded: Folded; fresh: boolean }> {
    const { session_id: id, cwd } = wish;
    await this.takeUp(id);
    const launching = this.launching.get(id);
    if (launching && key !== null && launching.key === key)
      return { folded: await launching.done, fresh: false };
    const known = this.deps.loop.sessionIndex.get(id);
    const before = known && !neverRan(known) ? known : undefined;
    if (before && key !== null && before.memory.launchKey === key) return { folded: before, fresh: false };
    if (before || launching)
      throw new DroverError(
        'refused',
        `There is a session ${id} already.`,
        'POST /sessions/:id/resume brings an ended one back.',
      );
    if (this.hasTranscript(id))
      throw new DroverError(
        'refused',
        `${id} has a transcript already.`,
        'POST /sessions/:id/resume goes on with it.',
      );
    if (!isFolder(cwd)) throw new DroverError('bad_request', `${cwd} is not a folder.`);
    const done = this.findCli().then(cli => startNew(this.deps, cli, wish, key));
    this.launching.set(id, { key, done });
    try {
      return { folded: await done, fresh: true };
    } finally {
      this.launching.delete(id);
    }
  }

  /** Starts a past session again, or a fork of it; from now on it is one of the hub's. */
  async resume(past: Past, at: Place): Promise<Opened & { argv: string[] }> {
    const { id: from, copy, ...rest } = past;
    const id = copy ?? from;
    await this.takeUp(id);
    // An earlier daemon had started it already.
    const pid = this.deps.loop.sessionIndex.get(id)?.pid ?? null;
    if (pid !== null && processStart(pid) !== null && this.isLive(id))
      throw new DroverError('refused', `Session ${id.slice(0, 8)} is live.`);
    this.resuming.add(id);
    try {
      return await startAgain(this.deps, await this.findCli(), { id, from, ...rest }, at);
    } finally {
      this.resuming.delete(id);
    }
  }

  /** Finds out what became of what an earlier daemon was about to start. */
  async takeUpAll(): Promise<void> {
    await Promise.all(this.deps.loop.sessionIndex.live().map(({ id }) => this.takeUp(id)));
  }

  isLaunching(id: string): boolean {
    return this.launching.has(id) || this.resuming.has(id);
  }

  private isLive(id: string): boolean {
    const session = this.deps.loop.sessionIndex.get(id);
    return session !== undefined && session.state !== 'ended';
  }

  private async takeUp(id: string): Promise<void> {
    const session = this.deps.loop.sessionIndex.get(id);
    if (!session?.memory.launching || session.state === 'ended' || this.isLaunching(id)) return;
    const found = this.left.get(id) ?? takeUpStart(this.deps, session);
    this.left.set(id, found);
    await found.finally(() => this.left.delete(id));
  }

  private async findCli(): Promise<Cli> {
    const { clock } = this.deps;
    const known = this.cli;
    if (known && clock.now() - known.at < limits.start.cliPathAge && existsSync(known.found.path))
      return known.found;
    const found = await this.deps.findCli();
    if (!found)
      throw new DroverError(
        'failed',
        'No Claude CLI was found.',
        'Put `claude` on the PATH of the daemon, or its path into config.json as `claude`.',
      );
    this.cli = { at: clock.now(), found };
    return found;
  }

  private hasTranscript(id: string): boolean {
    return this.deps
      .dirs()
      .flatMap(dir => foldersIn(join(dir, 'projects')))
      .some(folder => existsSync(join(folder, `${id}.jsonl`)));
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const foldersIn = (path: string): string[] => {
  try {
    return readdirSync(path).map(name => join(path, name));
  } catch {
    return [];
  }
};
