/** Stops and interrupts: signals to the CLI and one key, nothing typed. */
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { PressKeys } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import { endProcess, processRef } from '../../driver/stop/end-process.ts';
import type { Loop } from '../../live/loop.ts';
import { isAnothers } from '../../proc.ts';
import type { Folded } from '../../session/memory.ts';
import { screenOf } from '../../tmux/server/panes.ts';
import { press, pressText } from '../../driver/input/prompt-input.ts';
import { openDialog } from '../open-dialog.ts';
import { targetOf } from '../target.ts';
import { ownEvent } from '../../session/own-event.ts';

export class Hands {
  constructor(
    private readonly loop: Loop,
    private readonly clock: Clock,
    /** Takes away what an ended session leaves behind. */
    private readonly tidy: (session: Folded) => Promise<void>,
  ) {}

  /** SIGTERM, on which the CLI fires SessionEnd; then SIGKILL; then its terminal. Resolves when all of it is gone. */
  async stop(session: Folded): Promise<Folded> {
    const { id, pid, touched } = session;
    if (pid === null) throw new DroverError('refused', `The process of ${id.slice(0, 8)} is not known.`);
    // After a reboot, and before anybody has looked, the pid may be that of a stranger.
    if (!isAnothers(pid, touched))
      await endProcess(processRef(pid), { term: limits.stop.grace, kill: limits.stop.kill });
    if (!(await this.reaches(id, isEnded, limits.stop.kill)))
      // The CLI fired nothing: Drover says so itself.
      await this.loop.take([{ draft: ownEvent('Stopped', id, this.clock.now(), { pid }) }]);
    const ended = this.loop.sessionIndex.get(id) ?? session;
    await this.tidy(ended);
    return ended;
  }

  /** Esc, and the state that shows it; throws when it does not show within this time, or the turn was over first. */
  async interrupt(session: Folded, ms: number = limits.stop.interrupt): Promise<Folded> {
    const { id, state } = session;
    const dialog = openDialog(session);
    // Esc at a dialog of the start ends the CLI.
    if (state !== 'working' && (dialog === null || dialog === 'dialog'))
      throw new DroverError('refused', `${stateOf(session)}: there is nothing to interrupt.`);
    // The form of an MCP server is sent back by it, and the turn goes on.
    const isHeard = (after: Folded) =>
      isInterrupted(after) || (dialog === 'elicitation' && openDialog(after) === null);
    await this.escape(session, dialog !== null, after => isHeard(after) || isOver(after), ms);
    const after = this.loop.sessionIndex.get(id) ?? session;
    if (isHeard(after)) return after;
    if (isOver(after))
      throw new DroverError('refused', `${stateOf(after)}: its turn was over before Esc was heard.`);
    throw new DroverError(
      'failed',
      `Esc was pressed, and ${stateOf(after)} after ${ms / 1_000} s: nothing shows that it was heard.`,
      '`drover menu <session> snapshot` shows its screen.',
    );
  }

  /** A dialog that has just come up is deaf for a moment: Esc is pressed again while it stands there as it did. */
  private async escape(
    session: Folded,
    inDialog: boolean,
    fits: (after: Folded) => boolean,
    ms: number,
  ): Promise<void> {
    const target = targetOf(session);
    const screen = () => screenOf(target.socket, target.pane);
    for (const deadline = performance.now() + ms; ; ) {
      const before = inDialog ? await screen() : null;
      if (!(await press(target, 'Escape'))) throw noPane(session);
      const left = () => Math.max(0, deadline - performance.now());
      if (await this.reaches(session.id, fits, inDialog ? Math.min(limits.menu.keyTimeout, left()) : left()))
        return;
      // An Esc whose effect nobody would wait for is not pressed.
      if (left() >= limits.menu.keyTimeout && (await screen()) === before) continue;
      await this.reaches(session.id, fits, left());
      return;
    }
  }

  async keys(session: Folded, { keys }: PressKeys): Promise<void> {
    const target = targetOf(session);
    // One by one: a menu that is still painting takes two keys for one.
    for (const key of keys) {
      const pressed = typeof key === 'string' ? await press(target, key) : await pressText(target, key.text);
      if (!pressed) throw noPane(session);
    }
  }

  /** Waits until the session fits or is gone; false when the time is over first. */
  private async reaches(id: string, fits: (session: Folded) => boolean, ms: number): Promise<boolean> {
    const reached = await this.loop.until(
      commit => {
        const session = this.loop.sessionIndex.get(id);
        if (!session) return true;
        // Each state on the way counts, not the last of a batch alone.
        const now = commit ? commit.changed.find(({ after }) => after.id === id)?.after : session;
        return (now && fits(now)) || undefined;
      },
      { timeout: ms },
    );
    return reached === true;
  }
}

const noPane = ({ id }: Folded): DroverError =>
  new DroverError('refused', `The pane of ${id.slice(0, 8)} is gone.`);

const stateOf = ({ id, state, reason }: Folded): string =>
  `${id.slice(0, 8)} is ${state}${reason ? `/${reason}` : ''}`;

const isInterrupted = ({ state, reason }: Folded): boolean => state === 'waiting' && reason === 'interrupted';

/** The turn has come to its end by itself. */
const isOver = ({ state, reason }: Folded): boolean =>
  state === 'ended' || (state === 'waiting' && (reason === 'stopped' || reason === 'failed'));

const isEnded = ({ state }: Folded): boolean => state === 'ended';
