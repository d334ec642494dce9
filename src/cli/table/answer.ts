/** Commands that answer what sessions request. */
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';

export const answerVerbs: Verb[] = [
  {
    name: 'answer',
    args: '<session> <answer>...',
    summary: 'Answer a permission request, question or plan of a held session',
    options: {
      id: { value: '<number>', help: 'Request to answer; required if several are open' },
      message: { value: '<text>', short: 'm', help: 'With deny: message for the model' },
      remember: { help: "With allow: don't ask again, as the dialog offers it" },
      interrupt: { help: 'With deny: end the turn' },
      json,
    },
    details: `The answer is \`allow\` or \`deny\`. For questions, give one answer each, in order: a label, its number, several separated by
commas where several may be chosen, or your own text. Hold the session first, before it asks: \`drover hold <session>\`.

The dialog in the terminal keeps working; the first answer wins. If several requests are open, name one with --id;
\`drover show\` lists them. Exits with 6 if nothing was answered.

  drover answer 7f0c3ad1 allow
  drover answer 7f0c3ad1 deny --id 4711 -m "not on main"
  drover answer 6c57b6f4 Large 1,2`,
    daemon: true,
    load: () => import('../verbs/answer.ts'),
  },
  {
    name: 'hold',
    args: '<session>',
    summary: "Let `drover answer` and programs answer a session's requests",
    options: { off: { help: 'Go back to answering only in the terminal' }, json },
    details: `The dialog in the terminal keeps working; the first answer wins. Applies from the next request on, also after
\`/clear\` and \`drover restart\`. To hold every session of a folder, set \`hold.projects\` in config.json.`,
    daemon: true,
    load: () => import('../verbs/hold.ts'),
  },
];
