/** Menus, answers to questions, and sequences of commands. */
import type { MenuAction } from '../../contract/menu.ts';
import type { Questions } from '../../hub/request/questions.ts';
import type { Commands } from '../../hub/menu/commands.ts';
import type { Menus } from '../../hub/menu/menu.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import type { Handlers } from '../call.ts';
import { answerText } from './answer.ts';
import { findNewest, findSession } from './sessions.ts';

export interface MenuParts {
  sessionIndex: SessionIndex;
  menus: Menus;
  questions: Questions;
  commands: Commands;
}

export const menuHandlers = ({
  sessionIndex,
  menus,
  questions,
  commands,
}: MenuParts): Pick<
  Handlers,
  'readMenu' | 'actOnMenu' | 'askSession' | 'runCommands' | 'readCommands' | 'cancelCommands'
> => ({
  readMenu: ({ params }) => menus.read(findNewest(sessionIndex, params.id)),
  actOnMenu: ({ params, body, action }) => {
    const session = findNewest(sessionIndex, params.id);
    action.text = menuText(body);
    action.requestId = session.pending?.id ?? session.memory.requests[0]?.evidence.seq;
    return menus.act(session, body);
  },
  askSession: ({ params, body: answers, action }) => {
    const session = findNewest(sessionIndex, params.id);
    action.text = answerText(answers);
    action.requestId = session.memory.requests.find(({ kind }) => kind === 'question')?.evidence.seq;
    return questions.answer(session, answers);
  },
  runCommands: async ({ params, body, action }) => {
    action.text = body.commands.join('; ');
    const started = await commands.start(findNewest(sessionIndex, params.id), body);
    return body.wait ? commands.until(started.id, body.timeout * 1_000) : started;
  },
  readCommands: ({ params }) => ({ commands: commands.of(findSession(sessionIndex, params.id)) }),
  cancelCommands: ({ params }) => commands.stop(findNewest(sessionIndex, params.id).id),
});

const menuText = (action: MenuAction): string => {
  if (action.action === 'choose') return `choose ${action.option}`;
  return action.action === 'type' ? `type ${action.text}` : action.action;
};
