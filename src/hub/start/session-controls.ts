/** Stops and interrupts sessions, and presses keys in them. */
import { type Clock, elapsed } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { PressKeys } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import { endProcess, processRef } from '../../driver/stop/end-process.ts';
import type { Loop } from '../../live/loop.ts';
import { isReusedPid } from '../../platform/processes.ts';
import type { Folded } from '../../session/memory.ts';
import type { Pane } from '../../contract/session.ts';
import { killPane } from '../../tmux/server/session.ts';
import { captureScreen } from '../../tmux/server/panes.ts';
import { press, pressText } from '../../driver/input/prompt-input.ts';
import { openDialog } from '../open-dialog.ts';
import { targetOf } from '../target.ts';
import { ownEvent } from '../../session/own-event.ts';
import { shortId } from '../../contract/short-id.ts';

export class SessionControls {
  constructor(
    private readonly loop: Loop,
    private readonly clock: Clock,
    /** Removes the terminal and the files of an ended session. */
    private readonly cleanUp: (session: Folded) => Promise<void>,
  ) {}

  /** Sends SIGTERM, on which the CLI fires SessionEnd; then SIGKILL; then ends its terminal. */
  async stop(session: Folded): Promise<Folded> {
    const { id, pid, touched, pane } = session;
    if (pane?.foreign) return this.stopByTmux(session, pane);
    if (pid === null) throw new DroverError('refused', `The process of ${shortId(id)} is not known.`);
    // After a reboot the pid may belong to another process.
    if (!isReusedPid(pid, touched))
      await endProcess(processRef(pid), { term: limits.stop.grace, kill: limits.stop.kill });
    if (!(await this.awaitSession(id, isEnded, limits.stop.kill)))
      // The CLI fired no SessionEnd, so Drover records the end.
      await this.loop.append([{ draft: ownEvent('Stopped', id, this.clock.now(), { pid }) }]);
    const ended = this.loop.sessionIndex.get(id) ?? session;
    await this.cleanUp(ended);
    return ended;
  }

  /** On the host of a container no signal reaches the CLI: its pane is killed, on which it fires SessionEnd too. */
  private async stopByTmux(
    session: Folded,
    { socket, serverPid, id: pane, pid: panePid }: Pane,
  ): Promise<Folded> {
    const { id, managed } = session;
    if (!managed || serverPid === null || panePid === null)
      throw new DroverError(
        'refused',
        `${shortId(id)} runs on the host of this container and was not started by Drover.`,
        'End it in its terminal.',
      );
    await killPane(socket, { serverPid, pane, panePid });
    if (!(await this.awaitSession(id, isEnded, limits.stop.grace)))
      await this.loop.append([{ draft: ownEvent('Stopped', id, this.clock.now(), { pid: panePid }) }]);
    const ended = this.loop.sessionIndex.get(id) ?? session;
    await this.cleanUp(ended);
    return ended;
  }

  /** Presses Esc and waits for the state that shows it. Throws when it does not in this time, or the turn ended first. */
  async interrupt(session: Folded, ms: number = limits.stop.interrupt): Promise<Folded> {
    const { id, state } = session;
    const dialog = openDialog(session);
    // Esc at a start-up dialog ends the CLI.
    if (state !== 'working' && (dialog === null || dialog === 'dialog'))
      throw new DroverError('refused', `${stateOf(session)}: there is nothing to interrupt.`);
    // Esc cancels the form of an MCP server, and the turn continues.
    const hasWorked = (after: Folded) =>
      isInterrupted(after) || (dialog === 'elicitation' && openDialog(after) === null);
    await this.escape(session, dialog !== null, after => hasWorked(after) || isOver(after), ms);
    const after = this.loop.sessionIndex.get(id) ?? session;
    if (hasWorked(after)) return after;
    if (isOver(after))
      throw new DroverError('refused', `${stateOf(after)}: its turn ended before Esc had an effect.`);
    throw new DroverError(
      'failed',
      `Esc was pressed, but ${stateOf(after)} after ${ms / 1_000} s: it had no visible effect.`,
      '`drover menu <session> snapshot` shows its screen.',
    );
  }

  /** A new dialog ignores keys for a moment: Esc is pressed again while the dialog is unchanged. */
  private async escape(
    session: Folded,
    inDialog: boolean,
    fits: (after: Folded) => boolean,
    ms: number,
  ): Promise<void> {
    const target = targetOf(session);
    const screen = () => captureScreen(target.socket, target.pane);
    for (const deadline = elapsed(this.clock) + ms; ; ) {
      const before = inDialog ? await screen() : null;
      if (!(await press(target, 'Escape'))) throw noPaneError(session);
      const left = () => Math.max(0, deadline - elapsed(this.clock));
      if (
        await this.awaitSession(
          session.id,
          fits,
          inDialog ? Math.min(limits.menu.keyTimeout, left()) : left(),
        )
      )
        return;
      // Esc is not pressed when there is no time left to see its effect.
      if (left() >= limits.menu.keyTimeout && (await screen()) === before) continue;
      await this.awaitSession(session.id, fits, left());
      return;
    }
  }

  async pressKeys(session: Folded, { keys }: PressKeys): Promise<void> {
    const target = targetOf(session);
    // One by one: a menu that is still painting merges two keys.
    for (const key of keys) {
      const pressed = typeof key === 'string' ? await press(target, key) : await pressText(target, key.text);
      if (!pressed) throw noPaneError(session);
    }
  }

  /** Waits until the session fits or is gone; false when the time is over first. */
  private async awaitSession(id: string, fits: (session: Folded) => boolean, ms: number): Promise<boolean> {
    const reached = await this.loop.until(
      commit => {
        const session = this.loop.sessionIndex.get(id);
        if (!session) return true;
        // Check every commit: a batch may pass through the wanted state.
        const now = commit ? commit.changed.find(({ after }) => after.id === id)?.after : session;
        return (now && fits(now)) || undefined;
      },
      { timeout: ms },
    );
    return reached === true;
  }
}

const noPaneError = ({ id }: Folded): DroverError =>
  new DroverError('refused', `The pane of ${shortId(id)} is gone.`);

const stateOf = ({ id, state, reason }: Folded): string =>
  `${shortId(id)} is ${state}${reason ? `/${reason}` : ''}`;

const isInterrupted = ({ state, reason }: Folded): boolean => state === 'waiting' && reason === 'interrupted';

/** The turn ended by itself. */
const isOver = ({ state, reason }: Folded): boolean =>
  state === 'ended' ||
  (state === 'waiting' && (reason === 'stopped' || reason === 'failed' || reason === 'limit'));

const isEnded = ({ state }: Folded): boolean => state === 'ended';
