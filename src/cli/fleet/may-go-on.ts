/** Asks before another machine is changed. */
import { DroverError } from '../../contract/error.ts';
import { canAsk, confirm } from '../output/question.ts';
import { type Call, flag } from '../verb.ts';

/** Throws where nobody can be asked and `--yes` was not given. */
export const mayGoOn = async (call: Call, action: string, question: string): Promise<boolean> => {
  if (flag(call, 'yes')) return true;
  if (!canAsk())
    throw new DroverError(
      'usage',
      `drover fleet ${action} asks before it changes anything, but there is no terminal to ask on.`,
      'Add --yes.',
    );
  return confirm(question);
};
