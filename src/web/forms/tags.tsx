/** The form for the tags of one or several sessions. */
import { useState } from 'react';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { Dialog, SubmitButtons } from '../shared/dialogs.tsx';
import type { Actions } from '../state/actions.ts';

interface Props {
  sessions: Session[];
  actions: Actions;
  onClose: () => void;
}

export const TagForm = ({ sessions, actions, onClose }: Props) => {
  const [before] = useState(() => commonTags(sessions));
  const [text, setText] = useState(before.join(' '));
  const save = async (): Promise<void> => {
    const after = text.split(/[\s,]+/).filter(Boolean);
    const add = after.filter(tag => !before.includes(tag));
    const remove = before.filter(tag => !after.includes(tag));
    const isDone = await actions.attempt(async () => {
      for (const { id } of sessions) await call('setTags', { id, body: { add, remove } });
      return null;
    });
    if (isDone) onClose();
  };
  return (
    <Dialog title={sessions.length === 1 ? 'Tags' : `Tags of ${sessions.length} sessions`} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault();
          void save();
        }}
      >
        <input
          autoFocus
          aria-label="Tags"
          placeholder="urgent backend"
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <p className="aim">
          Separate tags with spaces. The filter <code>tag:urgent</code> finds them again.
        </p>
        <SubmitButtons label="Save" onCancel={onClose} />
      </form>
    </Dialog>
  );
};

const commonTags = ([first, ...rest]: Session[]): string[] =>
  (first?.tags ?? []).filter(tag => rest.every(({ tags }) => tags.includes(tag)));
