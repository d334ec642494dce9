/** Shows the form that is open. */
import { commands, interruptedText, titleOf } from '../../client/board.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { AnswerDialog } from '../requests/answer-dialog.tsx';
import { Confirm } from '../shared/dialogs.tsx';
import { lazyView } from '../shared/lazy-view.tsx';
import type { Actions } from '../state/actions.ts';
import type { Shown } from '../state/store.ts';
import type { Form } from './form.ts';
import { MessageForm } from './message-several.tsx';
import { RenameForm } from './rename.tsx';
import { TagForm } from './tags.tsx';
import { SnoozeForm } from './snooze-several.tsx';

/** Blocks the keys of the page until the form has loaded. */
const Waiting = () => <div className="loading-form" role="status" aria-label="Loading" />;

export const NewSessionForm = lazyView(async () => (await import('./new-session.tsx')).NewSessionForm, {
  Waiting,
});
const Devices = lazyView(async () => (await import('./devices.tsx')).Devices, { Waiting });

interface Props {
  form: Form;
  shown: Shown;
  actions: Actions;
}

export const OpenForm = ({ form, shown, actions }: Props) => {
  const { board, now } = shown;
  const close = () => actions.openForm(null);
  const sessions = idsOf(form).flatMap(id => board.sessions.get(id) ?? []);
  if (form.kind === 'new')
    return (
      <NewSessionForm
        onClose={close}
        onStarted={id => {
          close();
          actions.open(id);
        }}
      />
    );
  if (form.kind === 'devices') return <Devices now={now} onClose={close} />;
  const [first] = sessions;
  if (!first) return null;
  switch (form.kind) {
    case 'answer':
      return (
        <AnswerDialog
          key={form.request}
          session={first}
          requestId={form.request}
          isDenial={form.isDenial}
          now={now}
          onAnswered={text => {
            close();
            void actions.attempt(() => Promise.resolve(text));
          }}
          onClose={close}
        />
      );
    case 'message':
      return <MessageForm sessions={sessions} onSent={actions.unmark} onClose={close} />;
    case 'rename':
      return <RenameForm session={first} actions={actions} onClose={close} />;
    case 'tag':
      return <TagForm sessions={sessions} actions={actions} onClose={close} />;
    case 'snooze':
      return (
        <SnoozeForm
          count={sessions.length}
          onSnooze={seconds => {
            close();
            actions.defer('snooze', form.ids, seconds);
          }}
          onClose={close}
        />
      );
    case 'park':
      return <Park sessions={sessions} actions={actions} onClose={close} />;
    case 'stop':
      return <Stop session={first} actions={actions} onClose={close} />;
    default:
      return <Interrupt session={first} actions={actions} onClose={close} />;
  }
};

const idsOf = (form: Form): string[] => ('ids' in form ? form.ids : 'id' in form ? [form.id] : []);

interface ConfirmProps {
  session: Session;
  actions: Actions;
  onClose: () => void;
}

const Park = ({ sessions, actions, onClose }: Omit<ConfirmProps, 'session'> & { sessions: Session[] }) => {
  const [first] = sessions;
  const name = sessions.length === 1 && first ? titleOf(first) : `${sessions.length} sessions`;
  return (
    <Confirm
      title={`Park ${name}?`}
      text="Ends the process to free its memory. The session stays in the list; a message or Resume starts it again."
      yes={commands.park.label}
      onYes={() => {
        onClose();
        actions.unmark();
        void actions.attempt(async () => {
          for (const { id } of sessions) await call('parkSession', { id });
          return `Parked ${name}.`;
        });
      }}
      onClose={onClose}
    />
  );
};

const Stop = ({ session, actions, onClose }: ConfirmProps) => {
  const { id, managed } = session;
  return (
    <Confirm
      title={`Stop ${titleOf(session)}?`}
      text={`${managed ? '' : 'You started this session in a terminal. '}Stops it gracefully. You can resume it later.`}
      yes="Stop session"
      onYes={() => {
        onClose();
        void actions.attempt(async () => {
          await call('stopSession', { id, query: { force: managed ? undefined : 1 } });
          return 'Stopped.';
        });
      }}
      onClose={onClose}
    />
  );
};

const Interrupt = ({ session, actions, onClose }: ConfirmProps) => (
  <Confirm
    title={`Interrupt ${titleOf(session)}?`}
    text="Ends the current turn, like Esc. The session then waits for you."
    yes={commands.interrupt.label}
    onYes={() => {
      onClose();
      void actions.attempt(async () => {
        await call('interruptSession', { id: session.id });
        return interruptedText;
      });
    }}
    onClose={onClose}
  />
);
