/**
 * Answers a request that no hook holds, by keys in its dialog. The dialog must be that of exactly this request, and tmux compares it
 * a second time in the command that sends the key. Options are chosen by their meaning, and by their digit
 * where they have one: a digit means the same wherever the selection is. When the screen is not as expected, nothing is pressed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { compareVersions, isUntested, newestTested } from '../../contract/cli-version.ts';
import type { Answer, Choice } from '../../contract/answer.ts';
import { type Clock, elapsed } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import { choicesOn } from './screen-choices.ts';
import { SelectionWatch, inUseError } from './selection-watch.ts';
import { KeysGiven } from './keys-given.ts';
import { noAnswerError } from './no-answer.ts';
import { type Asked, differs, isShown } from './screen-match.ts';
import { isSameDialog, type Seen, selectedIn, TerminalScreen } from './terminal-screen.ts';
import { performChoice, sendAsPrompt } from './screen-steps.ts';
import type { ScreenTask } from './screen-task.ts';
import type { UnreadDialogs } from './unread-dialogs.ts';
import { wantedChoice } from './wanted-choice.ts';

export interface ScreenDeps {
  loop: Loop;
  clock: Clock;
  /** Waits until everything that the sources know about these sessions is committed. */
  catchUp: (ids: string[]) => Promise<void>;
  /** Told which dialogs were found on the screen, and which were not. */
  unread: Pick<UnreadDialogs, 'note' | 'clear'>;
}

/** What was pressed. */
export interface KeyAnswer {
  choice: Choice;
  /** How long the dialog did not accept keys yet, ms. */
  waited: number;
  /** The error if the message could not be sent; null otherwise. */
  unsent: unknown;
}

export class ScreenAnswers {
  private readonly inUse = new SelectionWatch();
  /** The answer in progress in each session; the next one waits for it. */
  private readonly busy = new Map<string, Promise<unknown>>();
  /** When a key was last pressed in a session, and for which request. */
  private readonly lastKey = new Map<string, { at: number; id: number }>();

  constructor(private readonly deps: ScreenDeps) {}

  /** The choices that the dialog on the screen offers, or why it cannot be answered there. */
  async read(session: Folded, id: number): Promise<{ choices: Choice[]; why?: string }> {
    try {
      const task = this.taskOf(session, id);
      const seen = await this.find(task, limits.screen.paintedToRead);
      return { choices: choicesOn(seen, task.asked, session.version).map(({ choice }) => choice) };
    } catch (error) {
      if (error instanceof DroverError) return { choices: [], why: error.message };
      throw error;
    }
  }

  /** Answers by keys, and resolves when the dialog is gone. One answer at a time in each session. */
  async answer(
    session: Folded,
    id: number,
    answer: Answer,
    choice: string,
    isPerson: boolean,
  ): Promise<KeyAnswer> {
    const before = this.busy.get(session.id) ?? Promise.resolve();
    const own = before.catch(() => {}).then(() => this.run(session, id, answer, choice, isPerson));
    this.busy.set(session.id, own);
    try {
      return await own;
    } finally {
      if (this.busy.get(session.id) === own) this.busy.delete(session.id);
    }
  }

  private async run(
    session: Folded,
    id: number,
    answer: Answer,
    choice: string,
    isPerson: boolean,
  ): Promise<KeyAnswer> {
    await this.deps.catchUp([session.id]);
    const given = new KeysGiven(session);
    const task = this.taskOf(this.current(session), id, given);
    try {
      return await this.press(task, answer, choice, isPerson);
    } catch (error) {
      throw await given.explain(error, task.screen);
    }
  }

  private async press(
    task: ScreenTask,
    answer: Answer,
    choice: string,
    isPerson: boolean,
  ): Promise<KeyAnswer> {
    const { session, asked } = task;
    const waited = await this.awaitKeys(task);
    let seen = await this.readStable(task);
    if (!task.isAlone()) {
      // A new dialog ignores keys for a moment, and no key is pressed again while another request is open.
      await pause(limits.screen.keysIgnoredAfterPrompt);
      seen = await this.readStable(task);
    }
    const wanted = wantedChoice(choicesOn(seen, task.asked, session.version), choice, answer, isPerson);
    let known: Seen | null = seen;
    const readStable = async (): Promise<Seen> => {
      const first = known;
      known = null;
      return first ?? task.readStable();
    };
    let ignored = 0;
    const onIgnored = (ms: number): void => {
      ignored += Math.round(ms);
    };
    await performChoice({ ...task, readStable, onIgnored }, wanted, answer);
    await this.assertOwnEffect(session, asked, wanted.choice);
    const { message } = answer;
    const unsent =
      message === undefined ? null : await sendAsPrompt(task, message).then(none, (error: unknown) => error);
    return { choice: wanted.choice, waited: waited + ignored, unsent };
  }

  private taskOf(session: Folded, id: number, given = new KeysGiven(session)): ScreenTask {
    const asked = this.askedOf(session).find(one => one.id === id);
    if (!asked) throw noAnswerError(session, id, this.deps.clock.now());
    return {
      session,
      asked,
      screen: new TerminalScreen(session, this.deps.clock),
      readStable: () => this.readStable(this.taskOf(this.current(session), id, given)),
      assertOpen: () => this.assertOpen(session, id),
      isAlone: () => this.current(session).requests.every(request => request.id === id),
      isClosed: () => !this.current(session).memory.requests.some(({ evidence }) => evidence.seq === id),
      keyEffect: ignoresEarlyKeys(session) ? limits.screen.ignoredKey : limits.screen.keyEffect,
      onIgnored: () => {},
      onProgress: (done, of) => given.progress(done, of),
      onPressed: input => {
        given.add(input);
        this.lastKey.set(session.id, { at: elapsed(this.deps.clock), id });
        this.inUse.forget(session.id);
      },
    };
  }

  private current({ id }: Folded): Folded {
    const session = this.deps.loop.sessionIndex.get(id);
    if (!session) throw new DroverError('no_session');
    return session;
  }

  private askedOf(session: Folded): Asked[] {
    const isRead = (id: number) =>
      session.memory.requests.some(({ evidence }) => evidence.seq === id && evidence.source === 'sweep');
    return session.requests.map(request => {
      const payload = this.deps.loop.payloadAt(request.id);
      // Where a hook has told of the call, its input identifies the dialog.
      const isFromScreen = isRead(request.id) && typeof payload?.call !== 'number';
      return { ...request, payload, isFromScreen };
    });
  }

  /** Throws when the request was answered in the meantime, and waits for a dialog that is about to cover it. */
  private async assertOpen(session: Folded, id: number): Promise<void> {
    const { catchUp, clock } = this.deps;
    const deadline = elapsed(clock) + limits.screen.dialogDelay;
    for (;;) {
      await catchUp([session.id]);
      const now = this.current(session);
      if (!now.requests.some(request => request.id === id)) throw noAnswerError(now, id, clock.now());
      const newest = Math.max(...now.memory.requests.map(({ evidence }) => evidence.at));
      const isComing =
        now.memory.called > newest && clock.now() - now.memory.called < limits.screen.dialogDelay;
      if (!isComing || elapsed(clock) > deadline) return;
      await pause(limits.screen.poll);
    }
  }

  /**
   * Waits for the event, file or transcript that closes the request. Throws when none comes, and when it ended the other way: somebody at
   * the terminal was faster.
   */
  private async assertOwnEffect(session: Folded, { id, kind }: Asked, { effect }: Choice): Promise<void> {
    const { loop, clock, catchUp } = this.deps;
    const now = () => loop.sessionIndex.get(session.id);
    const pastOf = () => now()?.memory.past.find(past => past.id === id && past.by === 'terminal');
    const pressedAt = clock.now() - (elapsed(clock) - (this.lastKey.get(session.id)?.at ?? 0));
    // While the next dialog of several is open, a tool that still runs has no result: then the file is enough, which says that it waits again.
    const isClosed = () => {
      const memory = now()?.memory;
      return !memory?.requests.some(({ evidence }) => evidence.seq === id) ||
        (memory.file?.evidence.at ?? 0) > pressedAt
        ? true
        : undefined;
    };
    await loop.until(() => pastOf()?.behavior ?? undefined, { timeout: limits.screen.confirmed });
    if (kind !== 'dialog' && !(await loop.until(isClosed, { timeout: limits.screen.closed })))
      throw new DroverError('failed', 'The dialog is gone, but Claude Code has not reported how it ended.');
    const wanted = effect === 'answer' && kind === 'question' ? 'allow' : effect;
    const isOther = () => (pastOf()?.behavior ?? wanted) !== wanted && wanted !== 'answer';
    if (!isOther()) return;
    // The session file may be read before the hook, which has more details.
    await pause(limits.screen.hookLag);
    await catchUp([session.id]);
    if (isOther()) throw noAnswerError(this.current(session), id, clock.now());
  }

  /** Waits while the CLI ignores keys; returns how long. */
  private async awaitKeys({ session, isAlone }: ScreenTask): Promise<number> {
    const sincePrompt = this.deps.clock.now() - session.memory.prompted;
    const sinceKey =
      elapsed(this.deps.clock) - (this.lastKey.get(session.id)?.at ?? Number.NEGATIVE_INFINITY);
    const wait = Math.max(
      limits.screen.keysIgnoredAfterPrompt - Math.max(0, sincePrompt),
      // A key that is ignored is not pressed again while another request is open.
      (isAlone() ? limits.screen.keysIgnoredAfterAnswer : limits.screen.keysIgnoredAfterPrompt) - sinceKey,
      0,
    );
    await pause(wait);
    return Math.round(wait);
  }

  /**
   * Reads the dialog of this request. tmux compares it a second time in the command that sends the key. Throws when somebody moves
   * its selection.
   */
  private async readStable(task: ScreenTask): Promise<Seen> {
    const { session, screen } = task;
    const seen = await this.find(task);
    this.inUse.assertFree(session.id, seen);
    if (this.hasJustPressed(session.id, task.asked.id)) return seen;
    const now = this.deps.clock.now();
    const mayHaveMoved = this.inUse.mayHaveMoved(seen, now);
    // A start-up dialog may begin at any of its options.
    if (mayHaveMoved && seen.pane.isAlone && task.asked.kind !== 'dialog') throw inUseError();
    if (!mayHaveMoved && !this.inUse.mayHaveMovedBack(seen, task.asked.at, now)) return seen;
    // Another pane may have caused the paint, or a resize. Watch the selection for as long as a move would count as somebody's.
    const moved = await screen.until(later => !isUntouched(seen, later), limits.screen.inUse);
    if (!moved) return this.find(task);
    this.inUse.assertFree(session.id, moved);
    return this.readStable(task);
  }

  /** Whether the last paint of this dialog may be the effect of a key of Drover's own. */
  private hasJustPressed(sessionId: string, id: number): boolean {
    const key = this.lastKey.get(sessionId);
    return key?.id === id && elapsed(this.deps.clock) - key.at < 2 * limits.screen.inUse;
  }

  /** Awaits the dialog of this request on the screen; throws what is there instead. */
  private async find(task: ScreenTask, patience: number = limits.screen.painted): Promise<Seen> {
    const { session, asked, screen } = task;
    const age = this.deps.clock.now() - asked.at;
    const others = this.askedOf(session).filter(({ id }) => id !== asked.id);
    let seen = await screen.see();
    if (!isShown(seen, asked, session)) {
      const isThere = (now: Seen) =>
        isShown(now, asked, session) || others.some(other => isShown(now, other, session));
      // A terminal that was just resized is painted in parts.
      const time = Math.max(limits.screen.repainted, Math.min(patience, limits.screen.painted - age));
      seen = (await screen.until(isThere, time)) ?? (await screen.see());
    }
    const same = others.filter(other => isShown(seen, other, session));
    if (isShown(seen, asked, session)) {
      this.deps.unread.clear(session.version, asked.kind);
      if (same.length > 0)
        throw notShownError(seen, `${same.length + 1} open requests look the same on the screen.`);
      const unsure = others.find(other => !differs(asked, other));
      if (!unsure) return seen;
      throw notShownError(
        seen,
        `It cannot be told from another open request: ${unsure.line} (${unsure.id}).`,
      );
    }
    const [other] = same;
    if (other)
      throw notShownError(seen, `The terminal shows another request first: ${other.line} (${other.id}).`);
    this.deps.unread.note(session.version, asked.kind);
    throw notShownError(
      seen,
      seen.dialog
        ? 'The dialog in the terminal is not this request, or does not show its complete input in a way that can be read.'
        : 'The terminal does not show the dialog of this request, or it cannot be told where it begins and ends.',
      isUntested(session.version)
        ? `Nothing was pressed. Claude Code ${session.version} is newer than ${newestTested}, the newest tested version: its dialogs may look different.`
        : undefined,
    );
  }
}

const none = (): null => null;

/** Whether the CLI ignores a key that follows too soon. Versions that are newer than the measured one are taken to be like it. */
const ignoresEarlyKeys = ({ version }: Folded): boolean =>
  version !== null && compareVersions(version, '2.1.325') >= 0;

/** Whether the same dialog is open with the same selection. What is painted around it does not count. */
const isUntouched = (a: Seen, b: Seen): boolean =>
  a.dialog && b.dialog
    ? isSameDialog(a.dialog, b.dialog) && selectedIn(a.dialog) === selectedIn(b.dialog)
    : !a.dialog && !b.dialog && a.pane.rows.join('\n') === b.pane.rows.join('\n');

/** The error when nothing was pressed: the reason, and what the terminal shows. */
export const notShownError = ({ pane }: Seen, why: string, hint = nothingPressed): DroverError => {
  const rows = pane.rows.filter(row => row.trim() !== '').slice(-shownRows);
  return new DroverError('refused', `${why} It shows:\n${rows.join('\n')}`, hint);
};

const nothingPressed = 'Nothing was pressed. Answer it in its terminal: `drover go`.';

const shownRows = 20;
