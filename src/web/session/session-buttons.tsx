/** The buttons for a session as a whole. */
import type { ReactNode } from 'react';
import { commands, isApplicable, tooltipOf } from '../../client/board.ts';
import { isHostAway } from '../../client/fleet-text.ts';
import { isRemote } from '../../contract/origin.ts';
import type { Session } from '../../contract/session.ts';
import { deferralOf } from '../../session/queue/deferral.ts';
import { call } from '../daemon/call.ts';
import { Menu } from '../shared/menu.tsx';
import type { Actions } from '../state/actions.ts';

interface Props {
  session: Session;
  actions: Actions;
}

export const SessionButtons = ({ session, actions }: Props) => {
  const { id, state, managed } = session;
  const isLive = state !== 'ended' && !isHostAway(session);
  const isHere = !isRemote(session);
  const button = (command: ButtonCommand, onClick: () => void, className?: string): ReactNode =>
    isApplicable(command, session) && (
      <button type="button" className={className} title={tooltipOf(command)} onClick={onClick}>
        {commands[command].label}
      </button>
    );
  return (
    <div className="buttons tools" role="group" aria-label="Actions">
      {isHere && button('go', () => actions.execute({ kind: 'go', id }), 'main-action')}
      {button('resume', () => actions.execute({ kind: 'resume', id }))}
      {isApplicable('skip', session) && (
        <span className="together">
          {button('skip', () => actions.press('s'))}
          {button('snooze', () => actions.press('z'))}
          {button('dismiss', () => actions.press('d'))}
        </span>
      )}
      {isPutOff(session) && button('undo', () => actions.undo([id]))}
      {button('interrupt', () => actions.openForm({ kind: 'interrupt', id }))}
      <Menu label="More">
        {button('rename', () => actions.openForm({ kind: 'rename', id }))}
        {button('tag', () => actions.openForm({ kind: 'tag', ids: [id] }))}
        {button('park', () => actions.openForm({ kind: 'park', ids: [id] }))}
        {isLive && isHere && <HoldButton session={session} actions={actions} />}
        {isLive && isHere && !managed && <DriveButton session={session} actions={actions} />}
        {isLive && (
          <button type="button" className="danger" onClick={() => actions.openForm({ kind: 'stop', id })}>
            Stop
          </button>
        )}
      </Menu>
    </div>
  );
};

type ButtonCommand =
  | 'go'
  | 'resume'
  | 'skip'
  | 'snooze'
  | 'dismiss'
  | 'undo'
  | 'interrupt'
  | 'rename'
  | 'tag'
  | 'park';

/** Whether it was skipped, snoozed or dismissed in its present wait. */
const isPutOff = (session: Session): boolean => {
  const deferral = isApplicable('skip', session) ? deferralOf(session) : null;
  return (
    deferral !== null && [deferral.skipped, deferral.snoozed, deferral.dismissed].some(at => at !== null)
  );
};

const HoldButton = ({ session: { id, approvals }, actions }: Props) => {
  const isHeld = approvals === 'held';
  const toggle = () =>
    actions.attempt(async () => {
      await call('setApprovals', { id, body: { approvals: isHeld ? 'terminal' : 'held' } });
      return isHeld
        ? 'No longer held. Answers from here press keys in its terminal.'
        : 'Held from its next request on. Answers from here go through its hooks; the terminal keeps working.';
    });
  return (
    <button
      type="button"
      aria-pressed={isHeld}
      title="Send answers through its hooks instead of keys; the terminal keeps working"
      onClick={() => void toggle()}
    >
      {isHeld ? 'Held' : 'Hold'}
    </button>
  );
};

const DriveButton = ({ session: { id, driven }, actions }: Props) => {
  const toggle = () =>
    actions.attempt(async () => {
      await call('setDriven', { id, body: { on: !driven } });
      return driven
        ? 'Programs can no longer send messages to the session.'
        : 'Programs can send messages to the session too.';
    });
  return (
    <button
      type="button"
      aria-pressed={driven}
      title="Let programs send messages to a session that you started yourself"
      onClick={() => void toggle()}
    >
      {driven ? 'Driven' : 'Drive'}
    </button>
  );
};
