/**
 * Hands on a menu. What is pressed depends on what is read from the screen in that moment; a key counts when its effect is seen,
 * and where the screen becomes another than it was, nothing more is pressed. One caller at a time for each session.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Menu, menuOf, type MenuOption, takesWords } from '../claude/menu.ts';
import { promptLine, type PromptLine } from '../claude/prompt-line.ts';
import { DroverError } from '../contract/error.ts';
import type { MenuAction, MenuView } from '../contract/menu.ts';
import { limits } from '../limits.ts';
import type { Roll } from '../live/roll.ts';
import type { Folded } from '../session/memory.ts';
import { previewOf } from '../tmux/preview.ts';
import { press, pressText, typeText } from '../tmux/type.ts';
import { type Drive, mayDrive, targetOf } from './drive.ts';
import type { Hands } from './stop.ts';

interface Seen {
  menu: Menu | null;
  prompt: PromptLine | null;
  screen: string;
}

export class Menus {
  /** Sessions that somebody's hands are on. */
  private readonly busy = new Set<string>();

  constructor(
    private readonly roll: Roll,
    private readonly hands: Hands,
    private readonly drive: Drive,
  ) {}

  /** What the screen shows now. */
  async look(session: Folded): Promise<MenuView> {
    return viewOf(session.id, await this.see(session));
  }

  /** Does one thing, and returns what the screen shows then. Throws `refused` when it does not fit what is there. */
  act(session: Folded, action: MenuAction): Promise<MenuView> {
    return this.alone(session, async () => {
      const seen = await this.see(session);
      mustShow(seen, action.expect);
      switch (action.action) {
        case 'enter':
          await this.enter(session, seen, action.expect !== undefined);
          break;
        case 'esc':
          await this.escape(session, seen);
          break;
        case 'choose':
          await this.choose(session, optionIn(menuIn(seen), action.option));
          break;
        case 'type':
          await this.type(session, seen, action.text);
          break;
        case 'submit':
          await this.submit(session, seen);
          break;
      }
      // Between two dialogs, and while the prompt line is painted, there is neither for a moment.
      await this.until(session, now => now.menu !== null || now.prompt !== null);
      return this.look(session);
    });
  }

  /** Runs `work` while nobody else presses keys in this session. */
  async alone<T>(session: Folded, work: () => Promise<T>): Promise<T> {
    mayDrive(session, this.drive);
    targetOf(session);
    if (this.busy.has(session.id))
      throw new DroverError('refused', 'Somebody else presses keys in this session right now.');
    this.busy.add(session.id);
    try {
      return await work();
    } finally {
      this.busy.delete(session.id);
    }
  }

  /** The menu that is on the screen, which must have this title where one is wanted. */
  async menu(session: Folded, title?: string): Promise<Menu> {
    const menu = menuIn(await this.see(session));
    if (title !== undefined && !isTitle(menu, title))
      throw new DroverError(
        'refused',
        `The screen asks ${JSON.stringify(menu.title)}, not ${JSON.stringify(title)}.`,
      );
    return menu;
  }

  /** Goes to an option and presses Enter; comes back when the screen shows that it was heard. */
  async choose(session: Folded, wanted: MenuOption): Promise<void> {
    const menu = await this.goTo(session, wanted);
    await this.confirm(session, menu);
  }

  /** Goes to the option that takes words and types them there. */
  async typeInto(session: Folded, menu: Menu, text: string): Promise<void> {
    const wanted = menu.options.find(takesWords);
    if (!wanted) throw new DroverError('refused', 'No option of this menu takes words.', theyAre(menu));
    if (/[\n\r]/.test(text)) throw new DroverError('bad_request', 'Words in a menu have one line.');
    const before = await this.goTo(session, wanted);
    await pressText(targetOf(session), text);
    const typed = await this.until(session, seen => {
      const row = seen.menu?.options.find(option => option.selected);
      // A long text is shown by its end, or over several rows.
      return row && row.label !== wanted.label && squeeze(seen.screen).includes(squeeze(text).slice(-20));
    });
    if (!typed) throw changed(before);
  }

  private async enter(session: Folded, seen: Seen, expected: boolean): Promise<void> {
    if (seen.menu) return this.confirm(session, seen.menu);
    if (seen.prompt)
      throw new DroverError(
        'refused',
        seen.prompt.draft ? 'A draft stands in the prompt line.' : 'The prompt line is empty.',
        seen.prompt.draft ? '`submit` sends a draft.' : '`type` and `submit` send a prompt.',
      );
    if (!expected)
      throw new DroverError(
        'refused',
        'The screen shows no menu.',
        'With --expect <text that stands there> Enter is pressed all the same.',
      );
    await press(targetOf(session), 'Enter');
    await this.until(session, now => now.screen !== seen.screen);
  }

  private async escape(session: Folded, seen: Seen): Promise<void> {
    if (!seen.menu) {
      // It says itself when there is nothing to interrupt.
      await this.hands.interrupt(session);
      return;
    }
    await this.pressUntil(session, 'Escape', seen.menu, now => now.menu?.text !== seen.menu?.text);
  }

  private async type(session: Folded, seen: Seen, text: string): Promise<void> {
    if (seen.menu) return this.typeInto(session, seen.menu, text);
    const typed = await typeText(targetOf(session), text, limits.messageSeen, text.startsWith('/'));
    if (typed === 'draft')
      throw new DroverError('refused', "Somebody's draft stands in the prompt line; it was left as it is.");
    if (typed === 'no prompt') throw new DroverError('refused', 'There is no prompt line to type into.');
    if (typed === 'unseen')
      throw new DroverError('failed', 'It was pasted and is not to be seen in the prompt line.');
  }

  private async submit(session: Folded, seen: Seen): Promise<void> {
    if (seen.menu) {
      const wanted = seen.menu.options.find(({ label }) => /^Submit(?: answers)?$/.test(label));
      if (!wanted) throw new DroverError('refused', 'This menu has nothing to submit.', theyAre(seen.menu));
      return this.choose(session, wanted);
    }
    const draft = seen.prompt?.draft;
    if (!draft) throw new DroverError('refused', 'There is nothing in the prompt line to submit.');
    const left = (now: Seen) => now.prompt?.draft !== draft;
    for (let tries = 0; tries < keyTries; tries++) {
      await press(targetOf(session), 'Enter');
      if (await this.until(session, left)) return;
    }
    throw new DroverError('failed', 'Enter was pressed, and the draft still stands in the prompt line.');
  }

  /** Up and Down, until the option is selected. */
  private async goTo(session: Folded, wanted: MenuOption): Promise<Menu> {
    const first = await this.menu(session);
    const at = indexOf(first, wanted);
    let menu = first;
    for (let keys = 0; keys < first.options.length * 2 + keyTries; keys++) {
      const now = menu.options.findIndex(({ selected }) => selected);
      if (now === at) return menu;
      await press(targetOf(session), now < at ? 'Down' : 'Up');
      // A dialog that has just come up does not hear keys for a moment: then the key is pressed again.
      await this.until(session, ({ menu: seen }) => seen !== null && isSame(first, seen) && !isAt(seen, now));
      menu = await this.menu(session);
      if (!isSame(first, menu)) throw changed(first);
    }
    throw new DroverError('failed', `The selection does not come to ${JSON.stringify(wanted.label)}.`);
  }

  private confirm(session: Folded, menu: Menu): Promise<void> {
    return this.pressUntil(session, 'Enter', menu, now => now.menu?.text !== menu.text);
  }

  /** Presses a key, and again only while the very same dialog still stands there. */
  private async pressUntil(
    session: Folded,
    key: string,
    menu: Menu,
    heard: (seen: Seen) => boolean,
  ): Promise<void> {
    const asked = askOf(this.roll.get(session.id));
    for (let tries = 0; tries < keyTries; tries++) {
      if (!(await this.until(session, now => now.menu?.text === menu.text))) throw changed(menu);
      await press(targetOf(session), key);
      if (await this.until(session, heard)) return;
      // It was answered, and what stands there now has the same words.
      if (asked !== undefined && askOf(this.roll.get(session.id)) !== asked) return;
    }
    throw new DroverError('failed', `${key} was pressed, and the dialog still stands there.`);
  }

  /** Looks until it is so; false when a key would have shown by now. */
  private async until(session: Folded, fits: (seen: Seen) => boolean | undefined): Promise<boolean> {
    const deadline = performance.now() + limits.keyHeard;
    for (;;) {
      if (fits(await this.see(session))) return true;
      if (performance.now() > deadline) return false;
      await pause(limits.keyLook);
    }
  }

  private async see({ id, pane }: Folded): Promise<Seen> {
    if (!pane) throw new DroverError('refused', `${id.slice(0, 8)} is in no tmux pane.`);
    const picture = await previewOf(pane);
    if (!picture) throw new DroverError('refused', `The pane of ${id.slice(0, 8)} is gone.`);
    const screen = picture.text.replace(/\x1b\[[\d;:]*m/g, '');
    const menu = menuOf(screen);
    return { menu, prompt: menu ? null : promptLine(picture.text), screen };
  }
}

/** How often a key is pressed that nobody hears. */
const keyTries = 4;

/** The option of a menu that a caller means, by number, by label, or by the beginning of one label. */
export const optionIn = (menu: Menu, named: number | string): MenuOption => {
  const found =
    typeof named === 'number'
      ? menu.options.filter(({ number }) => number === named)
      : byLabel(menu.options, named);
  if (found.length === 1) return found[0] as MenuOption;
  const what = typeof named === 'number' ? `option ${named}` : `one option ${JSON.stringify(named)}`;
  throw new DroverError('refused', `The menu does not have ${what}.`, theyAre(menu));
};

const byLabel = (options: MenuOption[], named: string): MenuOption[] => {
  const wanted = named.trim().toLowerCase();
  const same = options.filter(({ label }) => label.toLowerCase() === wanted);
  return same.length ? same : options.filter(({ label }) => label.toLowerCase().startsWith(wanted));
};

const menuIn = ({ menu, prompt }: Seen): Menu => {
  if (menu) return menu;
  throw new DroverError(
    'refused',
    prompt ? 'The screen shows a prompt line and no menu.' : 'The screen shows no menu.',
    '`drover menu <session> snapshot` shows what is there.',
  );
};

const mustShow = ({ screen }: Seen, expected: string | undefined): void => {
  if (expected === undefined || squeeze(screen).includes(squeeze(expected))) return;
  throw new DroverError(
    'refused',
    `The screen does not show ${JSON.stringify(expected)}.`,
    '`drover menu <session> snapshot` shows what is there.',
  );
};

/** Rows are cut and broken by the width of the pane: the words are the same. */
const squeeze = (text: string): string => text.replace(/\s+/g, '');

const isTitle = (menu: Menu, title: string): boolean => squeeze(menu.text).includes(squeeze(title));

/** The same dialog, wherever its selection stands. */
const isSame = (a: Menu, b: Menu): boolean =>
  a.title === b.title &&
  a.options.length === b.options.length &&
  a.options.every(({ number, label }, n) => number === b.options[n]?.number && label === b.options[n]?.label);

const isAt = ({ options }: Menu, index: number): boolean => options[index]?.selected === true;

const indexOf = (menu: Menu, wanted: MenuOption): number => {
  const at = menu.options.findIndex(
    ({ number, label }) => number === wanted.number && label === wanted.label,
  );
  if (at < 0) throw changed(menu);
  return at;
};

/** Of two dialogs with the same words, the second asks something else. */
const askOf = (session: Folded | undefined): number | undefined => session?.memory.asks[0]?.evidence.seq;

const theyAre = ({ options }: Menu): string =>
  `It has ${options.map(({ number, label }) => (number === null ? label : `${number}. ${label}`)).join(', ')}.`;

const changed = ({ title }: Menu): DroverError =>
  new DroverError(
    'refused',
    `The screen changed while ${JSON.stringify(title ?? 'the menu')} was being answered; nothing more was pressed.`,
    '`drover menu <session> snapshot` shows what is there.',
  );

const viewOf = (id: string, { menu, prompt, screen }: Seen): MenuView => ({
  id,
  shows: menu ? 'menu' : prompt ? 'prompt' : 'other',
  menu: menu && { title: menu.title, tabs: menu.tabs, options: menu.options },
  draft: prompt?.draft ?? null,
  screen: screen.trimEnd(),
});
