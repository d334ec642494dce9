/** What goes when a managed session goes: its terminal, and the script that started it. Its settings stay for a resume. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pane } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import type { Paths } from '../../paths.ts';
import type { Folded } from '../../session/memory.ts';
import { endSession, watchScreen } from '../../tmux/server/session.ts';
import { handOnLaunch, removeStart } from './launch.ts';
import { isUp } from './ready.ts';

export class Tidy {
  constructor(
    private readonly paths: Paths,
    private readonly loop: Loop,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    loop.listen(commit => this.onCommit(commit));
  }

  /** Takes the terminal of a managed session away, if it has ended and not come back. */
  async tidy({ id, pane, managed }: Folded): Promise<void> {
    if (!managed || this.loop.sessionIndex.get(id)?.state !== 'ended') return;
    if (pane?.serverPid) {
      const ours = { serverPid: pane.serverPid, pane: pane.id };
      await endSession(pane.socket, ours, this.isShared(pane));
    }
    for (const gone of this.lineOf(id)) removeStart(this.paths, gone);
  }

  private onCommit({ changed }: Commit): void {
    for (const { before, after } of changed) {
      if (!after.managed) continue;
      if (before && !isUp(before) && isUp(after)) this.does(this.isUp(after));
      // After `/clear` the successor lives on in the same pane.
      if (after.next && after.next !== before?.next) handOnLaunch(this.paths, after.id, after.next);
      if (after.state !== 'ended' || before?.state === 'ended') continue;
      if (!after.next && after.reason !== 'clear') this.does(this.tidyLater(after));
    }
  }

  /** It has begun: what it would have said last is no longer waited for. */
  private async isUp({ pane }: Folded): Promise<void> {
    if (pane) await watchScreen(pane.socket, pane.id, false);
  }

  private async tidyLater(session: Folded): Promise<void> {
    // Its last words are wanted by whoever waits for it to be ready.
    await pause(limits.stop.endedScreen, undefined, { ref: false });
    await this.tidy(session);
  }

  /** Another session lives in this tmux session: a conversation that was cleared, and taken up again beside what followed it. */
  private isShared({ socket, session }: Pane): boolean {
    if (session === null) return false;
    return this.loop.sessionIndex
      .live()
      .some(({ pane }) => pane?.socket === socket && pane.session === session);
  }

  /** A conversation and those that it followed by `/clear`: they share one start. */
  private lineOf(id: string): string[] {
    const before = this.loop.sessionIndex.all().find(({ next }) => next === id);
    return before ? [...this.lineOf(before.id), id] : [id];
  }

  private does(work: Promise<void>): void {
    work.catch(error => this.onError('a session could not be tidied up', error));
  }
}
