/** Whatever was sent, what Claude Code reports as accepted decides. */
import { expect, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import type { Folded } from '../../session/memory.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { Questions } from './questions.ts';
import type { RequestAnswers } from './answer-request.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const given = [
  { question: 'Which size?', header: 'Size', multiSelect: false, options: [{ label: 'Small' }] },
  { question: 'Which extras?', header: 'Extras', multiSelect: true, options: [{ label: 'Nuts' }] },
];

/** A session that asks, with stubs that press nothing: `taken` is what PostToolUse then reports. */
const asking = async (taken: Record<string, string> | null) => {
  const { loop, events } = await openPipeline();
  const take = (name: string, fields: object) =>
    loop.append([{ draft: hookDraft(name, { tool_name: 'AskUserQuestion', ...fields }) }]);
  await take('PermissionRequest', { tool_input: { questions: given } });
  const requests = {
    answer: async () => {
      if (taken) await take('PostToolUse', { tool_response: { questions: given, answers: taken } });
      else await loop.append([{ draft: hookDraft('Stop') }]);
      return { way: 'screen' };
    },
  } as unknown as RequestAnswers;
  const questions = new Questions(loop, requests, systemClock);
  return { questions, session: loop.sessionIndex.get(id) as Folded, events };
};

const answers = { Size: 'Small', Extras: ['Oats', 'Nuts'] };

test('answers that were accepted as given match, in whatever order the dialog puts them', async () => {
  const { questions, session, events } = await asking({
    'Which size?': 'small',
    'Which extras?': 'Nuts, Oats',
  });
  expect(await questions.answer(session, { answers })).toMatchObject({ by: 'keys', verdict: 'matched' });
  expect(events().at(-1)?.name).toBe('AskAnswered');
});

test('a mismatch is reported, question by question', async () => {
  const { questions, session, events } = await asking({
    'Which size?': 'Large',
    'Which extras?': 'Nuts, Oats',
  });
  expect(await questions.answer(session, { answers })).toEqual({
    id,
    by: 'keys',
    verdict: 'mismatch',
    answers: [
      { question: 'Which size?', given: 'Small', taken: 'Large', matches: false },
      { question: 'Which extras?', given: 'Oats, Nuts', taken: 'Nuts, Oats', matches: true },
    ],
  });
  expect(Buffer.from(events().at(-1)?.raw ?? []).toString()).toContain('"verdict":"mismatch"');
});

test('a turn that ends without showing the accepted answers leaves them unseen', async () => {
  const { questions, session } = await asking(null);
  expect(await questions.answer(session, { answers })).toMatchObject({ verdict: 'unseen' });
});

test('an answer that does not fit is refused before a key is pressed', async () => {
  const { questions, session } = await asking(null);
  await expect(questions.answer(session, { answers: { Size: 'Small' } })).rejects.toMatchObject({
    code: 'bad_request',
  });
  await expect(
    questions.answer(session, { answers: { Size: ['a', 'b'], Extras: 'x' } }),
  ).rejects.toMatchObject({
    code: 'bad_request',
  });
});
