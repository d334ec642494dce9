/** Parks idle sessions, and starts parked ones again. */
import { DroverError } from '../../contract/error.ts';
import type { Clock } from '../../clock.ts';
import { isRemote } from '../../contract/origin.ts';
import { shortId } from '../../contract/short-id.ts';
import { isAmbiguous, keptArguments } from '../../driver/launch/kept-arguments.ts';
import { processRef, terminate } from '../../driver/stop/end-process.ts';
import { limits } from '../../limits.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import type { Paths } from '../../paths.ts';
import { hasExactArgs, isReusedPid, processArgs } from '../../platform/processes.ts';
import type { Folded } from '../../session/memory.ts';
import { ownEvent } from '../../session/own-event.ts';
import { parkEvents } from '../../session/park.ts';
import { tasksText } from '../../session/tasks.ts';
import { assertNewest } from '../drive-policy.ts';
import { readScreen, type Screen } from '../menu/screen.ts';
import { TerminalScreen } from '../request/terminal-screen.ts';
import { dialogText, openDialog } from '../open-dialog.ts';
import { removeParkedArguments, writeParkedArguments } from './parked-arguments.ts';

export interface ParkingDeps {
  loop: Loop;
  clock: Clock;
  paths: Paths;
  /** Keeps messages away from a session while nothing is typed into it; null when something is. */
  reserve: (id: string) => Promise<(() => void) | null>;
  /** Whether a message waits for a session. */
  hasMessages: (id: string) => boolean;
  /** Whether a session can be resumed: it has a transcript. */
  hasTranscript: (session: Folded) => boolean;
  /** Resumes a session in a pane, as one of the hub's or a person's. */
  resume: (id: string, managed: boolean) => Promise<unknown>;
  /** Called when a session has ended, so that it may be started again at once. */
  ended?: (id: string) => void;
  /** Reads the screen of a session. */
  screen?: (session: Folded) => Promise<Screen>;
}

export class Parking {
  readonly name = 'parking';
  /** Sessions that are being started again. */
  private readonly starting = new Map<string, Promise<Folded>>();
  /** Sessions that were parked and have not reported in yet. */
  private readonly waking = new Set<string>();

  constructor(private readonly deps: ParkingDeps) {}

  /** Ends an idle session with SIGTERM. Throws where it is not idle, or something on its screen would be lost. */
  async park(session: Folded): Promise<Folded> {
    const { deps } = this;
    const { id } = session;
    this.assertIdle(session);
    const release = await deps.reserve(id);
    if (!release) throw refused(session, 'a message is being typed into it');
    try {
      assertNoDraft(session, await (deps.screen ?? screenOf)(session));
      const now = deps.loop.sessionIndex.get(id) ?? session;
      this.assertIdle(now);
      return await this.end(now, now.pid as number);
    } finally {
      release();
    }
  }

  /** Returns the session; a parked one after it was started again. */
  async unpark(session: Folded): Promise<Folded> {
    if (!session.parked) return session;
    const starting = this.starting.get(session.id) ?? this.startAgain(session);
    this.starting.set(session.id, starting);
    try {
      return await starting;
    } finally {
      this.starting.delete(session.id);
    }
  }

  /** Forgets the arguments of sessions that run, which an earlier daemon may have left. */
  start(): void {
    const { loop, paths } = this.deps;
    for (const { id } of loop.sessionIndex.live()) removeParkedArguments(paths, id);
  }

  /** Forgets the arguments of a session that has reported in again. A failed start needs them for the next attempt. */
  onCommit({ event, changed }: Commit): void {
    for (const { before, after } of changed) {
      const { id, state, parked } = after;
      if (before?.parked && !parked) this.waking.add(id);
      if (!this.waking.has(id)) continue;
      const hasReported = state !== 'ended' && (event.source === 'hook' || event.source === 'file');
      if (hasReported) removeParkedArguments(this.deps.paths, id);
      if (hasReported || parked) this.waking.delete(id);
    }
  }

  private assertIdle(session: Folded): void {
    const { state, pid, pane, headless } = session;
    assertNewest(session);
    if (session.parked) throw refused(session, 'it is parked already');
    if (state === 'ended') throw refused(session, 'it has ended');
    if (isRemote(session)) throw refused(session, 'it does not run on this machine');
    if (headless) throw refused(session, 'it is headless and ends by itself');
    if (pid === null || isReusedPid(pid, session.touched)) throw refused(session, 'its process is not known');
    const dialog = openDialog(session);
    if (dialog) throw refused(session, `a dialog is open (${dialogText(dialog)})`);
    if (state !== 'waiting') throw refused(session, `it is ${state === 'ready' ? 'new' : state}`);
    const { tasks, crons } = session;
    if (tasks.length > 0) throw refused(session, `it has background tasks (${tasksText(tasks)})`);
    if (crons.length > 0) throw refused(session, 'it has scheduled prompts, which only run while it does');
    if (this.deps.hasMessages(session.id)) throw refused(session, 'a message waits for it');
    if (!pane)
      throw refused(session, 'it is not in a tmux pane, so a draft in its prompt line cannot be seen');
    if (!this.deps.hasTranscript(session))
      throw refused(session, 'it has no transcript, so it could not be resumed');
  }

  private async end(session: Folded, pid: number): Promise<Folded> {
    const { loop, paths } = this.deps;
    const { id } = session;
    const args = processArgs(pid);
    if (!hasExactArgs && isAmbiguous(args))
      throw refused(session, 'ps does not show where its arguments begin and end');
    writeParkedArguments(paths, id, keptArguments(args, session));
    await this.record(id, parkEvents.begin, { pid });
    if (!(await terminate(processRef(pid), limits.park.grace))) {
      await this.record(id, parkEvents.failed, { pid });
      throw new DroverError(
        'failed',
        `${shortId(id)} did not end within ${limits.park.grace / 1_000} s. It is not parked.`,
      );
    }
    const isEnded = () => (loop.sessionIndex.get(id)?.state === 'ended' ? true : undefined);
    if (!(await loop.until(isEnded, { timeout: limits.stop.kill })))
      // The CLI fired no SessionEnd, so Drover records the end.
      await this.record(id, 'Stopped', { pid });
    this.deps.ended?.(id);
    return loop.sessionIndex.get(id) ?? session;
  }

  private async startAgain({ id, managed }: Folded): Promise<Folded> {
    const { loop, resume } = this.deps;
    await resume(id, managed);
    const running = () => {
      const session = loop.sessionIndex.get(id);
      return session && session.state !== 'ended' ? session : undefined;
    };
    const session = await loop.until(running, { timeout: limits.start.ready });
    if (session) return session;
    throw new DroverError(
      'failed',
      `${shortId(id)} was started again, but has not reported in within ${limits.start.ready / 1_000} s.`,
      `\`drover resume ${shortId(id)}\` starts it in this terminal.`,
    );
  }

  private record(id: string, name: string, fields: object): Promise<void> {
    const { loop, clock } = this.deps;
    return loop.append([{ draft: ownEvent(name, id, clock.now(), fields) }]);
  }
}

const assertNoDraft = (session: Folded, { menu, prompt }: Screen): void => {
  if (menu) throw refused(session, 'a menu is open');
  if (!prompt) throw refused(session, 'its screen does not show the prompt line');
  if (prompt.draft !== '') throw refused(session, 'there is a draft in its prompt line');
};

const refused = ({ id }: Folded, why: string): DroverError =>
  new DroverError('refused', `${shortId(id)} was not parked: ${why}.`, 'Only an idle session can be parked.');

const screenOf = (session: Folded): Promise<Screen> => readScreen(new TerminalScreen(session));
