/** Answers every question of an AskUserQuestion by keys in its dialog. */
import { DroverError } from '../../contract/error.ts';
import type { Folded } from '../../session/memory.ts';
import type { Menus } from '../menu/menu.ts';
import { findOption } from '../menu/menu-option.ts';

/** Answers all questions and submits them. The dialog is known to be the right one. */
export const pressQuestions = (menus: Menus, session: Folded, given: Map<string, string[]>): Promise<void> =>
  menus.exclusively(session, async () => {
    let ticks = false;
    for (const [question, labels] of given)
      ticks = (await answerOne(menus, session, question, labels)) === 'ticked' || ticks;
    // Several questions, or one with several answers, end with a review of all answers.
    if (given.size > 1 || ticks) {
      const review = await menus.readMenu(session, 'Ready to submit your answers?');
      await menus.choose(session, findOption(review, 'Submit answers'));
    }
  });

const answerOne = async (
  menus: Menus,
  session: Folded,
  question: string,
  labels: string[],
): Promise<'chosen' | 'ticked'> => {
  const menu = await menus.readMenu(session, question);
  const known = (label: string) => menu.options.find(one => one.label === label);
  const words = labels.filter(label => !known(label));
  const several = menu.options.some(({ checked }) => checked !== null);
  if (words.length > 1)
    throw new DroverError('bad_request', `${JSON.stringify(question)} takes at most one written answer.`);
  if (!several) {
    const [label = ''] = labels;
    const option = known(label);
    if (!option) await menus.typeInto(session, menu, label);
    const typed = (await menus.readMenu(session, question)).options.find(({ selected }) => selected);
    await menus.choose(session, option ?? (typed as NonNullable<typeof typed>));
    return 'chosen';
  }
  // Corrects what somebody ticked before.
  for (const option of menu.options)
    if (option.checked !== null && option.checked !== labels.includes(option.label))
      await menus.choose(session, option);
  const [own] = words;
  if (own !== undefined) await menus.typeInto(session, await menus.readMenu(session, question), own);
  const end = (await menus.readMenu(session, question)).options.find(({ number }) => number === null);
  if (!end) throw new DroverError('refused', 'The question has no Submit.');
  await menus.choose(session, end);
  return 'ticked';
};
