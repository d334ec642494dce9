/** Commands that answer what sessions request. */
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';

export const answerVerbs: Verb[] = [
  {
    name: 'answer',
    args: '<session> [answer]...',
    summary: 'Answer a permission request, question, plan or dialog',
    options: {
      id: { value: '<number>', help: 'Answer only this request; required if several are open' },
      message: { value: '<text>', short: 'm', help: 'With deny or keep_planning: message for the model' },
      remember: { help: "With allow: don't ask again, as the dialog offers it" },
      interrupt: { help: 'With deny: end the turn' },
      yes: { help: 'Skip the confirmation of a choice in a start-up dialog' },
      json,
    },
    details: `Without an answer it lists the request and its choices. The answer is \`allow\`, \`deny\` or another choice. For questions, give one
answer each, in order: a label, its number, several separated by commas where several may be chosen, or your own text. For the
form of an MCP server: \`accept name=value ...\`, \`decline\` or \`cancel\`.

The answer goes through the hook that reported the request. If no hook waits, Drover presses the keys in its terminal, after it has made sure that
the dialog there is this request; if it is not, nothing is pressed. In the terminal \`deny\` ends the turn, and its message is sent as
the next prompt. The first answer wins, here or in the terminal. If several requests are open, name one with --id; \`drover show\`
lists them. Exits with 6 if nothing was answered.

In a script, name the session by its id and the request with --id: ids are never reused, so if that request is gone, nothing happens.
If you name the session by its title or project, you are asked first; without a terminal this exits with 5.

  drover answer 7f0c3ad1
  drover answer 7f0c3ad1 allow
  drover answer 7f0c3ad1 deny --id 4711 -m "not on main"
  drover answer 6c57b6f4 Large 1,2
  drover answer 91d2e0aa plan:default`,
    daemon: true,
    load: () => import('../verbs/answer.ts'),
  },
  {
    name: 'hold',
    args: '[session]',
    summary: 'Answer requests through hooks, or by keys with --off',
    options: {
      all: { help: 'Every session, including those that start later' },
      off: { help: 'Stop holding' },
      json,
    },
    details: `Every session is held unless \`"approvals": "terminal"\` is in config.json. A held request is answered through its hook: no keys are
pressed, the tool's input can be changed, and several requests can be answered in any order. The dialog in the terminal keeps working;
the first answer wins. Applies from the next request on, also after \`/clear\` and \`drover restart\`. \`hold.projects\` in config.json holds the
sessions of certain folders.

A hook waits 7 days (\`hold.minutes\` in config.json). Then it is released, and the request is answered in the terminal, by you or by
\`drover answer\`.`,
    daemon: true,
    load: () => import('../verbs/hold.ts'),
  },
];
