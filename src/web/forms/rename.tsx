/** The form for the title of a session. */
import { useState } from 'react';
import { renamedText } from '../../client/board.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { Dialog, SubmitButtons } from '../shared/dialogs.tsx';
import type { Actions } from '../state/actions.ts';

interface Props {
  session: Session;
  actions: Actions;
  onClose: () => void;
}

export const RenameForm = ({ session: { id, title, titleFrom }, actions, onClose }: Props) => {
  const [text, setText] = useState(titleFrom === 'person' ? (title ?? '') : '');
  const rename = async (): Promise<void> => {
    const given = text.trim() || null;
    const isDone = await actions.attempt(async () => {
      await call('setTitle', { id, body: { title: given } });
      return renamedText(given);
    });
    if (isDone) onClose();
  };
  return (
    <Dialog title="Rename" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault();
          void rename();
        }}
      >
        <input
          autoFocus
          maxLength={200}
          aria-label="Title"
          placeholder={title ?? 'Title'}
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <p className="aim">Leave it empty to use the title from Claude Code, or the project.</p>
        <SubmitButtons label="Rename" onCancel={onClose} />
      </form>
    </Dialog>
  );
};
