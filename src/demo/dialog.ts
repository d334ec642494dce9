/** A dialog on the screen of a scripted session: what is asked, and which answer the keys are at. Pure. */
import type { Question } from '../contract/session.ts';
import type { Use } from './actor.ts';

export interface Dialog {
  title: string;
  body: string[];
  steps: Step[];
  /** The step that is asked, and the option in it. */
  at: number;
  selected: number;
  /** What was picked in the steps before. */
  picked: string[];
}

interface Step {
  question: string;
  options: string[];
}

export const dialogOf = ({ tool, input }: Use): Dialog => ({
  ...shown({ tool, input }),
  at: 0,
  selected: 0,
  picked: [],
});

const shown = ({ tool, input }: Use): Pick<Dialog, 'title' | 'body' | 'steps'> => {
  if (tool === 'AskUserQuestion')
    return {
      title: 'Questions',
      body: [],
      steps: (input.questions as Question[]).map(({ question, options }) => ({
        question,
        options: options.map(({ label }) => label),
      })),
    };
  if (tool === 'ExitPlanMode')
    return {
      title: 'Ready to code?',
      body: String(input.plan).split('\n'),
      steps: [{ question: 'Would you like to go on with this plan?', options: ['Yes', 'No, keep planning'] }],
    };
  return {
    title: `${tool} command`,
    body: [`  ${String(input.command)}`, `  ${String(input.description)}`],
    steps: [{ question: 'Do you want to proceed?', options: ['Yes', 'No'] }],
  };
};

/** What a key does: the dialog as it is then, or what was picked once all is answered; null: it was refused. */
export const pressIn = (dialog: Dialog, key: string): Dialog | { picked: string[] | null } => {
  const options = dialog.steps[dialog.at]?.options ?? [];
  const move = (by: number) => ({
    ...dialog,
    selected: (dialog.selected + by + options.length) % options.length,
  });
  if (key === 'escape') return { picked: null };
  if (key === 'up') return move(-1);
  if (key === 'down') return move(1);
  const index = key === 'enter' ? dialog.selected : Number(key) - 1;
  const option = options[index];
  if (option === undefined) return dialog;
  if (option.startsWith('No')) return { picked: null };
  const picked = [...dialog.picked, option];
  return dialog.at + 1 < dialog.steps.length
    ? { ...dialog, at: dialog.at + 1, selected: 0, picked }
    : { picked };
};
