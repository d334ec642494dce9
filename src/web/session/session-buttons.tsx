/** What can be done with a session as a whole. */
import { useState } from 'react';
import type { Row } from '../../client/board.ts';
import type { Session } from '../../contract/session.ts';
import { isElsewhere } from '../../contract/origin.ts';
import type { Actions } from '../state/actions.ts';
import { call } from '../daemon/call.ts';
import { Confirm } from '../shared/dialogs.tsx';
import { nameOf } from '../shared/labels.ts';

interface Props {
  session: Session;
  row: Row | undefined;
  actions: Actions;
}

export const SessionButtons = ({ session, row, actions }: Props) => {
  const [asks, setAsks] = useState<'interrupt' | 'stop' | null>(null);
  const { id, state, pane, approvals, managed, driven } = session;
  const isHere = !isElsewhere(session);
  const isQueued = row?.group === 'waiting' || row?.group === 'deferred';
  const isLive = state !== 'ended';
  const hold = () =>
    actions.tryOut(async () => {
      const wanted = approvals === 'held' ? 'terminal' : 'held';
      await call('setApprovals', { id, body: { approvals: wanted } });
      return wanted === 'held'
        ? 'Held: from its next request on you can answer here. Its terminal can answer too.'
        : 'Its terminal alone answers from now on.';
    });
  const drive = () =>
    actions.tryOut(async () => {
      await call('setDriven', { id, body: { on: !driven } });
      return driven ? 'It is left to its terminal.' : 'It can be typed into from here, and by programs.';
    });
  const sure = () => {
    setAsks(null);
    void actions.tryOut(async () => {
      if (asks === 'interrupt') await call('interruptSession', { id });
      else await call('stopSession', { id, query: { force: managed ? undefined : 1 } });
      return asks === 'interrupt' ? 'Interrupted.' : 'Stopped.';
    });
  };
  return (
    <div className="buttons tools" role="group" aria-label="Actions">
      {isLive && pane && (
        <button
          type="button"
          className="main-action"
          title="Enter"
          onClick={() => actions.wish({ kind: 'go', id })}
        >
          Take me there
        </button>
      )}
      {!isLive && !session.next && (
        <button type="button" title="R" onClick={() => actions.wish({ kind: 'resume', id })}>
          Take it up again
        </button>
      )}
      {isQueued && (
        <span className="together">
          <button
            type="button"
            title="s: to the back of the queue for 30 s"
            onClick={() => actions.press('s')}
          >
            Skip
          </button>
          <button type="button" title="z: deferred for a time" onClick={() => actions.press('z')}>
            Snooze
          </button>
          <button
            type="button"
            title="d: deferred until its state changes"
            onClick={() => actions.press('d')}
          >
            Dismiss
          </button>
        </span>
      )}
      {isLive && isHere && (
        <button
          type="button"
          aria-pressed={approvals === 'held'}
          title="Lets what it asks wait for an answer from here too; its terminal can always answer"
          onClick={() => void hold()}
        >
          {approvals === 'held' ? 'Held' : 'Hold'}
        </button>
      )}
      {isLive && isHere && !managed && (
        <button
          type="button"
          aria-pressed={driven}
          title="Lets messages be typed into a session that was started by hand"
          onClick={() => void drive()}
        >
          {driven ? 'Driven' : 'Drive'}
        </button>
      )}
      {(state === 'working' || state === 'background') && (
        <button type="button" onClick={() => setAsks('interrupt')}>
          Interrupt
        </button>
      )}
      {isLive && (
        <button type="button" className="danger quiet" onClick={() => setAsks('stop')}>
          Stop
        </button>
      )}
      {asks === 'interrupt' && (state === 'working' || state === 'background') && (
        <Confirm
          title={`Interrupt ${nameOf(session)}?`}
          text="Its turn ends where it is, as with Esc. It waits for you afterwards."
          yes="Interrupt"
          onYes={sure}
          onClose={() => setAsks(null)}
        />
      )}
      {asks === 'stop' && isLive && (
        <Confirm
          title={`Stop ${nameOf(session)}?`}
          text={
            managed
              ? 'The session ends in order. It can be taken up again later.'
              : 'This session was started by hand, in a terminal. It ends in order, and can be taken up again later.'
          }
          yes="Stop it"
          onYes={sure}
          onClose={() => setAsks(null)}
        />
      )}
    </div>
  );
};
