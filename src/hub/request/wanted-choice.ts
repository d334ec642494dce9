/** Which of the choices on the screen an answer means. */
import type { Answer } from '../../contract/answer.ts';
import { DroverError } from '../../contract/error.ts';
import type { ChoiceOnScreen } from './screen-choices.ts';

/** Throws where the dialog does not offer it, or where it must be confirmed first. */
export const wantedChoice = (
  choices: ChoiceOnScreen[],
  name: string,
  { confirmed }: Answer,
  isPerson: boolean,
): ChoiceOnScreen => {
  // An approval that names no mode takes the one that Claude Code asks before each edit in.
  const wanted =
    choices.find(({ choice }) => choice.choice === name) ??
    (name === 'allow' ? choices.find(({ choice }) => choice.choice === 'plan:default') : undefined);
  if (!wanted)
    throw new DroverError(
      'refused',
      `The dialog does not offer ${JSON.stringify(name)}.`,
      choices.length > 0
        ? `It offers ${choices.map(({ choice }) => choice.choice).join(', ')}.`
        : 'Somebody may be typing into it. Answer it in its terminal.',
    );
  const { confirm } = wanted.choice;
  if (confirm !== undefined && !isPerson)
    throw new DroverError(
      'refused',
      'Only a person may answer this dialog.',
      'Use `drover answer` or the page.',
    );
  if (confirm !== undefined && confirmed !== true)
    throw new DroverError('refused', confirm, 'Confirm it: `--yes`, or `"confirmed": true`.');
  return wanted;
};
