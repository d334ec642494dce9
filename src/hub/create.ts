/** Sessions that the hub starts: a tmux session each, with the id that the caller chose. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { trustSteps } from '../claude/dialogs.ts';
import { type Cli, findClis } from '../claude/find-cli.ts';
import { withoutMarkers } from '../claude/markers.ts';
import { slugOf } from '../claude/slug.ts';
import { DroverError } from '../contract/error.ts';
import type { CreateSession } from '../contract/hub.ts';
import { limits } from '../limits.ts';
import type { Commit, Loop } from '../live/loop.ts';
import type { Env, Paths } from '../paths.ts';
import { launchedName } from '../session/launched.ts';
import type { Folded } from '../session/memory.ts';
import { screenOf } from '../tmux/panes.ts';
import { endSession, startSession } from '../tmux/session.ts';
import { press, type Target } from '../tmux/type.ts';
import { targetOf } from './drive.ts';
import { hubDraft } from './event.ts';
import { prepareLaunch, removeLaunch, removeStart } from './launch.ts';

export interface Ground {
  paths: Paths;
  env: Env;
  loop: Loop;
  clock: Clock;
  /** `claude` of config.json. */
  claude: string | undefined;
  /** The tmux server for sessions of the hub. */
  socket: string;
  dirs: () => string[];
  onError: (message: string, error: unknown) => void;
}

export class Sessions {
  /** Ids that are on their way. */
  private readonly launching = new Set<string>();
  private cli: { at: number; found: Cli | null } | null = null;

  constructor(private readonly ground: Ground) {
    ground.loop.listen(commit => this.hear(commit));
  }

  /** Starts a session. Under the same `key` the same one is given again, not `fresh`. */
  async create(wish: CreateSession, key: string | null): Promise<{ folded: Folded; fresh: boolean }> {
    const { loop } = this.ground;
    const { session_id: id, cwd } = wish;
    const before = loop.roll.get(id);
    if (before && key !== null && before.memory.launchKey === key) return { folded: before, fresh: false };
    if (before || this.launching.has(id))
      throw new DroverError(
        'refused',
        `There is a session ${id} already.`,
        'POST /sessions/:id/resume brings an ended one back.',
      );
    if (this.transcriptOf(id))
      throw new DroverError(
        'refused',
        `${id} has a transcript already.`,
        'POST /sessions/:id/resume goes on with it.',
      );
    if (!isFolder(cwd)) throw new DroverError('bad_request', `${cwd} is not a folder.`);
    return { folded: await this.launch(wish, key), fresh: true };
  }

  /** Waits until a session can take a prompt; throws what it said last when it ends instead. */
  async ready(id: string, ms = limits.readyWait): Promise<Folded> {
    const { loop, clock } = this.ground;
    const deadline = clock.now() + ms;
    for (;;) {
      const session = loop.roll.get(id);
      if (!session) throw new DroverError('no_session', `${id} is gone.`);
      if (session.state === 'ended')
        throw new DroverError(
          'failed',
          `The session ended as it began: ${(await this.lastWords(session)) || 'nothing was left on its screen.'}`,
          'Start `claude` with the same arguments in that folder to see why.',
        );
      if (session.memory.hooked > 0 || session.memory.file !== null) return session;
      if (session.state === 'waiting') return session;
      if (clock.now() > deadline)
        throw new DroverError('failed', `The session was not ready within ${ms / 1_000} s.`);
      await this.change(id, deadline - clock.now());
    }
  }

  private async launch(wish: CreateSession, key: string | null): Promise<Folded> {
    const { session_id: id } = wish;
    this.launching.add(id);
    try {
      return await this.start(id, wish, key);
    } finally {
      this.launching.delete(id);
    }
  }

  private async start(id: string, wish: CreateSession, key: string | null): Promise<Folded> {
    const { paths, env, loop, clock, socket } = this.ground;
    const cli = await this.findCli();
    const script = prepareLaunch(paths, env, cli, wish);
    const name = tmuxName(id);
    const started = await startSession({
      socket,
      name,
      cwd: wish.cwd,
      script,
      env: withoutMarkers(env),
    }).catch(error => {
      removeLaunch(paths, id);
      throw new DroverError('failed', `tmux could not start it: ${(error as Error).message}`);
    });
    const { serverPid, pane, panePid } = started;
    const fields = { cwd: wish.cwd, name: wish.name, approvals: wish.approvals, tmux: name, key };
    const context = { pid: panePid, entrypoint: 'cli', socket, serverPid, pane, projectDir: wish.cwd };
    await loop.take([{ draft: hubDraft(launchedName, id, clock.now(), fields, context) }]);
    if (wish.trust) void this.trust(id, { socket, pane });
    return loop.roll.get(id) as Folded;
  }

  /** Answers the trust dialog with yes, by reading the screen: the highlighted answer differs between versions. */
  private async trust(id: string, target: Target): Promise<void> {
    const { loop, onError } = this.ground;
    try {
      for (let looks = 0; looks < 300; looks++) {
        const session = loop.roll.get(id);
        if (!session || session.state === 'ended' || session.memory.hooked > 0) return;
        const steps = trustSteps(await screenOf(target.socket, target.pane));
        if (steps === 0) await press(target, 'Enter');
        else if (steps !== null) await press(target, steps > 0 ? 'Down' : 'Up');
        // Keys apart: sent together, Enter takes the row that was highlighted before.
        await pause(limits.promptLook);
      }
    } catch (error) {
      onError('the trust dialog could not be answered', error);
    }
  }

  /** When a managed session has ended its terminal and its folder go with it. */
  private hear({ changed }: Commit): void {
    for (const { before, after } of changed) {
      if (!after.managed || after.state !== 'ended' || before?.state === 'ended') continue;
      // After `/clear` the successor lives on in the same pane.
      if (after.next || after.reason === 'clear') continue;
      void this.tidyLater(after).catch(error =>
        this.ground.onError('a session could not be tidied up', error),
      );
    }
  }

  private async tidyLater(session: Folded): Promise<void> {
    // Its last words are wanted by whoever waits for it to be ready.
    await pause(limits.endedScreen, undefined, { ref: false });
    await this.tidy(session);
  }

  /** Takes the terminal of a managed session away, if it has ended and not come back. Its settings stay for a resume. */
  async tidy({ id, pane, pid, managed }: Folded): Promise<void> {
    const { loop, paths } = this.ground;
    if (!managed || loop.roll.get(id)?.state !== 'ended') return;
    const line = this.lineOf(id);
    const names = line.map(tmuxName);
    if (pane?.serverPid && pid !== null)
      await endSession(pane.socket, { serverPid: pane.serverPid, pane: pane.id, panePid: pid }, names);
    for (const gone of line) removeStart(paths, gone);
  }

  /** A conversation and those that it followed by `/clear`: they share one start. */
  private lineOf(id: string): string[] {
    const before = this.ground.loop.roll.all().find(({ next }) => next === id);
    return before ? [...this.lineOf(before.id), id] : [id];
  }

  private async lastWords(session: Folded): Promise<string> {
    if (!session.pane) return '';
    const { socket, pane } = targetOf(session);
    let lines: string[] = [];
    // What a program wrote last is on its screen a moment after it has gone.
    for (let looks = 0; looks < 5 && lines.every(line => line === ''); looks++) {
      if (looks > 0) await pause(limits.promptLook);
      lines = (await screenOf(socket, pane)).split('\n').map(line => line.trim());
    }
    return lines
      .filter(line => line !== '' && !line.startsWith('Pane is dead'))
      .slice(-5)
      .join(' / ');
  }

  private async findCli(): Promise<Cli> {
    const { claude, env, clock } = this.ground;
    if (!this.cli || clock.now() - this.cli.at > limits.cliKnown) {
      const [first] = await findClis({ env, configured: claude });
      this.cli = { at: clock.now(), found: first ?? null };
    }
    const { found } = this.cli;
    if (!found)
      throw new DroverError(
        'failed',
        'No Claude CLI was found.',
        'Put `claude` on the PATH of the daemon, or its path into config.json as `claude`.',
      );
    return found;
  }

  private transcriptOf(id: string): boolean {
    const known = this.ground.loop.roll.get(id);
    if (known?.transcript && existsSync(known.transcript)) return true;
    const slug = known?.dir ? slugOf(known.dir) : null;
    return this.ground
      .dirs()
      .some(dir =>
        slug
          ? existsSync(join(dir, 'projects', slug, `${id}.jsonl`))
          : foldersIn(join(dir, 'projects')).some(folder => existsSync(join(folder, `${id}.jsonl`))),
      );
  }

  private change(id: string, ms: number): Promise<void> {
    return new Promise(done => {
      const over = () => {
        clearTimeout(timer);
        leave();
        done();
      };
      const timer = setTimeout(over, ms);
      const leave = this.ground.loop.listen(({ event }) => {
        if (event.sessionId === id) over();
      });
    });
  }
}

/** What the tmux session of a session is called. */
const tmuxName = (id: string): string => `claude-${id.slice(0, 8)}`;

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const foldersIn = (path: string): string[] => {
  try {
    return readdirSync(path).map(name => join(path, name));
  } catch {
    return [];
  }
};
