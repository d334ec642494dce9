/** Sessions that the hub starts: a tmux session each, with the id that the caller chose. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Cli } from '../claude/find-cli.ts';
import { withoutMarkers } from '../claude/markers.ts';
import { DroverError } from '../contract/error.ts';
import type { CreateSession } from '../contract/hub.ts';
import { limits } from '../limits.ts';
import type { Loop } from '../live/loop.ts';
import type { Env, Paths } from '../paths.ts';
import { launchedName } from '../session/launched.ts';
import type { Folded } from '../session/memory.ts';
import { startSession, tmuxNameOf } from '../tmux/session.ts';
import { hubDraft } from './event.ts';
import { prepareLaunch, removeLaunch } from './launch.ts';
import { answerTrust } from './trust.ts';

export interface Ground {
  paths: Paths;
  env: Env;
  loop: Loop;
  clock: Clock;
  /** The CLI to start; null where there is none. */
  findCli: () => Promise<Cli | null>;
  /** The tmux server for sessions of the hub. */
  socket: string;
  dirs: () => string[];
  onError: (message: string, error: unknown) => void;
}

export class Sessions {
  /** Those that are on their way, by id. */
  private readonly launching = new Map<string, { key: string | null; done: Promise<Folded> }>();
  private cli: { at: number; found: Cli } | null = null;

  constructor(private readonly ground: Ground) {}

  /** Starts a session. Under the same `key` the same one is given again, not `fresh`. */
  async create(wish: CreateSession, key: string | null): Promise<{ folded: Folded; fresh: boolean }> {
    const { session_id: id, cwd } = wish;
    const launching = this.launching.get(id);
    if (launching && key !== null && launching.key === key)
      return { folded: await launching.done, fresh: false };
    const before = this.ground.loop.roll.get(id);
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
    const done = this.start(id, wish, key);
    this.launching.set(id, { key, done });
    try {
      return { folded: await done, fresh: true };
    } finally {
      this.launching.delete(id);
    }
  }

  isLaunching(id: string): boolean {
    return this.launching.has(id);
  }

  private async start(id: string, wish: CreateSession, key: string | null): Promise<Folded> {
    const { paths, env, loop, clock, socket, onError } = this.ground;
    const cli = await this.findCli();
    const script = prepareLaunch(paths, env, cli, wish);
    const name = tmuxNameOf(id);
    const started = await startSession({
      socket,
      name,
      cwd: wish.cwd,
      script,
      env: withoutMarkers(env),
    }).catch(error => {
      removeLaunch(paths, id);
      const { message } = error as Error;
      if (/duplicate session/.test(message))
        throw new DroverError(
          'refused',
          `There is a tmux session ${name} already.`,
          'End it, or take another id.',
        );
      throw new DroverError('failed', `tmux could not start it: ${message}`);
    });
    const { serverPid, pane, panePid } = started;
    const fields = { cwd: wish.cwd, name: wish.name, approvals: wish.approvals, tmux: name, key };
    const context = { pid: panePid, entrypoint: 'cli', socket, serverPid, pane, projectDir: wish.cwd };
    await loop.take([{ draft: hubDraft(launchedName, id, clock.now(), fields, context) }]);
    if (wish.trust)
      answerTrust(loop, id, { socket, pane }).catch(error =>
        onError('the trust dialog could not be answered', error),
      );
    return loop.roll.get(id) as Folded;
  }

  private async findCli(): Promise<Cli> {
    const { clock } = this.ground;
    const known = this.cli;
    if (known && clock.now() - known.at < limits.cliKnown && existsSync(known.found.path)) return known.found;
    const found = await this.ground.findCli();
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
    return this.ground
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
