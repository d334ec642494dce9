/** Finds out more about the usage limit of a session: the exact time of its reset, and whether Claude Code continues by itself. */
import { type Clock, schedule } from '../../clock.ts';
import { limits } from '../../limits.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import { limitSeenName } from '../../session/limit/limit.ts';
import type { Folded } from '../../session/memory.ts';
import { ownEvent } from '../../session/own-event.ts';
import { accountOf, exactLimit, statusLineReadName } from '../../session/limit/quota.ts';
import { announcesContinuation } from './limit-menu.ts';

export class LimitWatch {
  readonly name = 'limits';
  private readonly timers = new Set<() => void>();

  constructor(
    private readonly loop: Loop,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  start(): void {
    for (const session of this.loop.sessionIndex.live()) if (isWaiting(session)) this.schedulePolls(session);
  }

  close(): void {
    for (const cancel of this.timers) cancel();
  }

  onCommit({ event, changed }: Commit): void {
    for (const { before, after } of changed) {
      if (isWaiting(after) && before?.evidence.seq !== after.evidence.seq) this.schedulePolls(after);
      if (event.source === 'drover' && event.name === statusLineReadName) this.readAccountReset(after);
    }
  }

  /** A status line of the account may know the exact reset. */
  private readAccountReset(session: Folded): void {
    const account = accountOf(session);
    for (const other of this.loop.sessionIndex.live())
      if (account !== null && isWaiting(other) && accountOf(other) === account) this.note(other, {});
  }

  /** Reads the screen once the announcement is painted, and again on a slow machine. */
  private schedulePolls({ id, evidence }: Folded): void {
    for (const wait of limits.continuation.screenReads) {
      const cancel = schedule(this.clock, wait, () => {
        this.timers.delete(cancel);
        const session = this.loop.sessionIndex.get(id);
        if (session && isWaiting(session) && session.evidence.seq === evidence.seq)
          this.check(session).catch(error => this.onError('Could not check a usage limit', error));
      });
      this.timers.add(cancel);
    }
  }

  private async check(session: Folded): Promise<void> {
    const continues = session.pane ? await announcesContinuation(session).catch(() => false) : false;
    this.note(session, { continues });
  }

  private note(session: Folded, seen: { continues?: boolean }): void {
    const { limit } = session;
    const found = { ...exactLimit(session, this.loop.sessionIndex.live()), ...seen };
    const isNew = Object.entries(found).some(([key, value]) => limit?.[key as keyof typeof limit] !== value);
    if (isNew) this.loop.record([ownEvent(limitSeenName, session.id, this.clock.now(), found)]);
  }
}

const isWaiting = ({ state, reason }: Folded): boolean => state === 'waiting' && reason === 'limit';
