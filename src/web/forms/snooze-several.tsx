/** The form for how long to snooze several sessions. */
import { useState } from 'react';
import { durationOf } from '../../client/duration.ts';
import { Dialog, SubmitButtons } from '../shared/dialogs.tsx';

interface Props {
  count: number;
  onSnooze: (seconds: number) => void;
  onClose: () => void;
}

export const SnoozeForm = ({ count, onSnooze, onClose }: Props) => {
  const [text, setText] = useState('10min');
  const length = durationOf(text.trim());
  return (
    <Dialog title={`Snooze ${count === 1 ? 'one session' : `${count} sessions`} for`} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault();
          if (length) onSnooze(length / 1_000);
        }}
      >
        <input
          autoFocus
          aria-label="Snooze for"
          placeholder="10min"
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <SubmitButtons label="Snooze" isDisabled={!length} onCancel={onClose} />
      </form>
    </Dialog>
  );
};
