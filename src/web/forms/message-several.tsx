/** The form for one message to several sessions, with a receipt from each. */
import { useState } from 'react';
import { titleOf } from '../../client/board.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { errorText } from '../daemon/daemon-error.ts';
import { CloseButton, Dialog, SubmitButtons } from '../shared/dialogs.tsx';
import './forms.css';

interface Props {
  sessions: Session[];
  onSent: () => void;
  onClose: () => void;
}

export const MessageForm = ({ sessions: given, onSent, onClose }: Props) => {
  const [sessions] = useState(given);
  const [text, setText] = useState('');
  /** What became of the message, by session; null: not sent yet. */
  const [results, setResults] = useState<ReadonlyMap<string, string> | null>(null);
  const send = async (): Promise<void> => {
    setResults(new Map());
    onSent();
    await Promise.all(
      sessions.map(async ({ id }) => {
        const result = await call('sendMessage', { id, body: { text } })
          .then(({ status }) => status)
          .catch(errorText);
        setResults(before => new Map(before).set(id, result));
      }),
    );
  };
  return (
    <Dialog title={`Message to ${sessions.length} sessions`} onClose={onClose} isWide>
      <form
        onSubmit={event => {
          event.preventDefault();
          if (text.trim() !== '' && results === null) void send();
        }}
      >
        <ul className="receivers" aria-label="Receipts">
          {sessions.map(session => (
            <li key={session.id}>
              <strong>{titleOf(session)}</strong>
              {results && <span>{results.get(session.id) ?? 'sending …'}</span>}
            </li>
          ))}
        </ul>
        {results === null ? (
          <>
            <textarea
              autoFocus
              rows={3}
              aria-label="Message"
              placeholder="Message"
              value={text}
              onChange={event => setText(event.target.value)}
            />
            <SubmitButtons label="Send" isDisabled={text.trim() === ''} onCancel={onClose} />
          </>
        ) : (
          <CloseButton onClose={onClose} />
        )}
      </form>
    </Dialog>
  );
};
