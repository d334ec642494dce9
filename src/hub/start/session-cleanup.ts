/** Removes the terminal and the start script of a managed session that has ended. Its settings stay for a resume. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pane } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import type { Paths } from '../../paths.ts';
import type { Folded } from '../../session/memory.ts';
import { endSession, watchScreen } from '../../tmux/server/session.ts';
import { copyLaunchFiles, removeStartScripts } from './launch-files.ts';
import { isUp } from './await-ready.ts';

export class SessionCleanup {
  readonly name = 'session cleanup';

  constructor(
    private readonly paths: Paths,
    private readonly loop: Loop,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  /** Removes them, unless the session has been resumed in the meantime. */
  async cleanUp({ id, pane, managed }: Folded): Promise<void> {
    if (!managed || this.loop.sessionIndex.get(id)?.state !== 'ended') return;
    if (pane?.serverPid) {
      const ours = { serverPid: pane.serverPid, pane: pane.id };
      await endSession(pane.socket, ours, this.isShared(pane));
    }
    for (const ended of this.predecessorsOf(id)) removeStartScripts(this.paths, ended);
  }

  onCommit({ changed }: Commit): void {
    for (const { before, after } of changed) {
      if (!after.managed) continue;
      if (before && !isUp(before) && isUp(after)) this.run(this.onUp(after));
      // After `/clear` the successor runs in the same pane.
      if (after.next && after.next !== before?.next) copyLaunchFiles(this.paths, after.id, after.next);
      if (after.state !== 'ended' || before?.state === 'ended') continue;
      if (!after.next && after.reason !== 'clear') this.run(this.cleanUpLater(after));
    }
  }

  /** Stops keeping the output of a session that has started: it was only needed if the start failed. */
  private async onUp({ pane }: Folded): Promise<void> {
    if (pane) await watchScreen(pane.socket, pane.id, false);
  }

  private async cleanUpLater(session: Folded): Promise<void> {
    // A client that waits for it to be ready reads its last output.
    await pause(limits.stop.endedScreen, undefined, { ref: false });
    await this.cleanUp(session);
  }

  /** Whether another session runs in this tmux session: a cleared session can be resumed beside its successor. */
  private isShared({ socket, session }: Pane): boolean {
    if (session === null) return false;
    return this.loop.sessionIndex
      .live()
      .some(({ pane }) => pane?.socket === socket && pane.session === session);
  }

  /** A session and those before it by `/clear`: they share one start. */
  private predecessorsOf(id: string): string[] {
    const before = this.loop.sessionIndex.all().find(({ next }) => next === id);
    return before ? [...this.predecessorsOf(before.id), id] : [id];
  }

  private run(work: Promise<void>): void {
    work.catch(error => this.onError('could not clean up after a session', error));
  }
}
