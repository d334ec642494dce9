/** The message box with the receipts of the latest messages. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { ago } from '../../client/text.ts';
import type { MessageStatus, Receipt } from '../../contract/hub.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { errorText } from '../daemon/daemon-error.ts';
import { shortId } from '../../contract/short-id.ts';
import './messages.css';

/** Receipts in progress are polled at this interval, and with every change of the session. */
const pollInterval = 700;
const shownAtMost = 4;

/** Texts sent from this tab by receipt, because receipts do not contain them. */
const sent = new Map<string, string>();

interface Props {
  session: Session;
  isLive: boolean;
  /** A text to begin with, offered by a button. */
  offer: { text: string } | null;
}

export const Messages = ({ session, isLive, offer }: Props) => {
  const { id, state, parked } = session;
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (!offer) return;
    setText(offer.text);
    field.current?.focus();
  }, [offer]);
  const { receipts, refresh } = useReceipts(session, isLive);
  if (state === 'ended' && !parked) return receipts.length ? <Receipts receipts={receipts} /> : null;
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      const receipt = await call('sendMessage', { id, body: { text } });
      sent.set(receipt.id, text);
      setText('');
    } catch (error) {
      setProblem(errorText(error));
    }
    setBusy(false);
    refresh();
  };
  return (
    <section className="messages" aria-label="Message">
      <form
        onSubmit={event => {
          event.preventDefault();
          void send();
        }}
      >
        <textarea
          ref={field}
          rows={2}
          aria-label="Message to the session"
          placeholder={
            parked
              ? 'Message; starts the session again'
              : state === 'working'
                ? 'Message; queued until the turn ends'
                : 'Message to the session'
          }
          value={text}
          onChange={event => setText(event.target.value)}
          onKeyDown={event => {
            if (event.key === 'Escape') event.currentTarget.blur();
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
        <button type="submit" className="main-action" disabled={isBusy || !isLive || text.trim() === ''}>
          Send
        </button>
      </form>
      {problem && (
        <p className="warning" role="alert">
          {problem}
        </p>
      )}
      <Receipts receipts={receipts} />
    </section>
  );
};

const steps: MessageStatus[] = ['queued', 'typed', 'submitted', 'answered'];
const isOver = ({ status }: Receipt): boolean => !['queued', 'typed', 'submitted'].includes(status);

const Receipts = ({ receipts }: { receipts: Receipt[] }) => (
  <ol className="receipts" aria-label="Receipts">
    {receipts
      .slice(-shownAtMost)
      .toReversed()
      .map(receipt => (
        <li key={receipt.id}>
          <span className="said">{sent.get(receipt.id) ?? `message ${shortId(receipt.id)}`}</span>
          <Progress receipt={receipt} />
        </li>
      ))}
  </ol>
);

const Progress = ({ receipt }: { receipt: Receipt }) => {
  const { status, reason, outcome, answer, queuedAt, answeredAt } = receipt;
  if (status === 'refused' || status === 'unknown')
    return (
      <span className="steps bad">
        {status}
        {reason && `: ${reason}`}
      </span>
    );
  const reached = steps.indexOf(status);
  return (
    <span className="steps" title={answer ?? undefined}>
      {steps.map((step, n) => (
        <span key={step} className={n <= reached ? 'done' : ''}>
          {step}
        </span>
      ))}
      {outcome && outcome !== 'stopped' && <span className="bad">{outcome}</span>}
      {answeredAt !== null && <span className="age">{ago(queuedAt, answeredAt)}</span>}
    </span>
  );
};

const useReceipts = ({ id, seq }: Session, isLive: boolean): { receipts: Receipt[]; refresh: () => void } => {
  const [receipts, setReceipts] = useState<Receipt[]>([]);
  const refresh = useCallback(() => {
    if (isLive)
      call('listMessages', { id, query: { last: shownAtMost } })
        .then(({ messages }) => setReceipts(messages))
        .catch(() => {});
  }, [id, isLive]);
  useEffect(() => {
    refresh();
  }, [refresh, seq]);
  const isPending = receipts.some(receipt => !isOver(receipt));
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(refresh, pollInterval);
    return () => clearInterval(timer);
  }, [isPending, refresh]);
  return { receipts, refresh };
};
