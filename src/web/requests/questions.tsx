/** Questions with their options, and an answer of one's own. */
import { useId, useState } from 'react';
import { clean } from '../../client/text.ts';
import type { Question } from '../../contract/session.ts';
import './questions.css';

type Answers = Record<string, string | string[]>;

interface Props {
  questions: Question[];
  /** Null: they can only be read here. */
  onAnswer: ((answers: Answers) => void) | null;
  onDecline?: (() => void) | undefined;
  isBusy: boolean;
}

/** The answer to one question: chosen labels, and a text of one's own. */
interface Choice {
  labels: string[];
  own: string;
}

export const Questions = ({ questions, onAnswer, onDecline, isBusy }: Props) => {
  const [choices, setChoices] = useState<Choice[]>(() => questions.map(() => ({ labels: [], own: '' })));
  const given = questions.map((question, n) => answerOf(question, choices[n]));
  const isWhole = given.every(answer => answer !== null);
  const choose = (at: number, choice: Choice) =>
    setChoices(before => before.map((old, n) => (n === at ? choice : old)));
  return (
    <form
      className="answer questions"
      onSubmit={event => {
        event.preventDefault();
        if (isWhole && onAnswer)
          onAnswer(
            Object.fromEntries(questions.map(({ question }, n) => [question, given[n] as string | string[]])),
          );
      }}
    >
      {questions.map((question, n) => (
        <OneQuestion
          key={question.question}
          question={question}
          choice={choices[n] ?? { labels: [], own: '' }}
          onChoose={onAnswer && (choice => choose(n, choice))}
        />
      ))}
      {onAnswer && (
        <div className="buttons">
          <button type="submit" className="main-action" disabled={!isWhole || isBusy}>
            Answer
          </button>
          <button type="button" className="danger" disabled={isBusy} onClick={onDecline}>
            Decline
          </button>
        </div>
      )}
    </form>
  );
};

const OneQuestion = ({
  question: { question, header, multiSelect, options },
  choice,
  onChoose,
}: {
  question: Question;
  choice: Choice;
  onChoose: ((choice: Choice) => void) | null;
}) => {
  const name = useId();
  const pick = (label: string, on: boolean) =>
    onChoose?.(
      multiSelect
        ? {
            ...choice,
            labels: on ? [...choice.labels, label] : choice.labels.filter(other => other !== label),
          }
        : { labels: [label], own: '' },
    );
  return (
    <fieldset>
      <legend>
        {header && <span className="mark">{clean(header)}</span>} {clean(question)}
        {multiSelect && <span className="aim"> several may be chosen</span>}
      </legend>
      {options.map(({ label, description }) => (
        <label key={label} className="option">
          {onChoose && (
            <input
              type={multiSelect ? 'checkbox' : 'radio'}
              name={name}
              checked={choice.labels.includes(label)}
              onChange={event => pick(label, event.target.checked)}
            />
          )}
          <span>
            <strong>{clean(label)}</strong>
            {description && <span className="aim">{clean(description)}</span>}
          </span>
        </label>
      ))}
      {onChoose && (
        <input
          className="own"
          aria-label={`Your own answer to: ${question}`}
          placeholder="Or your own answer"
          value={choice.own}
          onChange={event => onChoose({ labels: multiSelect ? choice.labels : [], own: event.target.value })}
        />
      )}
    </fieldset>
  );
};

/** The answer as the daemon wants it; null while there is none. */
const answerOf = ({ multiSelect }: Question, choice: Choice | undefined): string | string[] | null => {
  if (!choice) return null;
  const all = [...choice.labels, ...(choice.own.trim() === '' ? [] : [choice.own.trim()])];
  if (all.length === 0) return null;
  return multiSelect ? all : (all[0] as string);
};
