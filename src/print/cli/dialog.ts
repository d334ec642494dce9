/** A dialog in the middle of a run: who may answer it, and for how long it is waited for. */
import type { SessionStatus } from '../../claude/session-status.ts';
import { limits } from '../../limits.ts';
import { quote } from '../../quote.ts';
import { PrintFailure } from '../failure.ts';
import type { Holding, Request } from '../request.ts';

export class Dialog {
  /** Since when one is up, by `performance.now()`. */
  private since: number | null = null;
  private noticed = false;
  /** Looks in a row that found nothing held. */
  private misses = 0;
  private looked = -Infinity;

  constructor(
    private readonly request: Request,
    private readonly socket: string,
    private readonly notice: (text: string) => void,
  ) {}

  /** Throws when nobody is there to answer. A hook of the user's may, within a moment. */
  look(status: SessionStatus | null, tool: string | null, now: number): void {
    if (status?.status !== 'waiting') {
      this.since = null;
      this.noticed = false;
      this.misses = 0;
      return;
    }
    this.since ??= now;
    if (now - this.since < limits.print.dialogGrace) return;
    const asks = `claude asks about ${tool ?? 'something'} (${status.waitingFor ?? 'a dialog'})`;
    if (this.request.onPermission === 'fail')
      throw required(
        `${asks} and nobody is there to answer: allow it (--allowedTools, --permission-mode), or --on-permission wait or hold`,
      );
    if (this.misses >= limits.print.heldPolls) throw required(`${asks}, and it is not held, or no longer`);
    const { holding } = this.request;
    const id = status.sessionId ?? '';
    if (holding && now - this.looked > limits.print.heldPoll) {
      this.looked = now;
      void this.lookForHold(holding, id);
    }
    if (this.noticed) return;
    this.noticed = true;
    this.notice(
      holding
        ? `${asks}; to answer: drover answer ${id.slice(0, 8)} allow (or deny; drover show ${id.slice(0, 8)} tells more)`
        : `${asks}; to answer: TMUX= tmux -S ${quote(this.socket)} attach`,
    );
  }

  private async lookForHold(holding: Holding, id: string): Promise<void> {
    const held = await holding.holds(id).catch(() => false);
    this.misses = held ? 0 : this.misses + 1;
  }
}

const required = (message: string): PrintFailure => new PrintFailure('permission_required', message);
