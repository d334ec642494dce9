/**
 * The answer to one request by keys: the complete request, and its choices with digits. It belongs to this request alone: when
 * that is answered elsewhere, it says so and answers nothing.
 */
import { type KeyboardEvent, useEffect, useState } from 'react';
import { titleOf } from '../../client/board.ts';
import { clean } from '../../client/text.ts';
import type { PastRequest } from '../../contract/answer.ts';
import type { OpenRequest, Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { CloseButton, Dialog } from '../shared/dialogs.tsx';
import { AnswerPart } from './answer-part.tsx';
import { useChoices } from './choices.ts';
import { CompleteRequest, ScrollFirst, useReading } from './complete-request.tsx';
import { outcomeOf } from './outcome.ts';
import { RequestInput } from './request-input.tsx';
import './answer-dialog.css';

interface Props {
  session: Session;
  requestId: number;
  isDenial: boolean;
  now: number;
  onAnswered: (text: string) => void;
  onClose: () => void;
}

export const AnswerDialog = ({ session, requestId, isDenial, now, onAnswered, onClose }: Props) => {
  const current = session.requests.find(({ id }) => id === requestId);
  // Kept, so that what was asked stays readable when it is over.
  const [request, setRequest] = useState(current);
  if (current && current !== request) setRequest(current);
  if (!request) return null;
  return (
    <Dialog title={answerTitle(request, session)} onClose={onClose} isConfirmation isWide>
      <p className="aim">
        {titleOf(session)}
        {request.agent && `, subagent ${clean(request.agent)}`}, request {request.id}
      </p>
      <Answering
        session={session}
        request={request}
        isOver={!current}
        isDenial={isDenial}
        now={now}
        onAnswered={onAnswered}
        onClose={onClose}
      />
    </Dialog>
  );
};

/** The question that the dialog puts. */
export const answerTitle = (
  { kind, tool }: Pick<OpenRequest, 'kind' | 'tool'>,
  { project }: Pick<Session, 'project'>,
): string => {
  const where = project ? ` in ${clean(project)}` : '';
  if (kind === 'permission') return `Allow ${clean(tool ?? 'a tool')}${where}?`;
  if (kind === 'plan') return `Approve the plan${where}?`;
  if (kind === 'question') return `Question${where}`;
  return kind === 'elicitation' ? `An MCP server asks for input${where}` : `Start-up dialog${where}`;
};

interface AnsweringProps extends Omit<Props, 'requestId'> {
  request: OpenRequest;
  isOver: boolean;
}

const Answering = (props: AnsweringProps) => {
  const { session, request, isOver, isDenial, now, onAnswered, onClose } = props;
  const choices = useChoices(session.id, request, !isOver);
  const reading = useReading(choices.page !== null);
  const { region, isRead } = reading;
  const past = usePast(session.id, request.id, isOver);
  const isForm = request.kind === 'question' && choices.page !== null && choices.page.way !== 'none';
  return (
    <div className="answering" onKeyDown={event => onKey(event, region.current)}>
      <CompleteRequest reading={reading} autoFocus>
        <RequestInput
          request={request}
          full={choices.page}
          detail={session.detail}
          isForm={isForm && !isOver}
        />
      </CompleteRequest>
      {isOver ? (
        <>
          <p className="outcome" role="status">
            {outcomeOf(session, past, now)}
          </p>
          <CloseButton onClose={onClose} />
        </>
      ) : (
        <>
          <AnswerPart
            session={session}
            choices={choices}
            now={now}
            isNumbered
            isRead={isRead}
            isDenial={isDenial}
            onResult={onAnswered}
          />
          {choices.page && choices.page.way !== 'none' && !isRead && <ScrollFirst />}
        </>
      )}
    </div>
  );
};

/** A digit goes to its choice, Enter on the request presses the first one, and the letters of the board scroll. */
const onKey = (event: KeyboardEvent, region: HTMLElement | null): void => {
  if (event.defaultPrevented || isField(event.target)) return;
  const buttons = event.currentTarget.querySelectorAll<HTMLButtonElement>('.answer > button');
  if (/^[1-9]$/.test(event.key)) {
    const button = buttons[Number(event.key) - 1];
    button?.focus();
    if (button?.ariaExpanded === 'false') button.click();
    event.preventDefault();
  }
  const step = { j: 60, J: 60, k: -60, K: -60 }[event.key];
  if (step !== undefined) region?.scrollBy(0, step);
  if (event.key !== 'Enter' || event.target !== region) return;
  // Consumed here, so that the page behind the dialog does not handle it too.
  event.preventDefault();
  if (buttons[0] && !buttons[0].disabled) buttons[0].click();
};

const isField = (target: EventTarget): boolean =>
  target instanceof HTMLElement && /^(?:INPUT|TEXTAREA)$/.test(target.tagName);

/** What happened to the request, once it is over. */
const usePast = (sessionId: string, requestId: number, isOver: boolean): PastRequest | undefined => {
  const [past, setPast] = useState<PastRequest[]>([]);
  useEffect(() => {
    if (!isOver) return undefined;
    const abort = new AbortController();
    call('readSession', { id: sessionId, signal: abort.signal })
      .then(page => setPast(page.past))
      .catch(() => {});
    return () => abort.abort();
  }, [sessionId, isOver]);
  return past.find(({ id }) => id === requestId);
};
