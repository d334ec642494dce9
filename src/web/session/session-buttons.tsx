/** The buttons for a session as a whole. */
import { type ReactNode, useState } from 'react';
import { commands, isApplicable, nameOf, tooltipOf } from '../../client/board.ts';
import { isElsewhere } from '../../contract/origin.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { Confirm } from '../shared/dialogs.tsx';
import type { Actions } from '../state/actions.ts';

interface Props {
  session: Session;
  actions: Actions;
}

export const SessionButtons = ({ session, actions }: Props) => {
  const { state, managed } = session;
  const isLive = state !== 'ended';
  const isHere = !isElsewhere(session);
  return (
    <div className="buttons tools" role="group" aria-label="Actions">
      <CommandButtons session={session} actions={actions} />
      {isLive && isHere && <HoldButton session={session} actions={actions} />}
      {isLive && isHere && !managed && <DriveButton session={session} actions={actions} />}
      <StopButtons session={session} actions={actions} />
    </div>
  );
};

/** Buttons of the commands that also have a key. */
const CommandButtons = ({ session, actions }: Props) => {
  const { id } = session;
  const button = (command: ButtonCommand, onClick: () => void, className?: string): ReactNode =>
    isApplicable(command, session) && (
      <button type="button" className={className} title={tooltipOf(command)} onClick={onClick}>
        {commands[command].label}
      </button>
    );
  return (
    <>
      {button('go', () => actions.execute({ kind: 'go', id }), 'main-action')}
      {button('resume', () => actions.execute({ kind: 'resume', id }))}
      {isApplicable('skip', session) && (
        <span className="together">
          {button('skip', () => actions.press('s'))}
          {button('snooze', () => actions.press('z'))}
          {button('dismiss', () => actions.press('d'))}
        </span>
      )}
    </>
  );
};

type ButtonCommand = 'go' | 'resume' | 'skip' | 'snooze' | 'dismiss';

const HoldButton = ({ session: { id, approvals }, actions }: Props) => {
  const isHeld = approvals === 'held';
  const toggle = () =>
    actions.attempt(async () => {
      await call('setApprovals', { id, body: { approvals: isHeld ? 'terminal' : 'held' } });
      return isHeld
        ? 'From now on only the terminal can answer.'
        : 'From its next request on you can also answer here. The terminal keeps working.';
    });
  return (
    <button
      type="button"
      aria-pressed={isHeld}
      title="Keep its requests open so that you can also answer them here; the terminal keeps working"
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
        ? 'Only the terminal can type into the session.'
        : 'You and your programs can send messages to the session.';
    });
  return (
    <button
      type="button"
      aria-pressed={driven}
      title="Allow messages to a session that was started by hand"
      onClick={() => void toggle()}
    >
      {driven ? 'Driven' : 'Drive'}
    </button>
  );
};

const StopButtons = ({ session, actions }: Props) => {
  const [confirming, setConfirming] = useState<'interrupt' | 'stop' | null>(null);
  const { id, state, managed } = session;
  const canInterrupt = state === 'working' || state === 'background';
  const canStop = state !== 'ended';
  const close = () => setConfirming(null);
  const run = (work: () => Promise<unknown>, done: string) => () => {
    close();
    void actions.attempt(async () => {
      await work();
      return done;
    });
  };
  return (
    <>
      {canInterrupt && (
        <button type="button" onClick={() => setConfirming('interrupt')}>
          Interrupt
        </button>
      )}
      {canStop && (
        <button type="button" className="danger quiet" onClick={() => setConfirming('stop')}>
          Stop
        </button>
      )}
      {confirming === 'interrupt' && canInterrupt && (
        <Confirm
          title={`Interrupt ${nameOf(session)}?`}
          text="Ends the current turn, like Esc. The session then waits for you."
          yes="Interrupt"
          onYes={run(() => call('interruptSession', { id }), 'Interrupted.')}
          onClose={close}
        />
      )}
      {confirming === 'stop' && canStop && (
        <Confirm
          title={`Stop ${nameOf(session)}?`}
          text={`${managed ? '' : 'You started this session in a terminal. '}Stops it gracefully. You can resume it later.`}
          yes="Stop session"
          onYes={run(
            () => call('stopSession', { id, query: { force: managed ? undefined : 1 } }),
            'Stopped.',
          )}
          onClose={close}
        />
      )}
    </>
  );
};
