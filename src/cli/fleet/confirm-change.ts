/** Asks before another machine is changed. */
import { DroverError } from '../../contract/error.ts';
import { canAsk, confirm } from '../output/question.ts';
import { type Call, flag } from '../verb.ts';

/** Throws where nobody can be asked and `--yes` was not given. */
export const confirmChange = async (call: Call, action: string, question: string): Promise<boolean> => {
  if (flag(call, 'yes')) return true;
  if (!canAsk())
    throw new DroverError(
      'usage',
      `drover fleet ${action} asks for confirmation, but there is no terminal.`,
      'Add --yes.',
    );
  return confirm(question);
};
