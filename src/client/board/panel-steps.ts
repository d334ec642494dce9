/** The questions of a request, or the fields of a form, one after another, and what was answered to them. */
import type { Answer, Choice, RequestPage } from '../../contract/answer.ts';
import type { Question } from '../../contract/session.ts';
import type { StepAnswer } from './state.ts';

export interface Step {
  /** The name that an answer refers to. */
  key: string;
  text: string;
  /** Without options, text is written. */
  options: { value: string; label: string }[];
  isMulti: boolean;
  isRequired: boolean;
  /** Whether an answer may also be written. */
  isOpen: boolean;
}

/** What has to be answered for a choice: the questions of the request, or the fields of the choice. */
export const stepsOf = ({ kind, input }: RequestPage, { fields }: Choice): Step[] => {
  if (fields)
    return fields.map(({ name, label, isRequired, options = [] }) => ({
      key: name,
      text: `${label}${isRequired ? '' : ' (optional)'}`,
      options: options.map(value => ({ value, label: value })),
      isMulti: false,
      isRequired,
      isOpen: options.length === 0,
    }));
  if (kind !== 'question' || !Array.isArray(input?.questions)) return [];
  return (input.questions as Question[]).map(({ question, multiSelect, options }) => ({
    key: question,
    text: question,
    options: (options ?? []).map(({ label, description }) => ({
      value: label,
      label: description ? `${label}: ${description}` : label,
    })),
    isMulti: multiSelect === true,
    isRequired: true,
    isOpen: true,
  }));
};

/** Ticks or chooses an option; of a question with one answer the others are dropped, and a text too. */
export const toggled = ({ isMulti }: Step, answer: StepAnswer | undefined, value: string): StepAnswer => {
  const picked = answer?.picked ?? [];
  if (!isMulti) return { picked: [value], text: '' };
  const rest = picked.filter(one => one !== value);
  return { picked: rest.length < picked.length ? rest : [...picked, value], text: '' };
};

export const isComplete = ({ isRequired }: Step, answer: StepAnswer | undefined): boolean =>
  !isRequired || (answer !== undefined && (answer.picked.length > 0 || answer.text.trim() !== ''));

/** The part of an answer that carries what was chosen and written. */
export const answersOf = (
  { kind }: RequestPage,
  steps: Step[],
  given: StepAnswer[],
): Pick<Answer, 'answers' | 'values'> => {
  const written = steps.flatMap(({ key, isMulti }, n) => {
    const { picked = [], text = '' } = given[n] ?? {};
    const value = text.trim() !== '' ? text.trim() : isMulti ? picked : (picked[0] ?? '');
    return value === '' ? [] : [[key, value] as const];
  });
  const values = Object.fromEntries(written);
  return kind === 'question' ? { answers: values } : { values };
};
