/** Menus, questions answered at once, and commands one after the other. */
import { AskAnswers, MenuAction, RunCommands } from '../../contract/menu.ts';
import type { Asks } from '../../hub/ask.ts';
import type { Commands } from '../../hub/commands.ts';
import type { Menus } from '../../hub/menu.ts';
import type { Roll } from '../../live/roll.ts';
import type { Handlers } from '../app.ts';
import { bodyOf } from '../body.ts';
import { findNewest, findSession } from './sessions.ts';

export interface MenuParts {
  roll: Roll;
  menus: Menus;
  asks: Asks;
  commands: Commands;
}

export const menuHandlers = ({
  roll,
  menus,
  asks,
  commands,
}: MenuParts): Pick<
  Handlers,
  'readMenu' | 'actOnMenu' | 'askSession' | 'runCommands' | 'readCommands' | 'cancelCommands'
> => ({
  readMenu: ({ id }) => menus.look(findNewest(roll, id)),
  actOnMenu: async ({ id, request }) => {
    const action = await bodyOf(request, MenuAction);
    return menus.act(findNewest(roll, id), action);
  },
  askSession: async ({ id, request }) => {
    const answers = await bodyOf(request, AskAnswers);
    return asks.answer(findNewest(roll, id), answers);
  },
  runCommands: async ({ id, request }) => {
    const wish = await bodyOf(request, RunCommands);
    const started = commands.start(findNewest(roll, id), wish);
    return wish.wait ? commands.until(started.id, wish.timeout * 1_000) : started;
  },
  readCommands: ({ id }) => ({ commands: commands.of(findSession(roll, id)) }),
  cancelCommands: ({ id }) => commands.stop(findNewest(roll, id).id),
});
