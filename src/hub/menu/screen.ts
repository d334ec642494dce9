/** What a session's screen shows, and checks before a key is pressed. */
import type { Menu } from '../../claude/screen/menu.ts';
import { withoutSpace } from '../../claude/screen/without-space.ts';
import { promptLine, type PromptLine } from '../../claude/screen/prompt-line.ts';
import { DroverError } from '../../contract/error.ts';
import type { MenuView } from '../../contract/menu.ts';
import { menuIn, type Seen, type TerminalScreen } from '../request/terminal-screen.ts';

export interface Screen {
  /** What keys are compared with. */
  seen: Seen;
  menu: Menu | null;
  prompt: PromptLine | null;
  text: string;
}

/** Reads the screen; throws `refused` when the pane is gone. */
export const readScreen = async (terminal: TerminalScreen): Promise<Screen> => {
  const seen = await terminal.see();
  const menu = menuIn(seen);
  const prompt = menu ? null : promptLine(seen.pane.coloured);
  return { seen, menu, prompt, text: seen.pane.rows.join('\n') };
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
