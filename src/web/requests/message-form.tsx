/** The message to the model that goes with an answer. */
import { useState } from 'react';
import { clean } from '../../client/text.ts';
import type { Answer, Choice } from '../../contract/answer.ts';

interface Props {
  choice: Choice;
  /** Whether the answer can also end the turn. */
  canEndTurn: boolean;
  isBusy: boolean;
  onSend: (answer: Answer) => void;
}

export const MessageForm = ({ choice, canEndTurn, isBusy, onSend }: Props) => {
  const [message, setMessage] = useState('');
  const [endsTurn, setEndsTurn] = useState(false);
  return (
    <form
      className="denial"
      onSubmit={event => {
        event.preventDefault();
        if (isBusy) return;
        onSend({
          ...(message.trim() !== '' && { message: message.trim() }),
          ...(canEndTurn && endsTurn && { interrupt: true }),
        });
      }}
    >
      <input
        autoFocus
        aria-label="Message to the model"
        placeholder="Message to the model (optional)"
        value={message}
        onChange={event => setMessage(event.target.value)}
      />
      {canEndTurn && (
        <label>
          <input type="checkbox" checked={endsTurn} onChange={event => setEndsTurn(event.target.checked)} />{' '}
          and end the turn
        </label>
      )}
      <button type="submit" className={choice.effect === 'deny' ? 'danger' : undefined} disabled={isBusy}>
        {clean(choice.label)}
      </button>
    </form>
  );
};
