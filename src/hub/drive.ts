/** Who may be driven. One rule for messages, keys, interrupts and stops alike. */
import type { Clock } from '../clock.ts';
import { DroverError } from '../contract/error.ts';
import type { Reason, Session } from '../contract/session.ts';
import type { Loop } from '../live/loop.ts';
import { drivenName } from '../session/driven.ts';
import type { Folded } from '../session/memory.ts';
import { isElsewhere, whereOf } from '../contract/origin.ts';
import { isAnothers, processStart } from '../proc.ts';
import type { PaneRef, Target } from '../tmux/input/send.ts';
import { hubDraft } from './event.ts';

export interface Drive {
  /** `drive` of the config. */
  who: 'managed' | 'all' | 'none';
  /** An agent of the config watches this session: whoever entered it there wants it to be driven. */
  isWatched: (session: Session) => boolean;
}

/** Throws where `/clear` has put another conversation in its place: whatever is asked of it is for that one. */
export const mustBeNewest = ({ id, next }: Session): void => {
  if (next)
    throw new DroverError(
      'refused',
      `${id.slice(0, 8)} was followed by ${next}.`,
      `Speak to ${next} instead.`,
    );
};

/** Throws unless programs may have what this session asks wait for their answer. */
export const mayHold = (session: Session, drive: Drive): void => {
  const short = session.id.slice(0, 8);
  if (!session.managed && !isOpen(session, drive))
    throw new DroverError(
      'refused',
      `${short} was not started through the hub: whether programs may answer it is for a person to say.`,
      `\`drover hold ${short}\`, its button on the page, or \`hold.projects\` in config.json.`,
    );
};

/** A person, or the config, lets programs type into it. Answers are less than that. */
const isOpen = (session: Session, { who, isWatched }: Drive): boolean =>
  who === 'all' || (who === 'managed' && (session.managed || session.driven || isWatched(session)));

/** Throws unless the session lives, is the newest of its line, and may be driven. */
export const mayDrive = (session: Session, drive: Drive): void => {
  const short = session.id.slice(0, 8);
  mustBeNewest(session);
  if (session.state === 'ended')
    throw new DroverError('refused', `${short} has ended.`, 'POST /sessions/:id/resume brings it back.');
  if (drive.who === 'none')
    throw new DroverError(
      'refused',
      `${short} may not be driven: \`drive\` is "none".`,
      'Set `drive` to "managed" or "all" in config.json.',
    );
  if (!isOpen(session, drive))
    throw new DroverError(
      'refused',
      `${short} was not started through the hub, and \`drive\` is "managed".`,
      `\`drover drive ${short}\` lets programs type into this one, \`drive: "all"\` in config.json into every one.`,
    );
  if (isElsewhere(session))
    throw new DroverError(
      'refused',
      `${short} runs on ${whereOf(session)}, out of reach of this machine's tmux.`,
    );
  if (session.headless) throw new DroverError('refused', `${short} is headless: it has no prompt line.`);
};

/** Keeps that a person lets programs type into a session, or not any more. */
export const letDrive = (loop: Loop, clock: Clock, id: string, on: boolean): Promise<void> =>
  loop.take([{ draft: hubDraft(drivenName, id, clock.now(), { on }) }]);

/** The pane to look at. */
export const paneRefOf = ({ id, pane }: Session): PaneRef => {
  if (!pane) throw new DroverError('refused', `${id.slice(0, 8)} is in no tmux pane.`);
  return { socket: pane.socket, pane: pane.id };
};

/** The pane to type into, with the process that must read it. */
export const targetOf = (session: Session): Target => {
  const { id, pane, pid, touched } = session;
  const ref = paneRefOf(session);
  if (pid === null) throw new DroverError('refused', `The process of ${id.slice(0, 8)} is not known.`);
  const start = isAnothers(pid, touched) ? null : processStart(pid);
  return { ...ref, serverPid: pane?.serverPid ?? null, reader: { pid, start } };
};

/** What stands open and would take typed text for an answer; null for nothing. */
export const openDialog = (session: Folded): Reason | null => {
  const { state, reason } = session;
  if (state === 'waiting' && reason !== null && dialogs.includes(reason)) return reason;
  return heldDialog(session);
};

const dialogs: Reason[] = ['permission', 'question', 'plan', 'elicitation', 'dialog'];

/** A request that is held stands on the screen before the state says so; one of a subagent in the background does not. */
const heldDialog = ({ memory: { asks, holds } }: Folded): Reason | null =>
  asks.find(({ agent, evidence }) => agent === null && holds.some(({ id }) => id === evidence.seq))?.kind ??
  null;
