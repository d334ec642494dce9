/** A session's screen in this moment, and what it must show before a key is pressed. */
import { type Menu, menuOf } from '../../claude/menu.ts';
import { withoutSpace } from '../../claude/without-space.ts';
import { promptLine, type PromptLine } from '../../claude/prompt-line.ts';
import { DroverError } from '../../contract/error.ts';
import type { MenuView } from '../../contract/menu.ts';
import type { Folded } from '../../session/memory.ts';
import { previewOf } from '../../tmux/server/preview.ts';

export interface Seen {
  menu: Menu | null;
  prompt: PromptLine | null;
  screen: string;
}

/** Throws `refused` when there is no pane to look at. */
export const screenOf = async ({ id, pane }: Folded): Promise<Seen> => {
  if (!pane) throw new DroverError('refused', `${id.slice(0, 8)} is in no tmux pane.`);
  const picture = await previewOf(pane);
  if (!picture) throw new DroverError('refused', `The pane of ${id.slice(0, 8)} is gone.`);
  const screen = picture.text.replace(/\x1b\[[\d;:]*m/g, '');
  const menu = menuOf(screen);
  return { menu, prompt: menu ? null : promptLine(picture.text), screen };
};

/** The menu that is there; throws `refused` when there is none. */
export const menuIn = ({ menu, prompt }: Seen): Menu => {
  if (menu) return menu;
  throw new DroverError(
    'refused',
    prompt ? 'The screen shows a prompt line and no menu.' : 'The screen shows no menu.',
    '`drover menu <session> snapshot` shows what is there.',
  );
};

/** Throws `refused` when the dialog does not show this text. What is above a dialog may tell of another request. */
export const mustShow = ({ menu, screen }: Seen, expected: string | undefined): void => {
  const shown = withoutSpace(screen);
  const from = menu ? Math.max(0, shown.lastIndexOf(withoutSpace(menu.text))) : 0;
  if (expected === undefined || shown.includes(withoutSpace(expected), from)) return;
  throw new DroverError(
    'refused',
    `The ${menu ? 'dialog' : 'screen'} does not show ${JSON.stringify(expected)}.`,
    '`drover menu <session> snapshot` shows what is there.',
  );
};

export const isTitle = (menu: Menu, title: string): boolean =>
  withoutSpace(menu.text).includes(withoutSpace(title));

export const viewOf = (id: string, { menu, prompt, screen }: Seen): MenuView => ({
  id,
  shows: menu ? 'menu' : prompt ? 'prompt' : 'other',
  menu: menu && { title: menu.title, tabs: menu.tabs, options: menu.options },
  draft: prompt?.draft ?? null,
  screen: screen.trimEnd(),
});
