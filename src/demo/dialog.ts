/** A dialog of a scripted session, and how keys change it. Pure. */
import type { Question } from '../contract/session.ts';
import type { ToolUse } from './scripted-session.ts';

export interface Dialog {
  title: string;
  body: string[];
  steps: DialogStep[];
  /** The current step, and its selected option. */
  at: number;
  selected: number;
  /** The answers of the previous steps. */
  picked: string[];
}

interface DialogStep {
  question: string;
  options: string[];
}

export const dialogOf = ({ tool, input }: ToolUse): Dialog => ({
  ...shown({ tool, input }),
  at: 0,
  selected: 0,
  picked: [],
});

const shown = ({ tool, input }: ToolUse): Pick<Dialog, 'title' | 'body' | 'steps'> => {
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
    steps: [
      {
        question: 'Do you want to proceed?',
        options: ['Yes', `${alwaysLabel} ${ruleOf(input)}`, 'No'],
      },
    ],
  };
};

/** The option that also allows the same command from then on. */
export const alwaysLabel = "Yes, and don't ask again for";

/** What "don't ask again" allows: the program and its subcommand, with whatever follows. */
export const ruleOf = ({ command }: ToolUse['input']): string =>
  `${/^\S+(?: [^-\s]\S*)?/.exec(String(command))?.[0] ?? ''}:*`;

/** Apply a key: returns the new dialog, or the answers once all steps are answered; null answers mean refused. */
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
