/** A permission dialog during a run: who may answer it, and how long the run waits. */
import type { SessionStatus } from '../../claude/session-status.ts';
import { limits } from '../../limits.ts';
import { quote } from '../../quote.ts';
import { PrintFailure } from '../failure.ts';
import type { Holding, Request } from '../request.ts';
import { shortId } from '../../contract/short-id.ts';

export class PermissionDialog {
  /** Since when a dialog is open, by `performance.now()`. */
  private since: number | null = null;
  private isReported = false;
  /** Checks in a row that found the request not held. */
  private misses = 0;
  private checkedAt = -Infinity;

  constructor(
    private readonly request: Request,
    private readonly socket: string,
    private readonly notify: (text: string) => void,
  ) {}

  /** Throws when nobody can answer an open dialog. A hook of the user may, for a moment. */
  check(status: SessionStatus | null, tool: string | null, now: number): void {
    if (status?.status !== 'waiting') {
      this.since = null;
      this.isReported = false;
      this.misses = 0;
      return;
    }
    this.since ??= now;
    if (now - this.since < limits.print.dialogGrace) return;
    const what = `claude asks about ${tool ?? 'something'} (${status.waitingFor ?? 'a dialog'})`;
    if (this.request.onPermission === 'fail')
      throw required(
        `${what} and nobody is there to answer: allow it (--allowedTools, --permission-mode), or --on-permission wait or hold`,
      );
    if (this.misses >= limits.print.heldPolls) throw required(`${what}, and this request is not held`);
    const { holding } = this.request;
    const id = status.sessionId ?? '';
    if (holding && now - this.checkedAt > limits.print.heldPoll) {
      this.checkedAt = now;
      void this.checkHeld(holding, id);
    }
    if (this.isReported) return;
    this.isReported = true;
    this.notify(
      holding
        ? `${what}; to answer: drover answer ${shortId(id)} allow (or deny; drover show ${shortId(id)} shows all of it)`
        : `${what}; to answer: TMUX= tmux -S ${quote(this.socket)} attach`,
    );
  }

  private async checkHeld(holding: Holding, id: string): Promise<void> {
    const isHeld = await holding.holds(id).catch(() => false);
    this.misses = isHeld ? 0 : this.misses + 1;
  }
}

const required = (message: string): PrintFailure => new PrintFailure('permission_required', message);
