/** Decides which sessions programs may drive: one rule for messages, keys, interrupts, stops and held requests. */
import type { Config } from '../contract/config.ts';
import { DroverError } from '../contract/error.ts';
import { isRemote, whereOf } from '../contract/origin.ts';
import type { Session } from '../contract/session.ts';
import { shortId } from '../contract/short-id.ts';

export interface DrivePolicy {
  /** `drive` of the config. */
  readonly mode: Config['drive'];
  /** Throws unless the session is live, the newest of its line, and open to programs, or a person acts `byHand`. */
  assertMayDrive: (session: Session, byHand?: boolean) => void;
  /** Throws unless the session may be stopped. With `force`, a session that the hub started always may. */
  assertMayStop: (session: Session, force: boolean, byHand?: boolean) => void;
  /** Throws unless programs may hold the requests of this session. */
  assertMayHold: (session: Session) => void;
}

export const drivePolicy = (
  mode: () => Config['drive'],
  /** Whether an agent of the config watches the session: whoever configured it wants the session driven. */
  isWatched: (session: Session) => boolean,
): DrivePolicy => {
  const isOpen = (session: Session): boolean =>
    mode() === 'all' || (mode() === 'managed' && (session.managed || session.driven || isWatched(session)));
  const assertMayDrive = (session: Session, byHand = false): void => {
    assertLive(session);
    const short = shortId(session.id);
    if (mode() === 'none')
      throw new DroverError(
        'refused',
        `${short} may not be driven: \`drive\` is "none".`,
        'Set `drive` to "managed" or "all" in config.json.',
      );
    if (!byHand && !isOpen(session))
      throw new DroverError(
        'refused',
        `${short} was not started through Drover, so programs and commands may not type into it.`,
        `\`drover drive ${short}\` allows it for this session, \`"drive": "all"\` in config.json for all.`,
      );
    assertReachable(session);
  };
  return {
    get mode() {
      return mode();
    },
    assertMayDrive,
    assertMayStop: (session, force, byHand = false) => {
      if (!force || !session.managed) {
        assertMayDrive(session, byHand);
        return;
      }
      assertLive(session);
      assertReachable(session);
    },
    assertMayHold: session => {
      if (session.managed || isOpen(session)) return;
      const short = shortId(session.id);
      throw new DroverError(
        'refused',
        `${short} was not started through Drover: only a person may hold its requests.`,
        `Hold it yourself: with \`drover hold ${short}\`, on the page, or by \`hold.projects\` in config.json.`,
      );
    },
  };
};

/** Throws where `/clear` has put another conversation in its place: a request to the old one is meant for the new one. */
export const assertNewest = ({ id, next }: Session): void => {
  if (next)
    throw new DroverError('refused', `${shortId(id)} was followed by ${next}.`, `Use ${next} instead.`);
};

const assertLive = (session: Session): void => {
  assertNewest(session);
  if (session.state === 'ended')
    throw new DroverError(
      'refused',
      `${shortId(session.id)} has ended.`,
      `Resume it with \`drover resume ${shortId(session.id)}\`.`,
    );
};

const assertReachable = (session: Session): void => {
  const short = shortId(session.id);
  if (isRemote(session))
    throw new DroverError(
      'refused',
      `${short} runs on ${whereOf(session)}, out of reach of this machine's tmux.`,
    );
  if (session.headless) throw new DroverError('refused', `${short} is headless: it has no prompt line.`);
};
