/** The dialogs of the page. */
import { type ReactNode, useEffect, useRef } from 'react';
import { helpRows, type SnoozeEntry } from '../../client/board.ts';
import { ago } from '../../client/text.ts';
import type { MovedClient } from '../../contract/page.ts';
import { boardLimits } from '../../board-limits.ts';
import { ignoreHeldKey } from './steady.ts';
import './dialogs.css';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** It confirms an action: an Enter that was pressed before the dialog opened does not count. */
  isConfirmation?: boolean;
  isWide?: boolean;
  children: ReactNode;
}

/** A modal dialog. Escape and a click outside close it; a key that is held down presses nothing in it. */
export const Dialog = ({ title, onClose, isConfirmation, isWide, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const openedAt = useRef(0);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    openedAt.current = performance.now();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      className={isWide ? 'wide-dialog' : undefined}
      onKeyDownCapture={event => {
        ignoreHeldKey(event);
        const isEarly = performance.now() - openedAt.current < boardLimits.confirmDelay;
        if (event.key === 'Enter' && isConfirmation && isEarly) event.preventDefault();
      }}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
      onClick={event => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="inside">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};

export const Confirm = ({
  title,
  text,
  yes,
  onYes,
  onClose,
}: {
  title: string;
  text: string;
  yes: string;
  onYes: () => void;
  onClose: () => void;
}) => (
  <Dialog title={title} onClose={onClose} isConfirmation>
    <p>{text}</p>
    <div className="buttons">
      <button type="button" className="danger" onClick={onYes}>
        {yes}
      </button>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
    </div>
  </Dialog>
);

interface SubmitProps {
  label: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  onCancel: () => void;
}

/** The buttons of a form in a dialog. */
export const SubmitButtons = ({ label, isDanger = false, isDisabled = false, onCancel }: SubmitProps) => (
  <div className="buttons">
    <button type="submit" className={isDanger ? 'danger' : 'main-action'} disabled={isDisabled}>
      {label}
    </button>
    <button type="button" onClick={onCancel}>
      Cancel
    </button>
  </div>
);

/** The only button of a dialog that asks for nothing. */
export const CloseButton = ({ label = 'Close', onClose }: { label?: string; onClose: () => void }) => (
  <div className="buttons">
    <button type="button" onClick={onClose}>
      {label}
    </button>
  </div>
);

interface SnoozeProps {
  entry: SnoozeEntry;
  onText: (text: string) => void;
  onDone: () => void;
  onCancel: () => void;
}

export const SnoozeDialog = ({ entry, onText, onDone, onCancel }: SnoozeProps) => (
  <Dialog title="Snooze for" onClose={onCancel}>
    <form
      onSubmit={event => {
        event.preventDefault();
        onDone();
      }}
    >
      <p className="subject">{entry.label}</p>
      <input
        aria-label="Snooze for"
        placeholder="10min"
        value={entry.text}
        onChange={event => onText(event.target.value)}
      />
      <SubmitButtons label="Snooze" onCancel={onCancel} />
    </form>
  </Dialog>
);

/** Asks which of several attached terminals to switch. */
export const ClientDialog = ({
  clients,
  now,
  onChoose,
  onClose,
}: {
  clients: MovedClient['clients'];
  now: number;
  onChoose: (client: string) => void;
  onClose: () => void;
}) => (
  <Dialog title="Which terminal?" onClose={onClose}>
    <ul className="choices">
      {clients.map(({ name, session, used }) => (
        <li key={name}>
          <button type="button" onClick={() => onChoose(name)}>
            <strong>{name}</strong> shows {session}, used {ago(used, now)} ago
          </button>
        </li>
      ))}
    </ul>
    <CloseButton label="Cancel" onClose={onClose} />
  </Dialog>
);

interface HelpProps {
  onClose: () => void;
  onDevices: () => void;
  onSignOut: () => void;
}

export const Help = ({ onClose, onDevices, onSignOut }: HelpProps) => (
  <Dialog title="Keys" onClose={onClose}>
    <dl className="keys">
      {helpRows('page').map(({ keys, help }) => (
        <div key={keys}>
          <dt>
            {keys.split(' ').map(one => (
              <kbd key={one}>{one}</kbd>
            ))}
          </dt>
          <dd>{help}</dd>
        </div>
      ))}
    </dl>
    <div className="buttons">
      <button type="button" onClick={onClose}>
        Close
      </button>
      <button type="button" onClick={onDevices}>
        Devices
      </button>
      <button type="button" onClick={onSignOut}>
        Sign out
      </button>
    </div>
  </Dialog>
);
