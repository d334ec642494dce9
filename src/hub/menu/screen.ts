/** Reads a session's screen, and checks what it shows before a key is pressed. */
import { type Menu, menuOf } from '../../claude/screen/menu.ts';
import { withoutSpace } from '../../claude/screen/without-space.ts';
import { promptLine, type PromptLine } from '../../claude/screen/prompt-line.ts';
import { DroverError } from '../../contract/error.ts';
import type { MenuView } from '../../contract/menu.ts';
import type { Folded } from '../../session/memory.ts';
import { capturePreview } from '../../tmux/server/preview.ts';
import { shortId } from '../../contract/short-id.ts';

export interface Screen {
  menu: Menu | null;
  prompt: PromptLine | null;
  text: string;
}

/** Reads the screen; throws `refused` when there is no pane. */
export const readScreen = async ({ id, pane }: Folded): Promise<Screen> => {
  if (!pane) throw new DroverError('refused', `${shortId(id)} is not in a tmux pane.`);
  const picture = await capturePreview(pane);
  if (!picture) throw new DroverError('refused', `The pane of ${shortId(id)} is gone.`);
  const text = picture.text.replace(/\x1b\[[\d;:]*m/g, '');
  const menu = menuOf(text);
  return { menu, prompt: menu ? null : promptLine(picture.text), text };
};

/** The menu on the screen; throws `refused` when there is none. */
export const menuOn = ({ menu, prompt }: Screen): Menu => {
  if (menu) return menu;
  throw new DroverError(
    'refused',
    prompt ? 'The screen shows a prompt line, not a menu.' : 'The screen shows no menu.',
    'See the screen with `drover menu <session> snapshot`.',
  );
};

/** Throws `refused` when the dialog does not show this text. The rows above it may show another request. */
export const assertShows = ({ menu, text }: Screen, expected: string | undefined): void => {
  const shown = withoutSpace(text);
  const from = menu ? Math.max(0, shown.lastIndexOf(withoutSpace(menu.text))) : 0;
  if (expected === undefined || shown.includes(withoutSpace(expected), from)) return;
  throw new DroverError(
    'refused',
    `The ${menu ? 'dialog' : 'screen'} does not show ${JSON.stringify(expected)}.`,
    'See the screen with `drover menu <session> snapshot`.',
  );
};

/** Whether a menu has this title. The width of the pane may break it into several rows. */
export const hasTitle = (menu: Menu, title: string): boolean =>
  withoutSpace(menu.text).includes(withoutSpace(title));

/** The screen as the API returns it. */
export const viewOf = (
  id: string,
  { menu, prompt, text }: Screen,
  chose: string | null = null,
): MenuView => ({
  id,
  shows: menu ? 'menu' : prompt ? 'prompt' : 'other',
  menu: menu && { title: menu.title, tabs: menu.tabs, options: menu.options },
  chose,
  draft: prompt?.draft ?? null,
  screen: text.trimEnd(),
});
