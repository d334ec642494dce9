/** Starts and resumes sessions for programs: each in a tmux session, with the id that the caller chose. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Cli } from '../../claude/find-cli.ts';
import { DroverError } from '../../contract/error.ts';
import type { CreateSession, Permissions } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import { processStart } from '../../platform/processes.ts';
import { neverRan } from '../../session/launch.ts';
import type { Folded } from '../../session/memory.ts';
import type { Opened, Place } from '../../tmux/server/open-pane.ts';
import type { ResumeLaunch } from './launch-files.ts';
import { recoverStart, resumeSession, type StartDeps, startSession } from './start-session.ts';
import { shortId } from '../../contract/short-id.ts';

export interface ManagedSessionsDeps extends StartDeps {
  /** Finds the CLI to start; null when there is none. */
  findCli: () => Promise<Cli | null>;
  /** The command that starts the CLI on the host of a container. */
  hostCli?: string;
  /** The Claude folders. */
  dirs: () => string[];
  /** Directory of a session whose start names none. */
  projectDir: string;
  /** Permissions of a session whose start names none. */
  permissions?: Permissions | undefined;
}

/** A past session and how to run it. */
export interface Past extends Pick<ResumeLaunch, 'id' | 'dir' | 'argv' | 'env'> {
  /** The id of a fork to start instead. */
  copy?: string;
}

export class ManagedSessions {
  /** New sessions that are being started, by id. */
  private readonly launching = new Map<string, { key: string | null; done: Promise<Folded> }>();
  /** Past sessions that are being resumed. */
  private readonly resuming = new Set<string>();
  /** Starts of an earlier daemon whose outcome is being determined. */
  private readonly recovering = new Map<string, Promise<void>>();
  private cli: { at: number; found: Cli } | null = null;

  constructor(private readonly deps: ManagedSessionsDeps) {}

  /** Starts a session. A repeated `key` returns the same session, with `fresh` false. */
  async create(given: CreateSession, key: string | null): Promise<{ folded: Folded; fresh: boolean }> {
    const { session_id: id, cwd = this.deps.projectDir, permissions = this.deps.permissions } = given;
    await this.recover(id);
    const launching = this.launching.get(id);
    if (launching && key !== null && launching.key === key)
      return { folded: await launching.done, fresh: false };
    const known = this.deps.loop.sessionIndex.get(id);
    const before = known && !neverRan(known) ? known : undefined;
    if (before && key !== null && before.memory.launchKey === key) return { folded: before, fresh: false };
    if (before || launching)
      throw new DroverError(
        'refused',
        `Session ${id} already exists.`,
        `If it has ended, resume it with \`drover resume ${shortId(id)}\`.`,
      );
    if (this.hasTranscript(id))
      throw new DroverError(
        'refused',
        `Session ${id} already has a transcript.`,
        `Resume it with \`drover resume ${shortId(id)}\`.`,
      );
    const isForeign = (await this.deps.isForeign?.(this.deps.socket)) ?? false;
    if (!isForeign && !isFolder(cwd)) throw new DroverError('bad_request', `${cwd} is not a folder.`);
    const done = this.findCli(isForeign).then(cli =>
      startSession(this.deps, cli, { ...given, cwd, ...(permissions && { permissions }) }, key),
    );
    this.launching.set(id, { key, done });
    try {
      return { folded: await done, fresh: true };
    } finally {
      this.launching.delete(id);
    }
  }

  /** Resumes a past session, or starts a fork of it. From then on it is managed. */
  async resume(past: Past, at: Place): Promise<Opened & { argv: string[] }> {
    const { id: from, copy, ...rest } = past;
    const id = copy ?? from;
    await this.recover(id);
    // An earlier daemon has already started it.
    const pid = this.deps.loop.sessionIndex.get(id)?.pid ?? null;
    if (pid !== null && processStart(pid) !== null && this.isLive(id))
      throw new DroverError('refused', `Session ${shortId(id)} is live.`);
    this.resuming.add(id);
    try {
      return await resumeSession(this.deps, await this.findCli(), { id, from, ...rest }, at);
    } finally {
      this.resuming.delete(id);
    }
  }

  /** Determines the outcome of every start that an earlier daemon did not finish. */
  async recoverStarts(): Promise<void> {
    await Promise.all(this.deps.loop.sessionIndex.live().map(({ id }) => this.recover(id)));
  }

  isLaunching(id: string): boolean {
    return this.launching.has(id) || this.resuming.has(id);
  }

  private isLive(id: string): boolean {
    const session = this.deps.loop.sessionIndex.get(id);
    return session !== undefined && session.state !== 'ended';
  }

  private async recover(id: string): Promise<void> {
    const session = this.deps.loop.sessionIndex.get(id);
    if (!session?.memory.launching || session.state === 'ended' || this.isLaunching(id)) return;
    const recovered = this.recovering.get(id) ?? recoverStart(this.deps, session);
    this.recovering.set(id, recovered);
    await recovered.finally(() => this.recovering.delete(id));
  }

  private async findCli(isForeign = false): Promise<Cli> {
    // The files of the host cannot be read from here. Its shell finds the command, and the version is unknown.
    const { hostCli = 'claude' } = this.deps;
    if (isForeign) return { path: hostCli, real: hostCli, version: null };
    const { clock } = this.deps;
    const known = this.cli;
    if (known && clock.now() - known.at < limits.start.cliPathAge && existsSync(known.found.path))
      return known.found;
    const found = await this.deps.findCli();
    if (!found)
      throw new DroverError(
        'failed',
        'No Claude CLI was found.',
        'Put `claude` on the PATH of the daemon, or set `claude` in config.json to its path.',
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
