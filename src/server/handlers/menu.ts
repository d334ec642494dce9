/** Menus, questions answered at once, and commands one after the other. */
import { AskAnswers, MenuAction, RunCommands } from '../../contract/menu.ts';
import type { Asks } from '../../hub/request/ask.ts';
import type { Commands } from '../../hub/menu/commands.ts';
import type { Menus } from '../../hub/menu/menu.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import type { Handlers } from '../app.ts';
import { bodyOf } from '../body.ts';
import { answerText } from './answer.ts';
import { findNewest, findSession } from './sessions.ts';

export interface MenuParts {
  sessionIndex: SessionIndex;
  menus: Menus;
  asks: Asks;
  commands: Commands;
}

export const menuHandlers = ({
  sessionIndex,
  menus,
  asks,
  commands,
}: MenuParts): Pick<
  Handlers,
  'readMenu' | 'actOnMenu' | 'askSession' | 'runCommands' | 'readCommands' | 'cancelCommands'
> => ({
  readMenu: ({ id }) => menus.read(findNewest(sessionIndex, id)),
  actOnMenu: async ({ id, request, action: notes }) => {
    const action = await bodyOf(request, MenuAction);
    const session = findNewest(sessionIndex, id);
    notes.text = menuText(action);
    notes.requestId = session.pending?.id ?? session.memory.asks[0]?.evidence.seq;
    return menus.act(session, action);
  },
  askSession: async ({ id, request, action }) => {
    const answers = await bodyOf(request, AskAnswers);
    const session = findNewest(sessionIndex, id);
    action.text = answerText(answers);
    action.requestId = session.memory.asks.find(({ kind }) => kind === 'question')?.evidence.seq;
    return asks.answer(session, answers);
  },
  runCommands: async ({ id, request, action }) => {
    const wish = await bodyOf(request, RunCommands);
    action.text = wish.commands.join('; ');
    const started = await commands.start(findNewest(sessionIndex, id), wish);
    return wish.wait ? commands.until(started.id, wish.timeout * 1_000) : started;
  },
  readCommands: ({ id }) => ({ commands: commands.of(findSession(sessionIndex, id)) }),
  cancelCommands: ({ id }) => commands.stop(findNewest(sessionIndex, id).id),
});

const menuText = (action: MenuAction): string => {
  if (action.action === 'choose') return `choose ${action.option}`;
  return action.action === 'type' ? `type ${action.text}` : action.action;
};
