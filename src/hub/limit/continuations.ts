/**
 * Messages that sessions get after the reset of their usage limit. A message is scheduled by an event of its session, so it survives
 * restarts. It is sent under its own key: however often that is tried, it is typed once. Nothing is sent when Claude Code
 * continues by itself, or when another turn has begun.
 */
import { type Clock, schedule } from '../../clock.ts';
import type { Config } from '../../contract/config.ts';
import { DroverError } from '../../contract/error.ts';
import { type ScheduleContinuation, SendMessage } from '../../contract/hub.ts';
import { shortId } from '../../contract/short-id.ts';
import { limits } from '../../limits.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import { continuationEvents, isLimited, limitSeenName } from '../../session/limit/limit.ts';
import type { Folded } from '../../session/memory.ts';
import { ownEvent } from '../../session/own-event.ts';
import { accountOf } from '../../session/limit/quota.ts';
import type { DrivePolicy } from '../drive-policy.ts';
import type { Menus } from '../menu/menu.ts';
import type { Messages, Sent } from '../message/messages.ts';
import type { Receipts } from '../message/receipts.ts';
import { checkedText } from '../message/text.ts';
import { openDialog } from '../open-dialog.ts';
import { targetOf } from '../target.ts';
import { announcesContinuation, closeLimitMenu } from './limit-menu.ts';

export interface ContinuationDeps {
  loop: Loop;
  clock: Clock;
  /** The section `continue` of the config, which may change. */
  config: () => Config['continue'];
  messages: Pick<Messages, 'send' | 'withdraw'>;
  receipts: Pick<Receipts, 'load'>;
  menus: Menus;
  drive: DrivePolicy;
  /** Commits what the sources have reported about these sessions so far. */
  catchUp: (ids: string[]) => Promise<void>;
  onError: (message: string, error: unknown) => void;
  /** The screen, for tests. */
  announces?: typeof announcesContinuation;
  closeMenu?: typeof closeLimitMenu;
}

export class Continuations {
  readonly name = 'continuations';
  private readonly timers = new Map<string, () => void>();
  private readonly sending = new Set<string>();
  /** When the next message of an account may be sent: a machine that slept over the reset sends them one after another too. */
  private readonly freeAt = new Map<string | null, number>();
  /** Failed attempts by the id of the continuation. */
  private readonly failures = new Map<number, number>();
  /** Messages that may not be typed yet, by session. */
  private readonly sent = new Map<string, Sent>();
  private isClosed = false;

  constructor(private readonly deps: ContinuationDeps) {}

  /** Continues with what an earlier daemon has scheduled. Called before messages are typed. */
  start(): void {
    const { loop, receipts, messages } = this.deps;
    for (const session of loop.sessionIndex.live()) this.arm(session);
    for (const { id, sessionId, key, phase } of receipts.load()) {
      if (phase !== 'queued' || !key?.startsWith(keyPrefix)) continue;
      const session = loop.sessionIndex.get(sessionId);
      if (session && isLimited(session.memory)) this.sent.set(sessionId, { id, sessionId });
      // Another turn began while no daemon ran.
      else messages.withdraw(id);
    }
  }

  close(): void {
    this.isClosed = true;
    for (const cancel of this.timers.values()) cancel();
  }

  /** Schedules the message; throws why not. The answer has its time. */
  async schedule(session: Folded, { text, within }: ScheduleContinuation): Promise<Folded> {
    const { loop, clock, config, drive } = this.deps;
    drive.assertMayDrive(session);
    targetOf(session);
    const message = checkedText(text ?? config().message, 'text');
    assertWaits(session);
    const { id, limit } = session;
    if (limit?.resetsAt == null)
      throw new DroverError('refused', `The reset time of ${shortId(id)} is unknown.`);
    const sendAt = this.timeFor(session, limit.resetsAt);
    const maxAhead = within === undefined ? limits.continuation.ahead : within * 1_000;
    if (sendAt - clock.now() > maxAhead)
      throw new DroverError(
        'refused',
        `The limit of ${shortId(id)} resets in ${Math.ceil((sendAt - clock.now()) / 3_600_000)} h.`,
        'Allow it with `--within 7d`, or `within` in seconds.',
      );
    if (await this.announces(session))
      throw new DroverError('refused', `Claude Code continues ${shortId(id)} by itself after the reset.`);
    // Claude Code announced that it continues by itself, and somebody has cancelled that on its screen.
    if (limit.continues) await this.commit(session, limitSeenName, { continues: false });
    const latest = clock.now() + maxAhead;
    await this.commit(session, continuationEvents.scheduled, { sendAt, latest, text: message });
    const after = loop.sessionIndex.get(id);
    if (!after?.continuation) throw new DroverError('refused', 'Another turn has begun in the meantime.');
    return after;
  }

  /** Cancels the message of a session, even if it is queued but not typed yet; throws when there is none. */
  async cancel(session: Folded): Promise<Folded> {
    const { id, continuation } = session;
    if (!continuation) {
      const message = this.sent.get(id);
      if (!message) throw new DroverError('refused', `No message is scheduled for ${shortId(id)}.`);
      if (!this.deps.messages.withdraw(message.id))
        throw new DroverError('refused', `The message for ${shortId(id)} was already sent.`);
      this.sent.delete(id);
    }
    await this.commit(session, continuationEvents.cancelled, { why: 'It was cancelled.' });
    return this.deps.loop.sessionIndex.get(session.id) ?? session;
  }

  onCommit({ changed }: Commit): void {
    for (const { before, after } of changed) {
      if (before?.continuation || after.continuation) this.arm(after);
      this.withdrawFor(after);
    }
  }

  /** Withdraws the message of a session in which somebody else has begun a turn before it was typed. */
  private withdrawFor({ id, state }: Folded): void {
    const message = this.sent.get(id);
    if (!message || state === 'waiting') return;
    this.sent.delete(id);
    this.deps.messages.withdraw(message.id);
  }

  /** The messages of one account go out one after another, the first a little after the reset. */
  private timeFor(session: Folded, resetsAt: number): number {
    const { clock, config, loop } = this.deps;
    const stagger = config().staggerSeconds * 1_000;
    const account = accountOf(session);
    const others = loop.sessionIndex
      .live()
      .filter(other => other.id !== session.id && accountOf(other) === account)
      .flatMap(({ continuation }) => continuation?.sendAt ?? []);
    return Math.max(clock.now(), afterReset(resetsAt) + stagger, ...others.map(at => at + stagger));
  }

  private arm(session: Folded): void {
    const { id, continuation, limit } = session;
    this.timers.get(id)?.();
    this.timers.delete(id);
    if (!continuation || !limit || this.isClosed || this.sending.has(id)) return;
    const failed = this.failures.get(continuation.id) ?? 0;
    // A message that will not be sent is cancelled at once.
    const until = this.whyNot(session) === null ? this.turnOf(session) - this.deps.clock.now() : 0;
    const wait = Math.min(
      Math.max(until, 0) + failed * limits.continuation.retry,
      limits.continuation.recheck,
    );
    this.timers.set(
      id,
      schedule(this.deps.clock, wait, () => void this.fire(id)),
    );
  }

  private async fire(id: string): Promise<void> {
    this.timers.delete(id);
    const { loop, catchUp, onError } = this.deps;
    const due = loop.sessionIndex.get(id)?.continuation;
    if (!due || this.sending.has(id)) return;
    this.sending.add(id);
    try {
      await catchUp([id]);
      const session = loop.sessionIndex.get(id);
      if (session?.continuation?.id !== due.id || !session.limit) return;
      const why = this.whyNot(session);
      if (why !== null) await this.commit(session, continuationEvents.cancelled, { why });
      // Timers longer than Node allows fire early, and the reset may have moved.
      else if (this.takesTurn(session)) await this.send(session, due);
    } catch (error) {
      await this.onFailure(id, due.id, error).catch(failure =>
        onError('Could not cancel a message', failure),
      );
    } finally {
      this.sending.delete(id);
      const session = loop.sessionIndex.get(id);
      if (session) this.arm(session);
    }
  }

  /** When the message of a session is sent: when it is due, but not shortly after another of its account. */
  private turnOf(session: Folded): number {
    return Math.max(dueAt(session), this.freeAt.get(accountOf(session)) ?? 0);
  }

  /** Whether its message may be sent now. Then the next of its account has to wait. */
  private takesTurn(session: Folded): boolean {
    const { clock, config } = this.deps;
    const now = clock.now();
    const stagger = config().staggerSeconds * 1_000;
    const account = accountOf(session);
    // A clock that was set back must not hold them up.
    if ((this.freeAt.get(account) ?? 0) > now + stagger) this.freeAt.delete(account);
    if (this.turnOf(session) > now) return false;
    this.freeAt.set(account, now + stagger);
    return true;
  }

  /** Why a message is no longer sent: its time has long passed, or the reset has moved beyond what its sender allowed. */
  private whyNot(session: Folded): string | null {
    const { clock, loop } = this.deps;
    const due = dueAt(session);
    if (clock.now() - due > limits.continuation.late)
      return 'Its time passed while Drover could not send it.';
    const { latest } = (loop.payloadAt(session.continuation?.id ?? 0) ?? {}) as { latest?: unknown };
    return typeof latest === 'number' && due > latest
      ? 'The reset moved beyond the time that was allowed.'
      : null;
  }

  private async send(session: Folded, due: { id: number; text: string }): Promise<void> {
    const { loop, menus, messages } = this.deps;
    if (await this.announces(session)) {
      await this.commit(session, continuationEvents.cancelled, { why: 'Claude Code continues by itself.' });
      return;
    }
    if (openDialog(session)) await (this.deps.closeMenu ?? closeLimitMenu)(loop, menus, session);
    const now = loop.sessionIndex.get(session.id);
    if (now?.continuation?.id !== due.id || this.isClosed) return;
    const message = await messages.send(now, SendMessage.parse({ text: due.text }), `${keyPrefix}${due.id}`);
    // It was cancelled while it was being queued.
    const isWanted = loop.sessionIndex.get(session.id)?.continuation?.id === due.id;
    if (!isWanted && messages.withdraw(message.id)) return;
    this.sent.set(session.id, message);
    await this.commit(now, continuationEvents.sent, { message: message.id });
  }

  /** Tries again later; after some failures the message is given up, and the session is in the queue after a while. */
  private async onFailure(id: string, continuation: number, error: unknown): Promise<void> {
    const failures = (this.failures.get(continuation) ?? 0) + 1;
    this.failures.set(continuation, failures);
    const session = this.deps.loop.sessionIndex.get(id);
    if (!(error instanceof DroverError)) this.deps.onError('Could not continue a session', error);
    if (failures < limits.continuation.tries || !session) return;
    this.failures.delete(continuation);
    await this.commit(session, continuationEvents.cancelled, { why: (error as Error).message });
  }

  private announces(session: Folded): Promise<boolean> {
    return (this.deps.announces ?? announcesContinuation)(session);
  }

  private commit({ id }: Folded, name: string, fields: object): Promise<void> {
    const { loop, clock } = this.deps;
    return loop.append([{ draft: ownEvent(name, id, clock.now(), fields) }]);
  }
}

const keyPrefix = 'continue ';

/** A time in whole minutes was read from a message, which leaves out the seconds. */
const afterReset = (resetsAt: number): number => (resetsAt % 60_000 === 0 ? resetsAt + 60_000 : resetsAt);

/** When the message of a session is due: its reset may have moved. */
const dueAt = ({ continuation, limit }: Folded): number =>
  Math.max(continuation?.sendAt ?? 0, limit?.resetsAt ?? 0);

const assertWaits = ({ id, limit }: Folded): void => {
  if (!limit) throw new DroverError('refused', `${shortId(id)} is not waiting for a usage limit.`);
};
