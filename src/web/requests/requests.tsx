/** The open requests of a session, each with its complete input and its choices as buttons. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { clean } from '../../client/text.ts';
import type { PastRequest } from '../../contract/answer.ts';
import type { SessionPage } from '../../contract/api.ts';
import type { OpenRequest, Session } from '../../contract/session.ts';
import { countdownText } from '../../session/state-text.ts';
import { AnswerPart } from './answer-part.tsx';
import { useChoices } from './choices.ts';
import { CompleteRequest, ScrollFirst, useReading } from './complete-request.tsx';
import { outcomeOf } from './outcome.ts';
import { ErrorBoundary } from '../shared/error-boundary.tsx';
import { type Card, nextCards, toggled } from './request-cards.ts';
import { RequestInput } from './request-input.tsx';
import './requests.css';

interface Props {
  session: Session;
  page: SessionPage | null;
  now: number;
}

export const Requests = ({ session, page, now }: Props) => {
  const list = useRef<HTMLElement>(null);
  const { cards, toggle } = useCards(list, session, page, now);
  /** The results of answers that were given here. */
  const [results, setResults] = useState<ReadonlyMap<number, string>>(new Map());
  if (cards.length === 0) return null;
  return (
    <section className="requests" aria-label="Requests" ref={list}>
      {cards.map(card => (
        <ErrorBoundary key={card.request.id}>
          <RequestCard
            card={card}
            session={session}
            past={page?.past.find(({ id }) => id === card.request.id)}
            result={results.get(card.request.id)}
            now={now}
            onToggle={() => toggle(card.request.id)}
            onResult={text => setResults(before => new Map(before).set(card.request.id, text))}
          />
        </ErrorBoundary>
      ))}
    </section>
  );
};

const useCards = (
  list: RefObject<HTMLElement | null>,
  session: Session,
  page: SessionPage | null,
  now: number,
) => {
  const [cards, setCards] = useState<Card[]>([]);
  const { requests } = session;
  useLayoutEffect(() => {
    const isHandOn = list.current?.matches(':hover, :focus-within') ?? false;
    setCards(before => nextCards(before, { requests, full: page?.requests ?? [], now, isHandOn }));
  }, [list, requests, page, now]);
  return { cards, toggle: (id: number) => setCards(before => toggled(before, id)) };
};

interface CardProps {
  card: Card;
  session: Session;
  past: PastRequest | undefined;
  result: string | undefined;
  now: number;
  onToggle: () => void;
  onResult: (text: string) => void;
}

const RequestCard = ({ card, session, past, result, now, onToggle, onResult }: CardProps) => {
  const { request, full, endedAt } = card;
  const isOver = endedAt !== null || result !== undefined;
  const isOpen = card.isOpen ?? false;
  const { element, height } = useHeight(!isOver);
  const choices = useChoices(session.id, request, isOpen && !isOver);
  const isForm = choices.page?.way !== undefined && choices.page.way !== 'none' && !isOver;
  const reading = useReading(isOpen && full !== null && choices.page !== null);
  const line = clean(request.line);
  return (
    <section
      ref={element}
      className={`card request${isOver ? ' over' : ' unanswered'}`}
      data-request={request.id}
      aria-label={`Request ${request.id}: ${line}`}
      style={isOver ? { minHeight: height } : undefined}
    >
      <h2>
        <button type="button" className="quiet" aria-expanded={isOpen} onClick={onToggle}>
          {(isOpen || request.kind !== 'permission') && <span>{titleOf(request)}</span>}
          {!isOpen && <span className="line">{line}</span>}
          {request.deadline !== undefined && !isOver && (
            <span className="mark alarm">denies itself in {countdownText(request.deadline, now)}</span>
          )}
          {request.agent && <span className="mark">subagent {clean(request.agent)}</span>}
        </button>
      </h2>
      {isOpen && (
        <CompleteRequest reading={reading}>
          <RequestInput request={request} full={full} detail={session.detail} isForm={isForm} />
        </CompleteRequest>
      )}
      {isOver ? (
        <p className="outcome" role="status">
          {result ?? outcomeOf(session, past, now)}
        </p>
      ) : (
        isOpen && (
          <>
            <AnswerPart
              session={session}
              choices={choices}
              now={now}
              isRead={reading.isRead}
              onResult={onResult}
            />
            {isForm && request.kind !== 'question' && !reading.isRead && <ScrollFirst />}
          </>
        )
      )}
    </section>
  );
};

/** Keeps the height of a card whose request is over, so that the cards below it do not move. */
const useHeight = (isOpen: boolean) => {
  const element = useRef<HTMLElement>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (!isOpen || !element.current) return undefined;
    const { current } = element;
    const observer = new ResizeObserver(() => setHeight(current.offsetHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, [isOpen]);
  return { element, height };
};

const titleOf = ({ kind, tool }: OpenRequest): string => {
  if (kind === 'question') return 'Question';
  if (kind === 'plan') return 'Plan to approve';
  if (kind === 'permission') return `Permission to use ${clean(tool ?? 'a tool')}`;
  return kind === 'elicitation' ? 'An MCP server asks for input' : 'Dialog';
};
