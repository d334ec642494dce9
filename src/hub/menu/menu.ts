/**
 * Hands on a menu. What is pressed depends on what is read from the screen in that moment; a key counts when its effect is seen,
 * and where the screen becomes another than it was, nothing more is pressed. One caller at a time for each session.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { type Menu, type MenuOption, takesWords } from '../../claude/menu.ts';
import { withoutSpace } from '../../claude/without-space.ts';
import { DroverError } from '../../contract/error.ts';
import type { MenuAction, MenuView } from '../../contract/menu.ts';
import { limits } from '../../limits.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import { headAsk } from '../../session/asks.ts';
import type { Folded } from '../../session/memory.ts';
import { press, pressText, typeText } from '../../driver/input/prompt-input.ts';
import type { DrivePolicy } from '../drive-policy.ts';
import { targetOf } from '../target.ts';
import { changed, indexOf, isAt, isSame, optionIn, theyAre } from './menu-option.ts';
import { mustAsk } from '../request/no-answer.ts';
import { isTitle, menuIn, mustShow, screenOf, type Seen, viewOf } from './screen.ts';
import type { SessionControls } from '../start/session-controls.ts';

export class Menus {
  /** Sessions that somebody's hands are on. */
  private readonly busy = new Set<string>();

  constructor(
    private readonly sessionIndex: SessionIndex,
    private readonly controls: SessionControls,
    private readonly drive: DrivePolicy,
    private readonly clock: Clock,
  ) {}

  /** What the screen shows now. */
  async look(session: Folded): Promise<MenuView> {
    return viewOf(session.id, await screenOf(session));
  }

  /** Does one thing, and returns what the screen shows then. Throws `refused` when it does not fit what is there. */
  act(session: Folded, action: MenuAction): Promise<MenuView> {
    return this.alone(session, async () => {
      const seen = await screenOf(session);
      mustAsk(this.sessionIndex.get(session.id) ?? session, action, this.clock.now());
      mustShow(seen, action.expect);
      switch (action.action) {
        case 'enter':
          await this.enter(session, seen, action.expect !== undefined);
          break;
        case 'esc':
          await this.escape(session, seen);
          break;
        case 'choose':
          await this.choose(session, optionIn(menuIn(seen), action.option), menuIn(seen));
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
    this.drive.assertMayDrive(session);
    targetOf(session);
    if (this.busy.has(session.id))
      throw new DroverError('refused', 'Somebody else presses keys in this session right now.');
    this.busy.add(session.id);
    try {
      await this.painted(session);
      return await work();
    } finally {
      this.busy.delete(session.id);
    }
  }

  /** The menu that is on the screen, which must have this title where one is wanted. */
  async menu(session: Folded, title?: string): Promise<Menu> {
    const menu = menuIn(await screenOf(session));
    if (title !== undefined && !isTitle(menu, title))
      throw new DroverError(
        'refused',
        `The screen asks ${JSON.stringify(menu.title)}, not ${JSON.stringify(title)}.`,
      );
    return menu;
  }

  /** Goes to an option and presses Enter; comes back when the screen shows that it was heard. `seen`: the menu that it is of. */
  async choose(session: Folded, wanted: MenuOption, seen?: Menu): Promise<void> {
    const menu = await this.goTo(session, wanted, seen);
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
      return (
        row && row.label !== wanted.label && withoutSpace(seen.screen).includes(withoutSpace(text).slice(-20))
      );
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
      await this.controls.interrupt(session);
      return;
    }
    await this.pressUntil(session, 'Escape', seen.menu, now => now.menu?.text !== seen.menu?.text);
  }

  private async type(session: Folded, seen: Seen, text: string): Promise<void> {
    if (seen.menu) return this.typeInto(session, seen.menu, text);
    const typed = await typeText(targetOf(session), text, limits.message.pasteTimeout, text.startsWith('/'));
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
  private async goTo(session: Folded, wanted: MenuOption, seen?: Menu): Promise<Menu> {
    const first = await this.menu(session);
    if (seen && !isSame(seen, first)) throw changed(seen);
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
    const asked = askOf(this.sessionIndex.get(session.id));
    const tries = hasLookalike(this.sessionIndex.get(session.id)) ? 1 : keyTries;
    for (let done = 0; done < tries; done++) {
      if (!(await this.until(session, now => now.menu?.text === menu.text))) throw changed(menu);
      await press(targetOf(session), key);
      if (await this.until(session, heard)) return;
      // It was answered, and what stands there now has the same words.
      if (asked !== undefined && askOf(this.sessionIndex.get(session.id)) !== asked) return;
    }
    // The next dialog may look the same: whether the key was heard cannot be told, and a second one could answer that one.
    if (tries === 1) return;
    throw new DroverError('failed', `${key} was pressed, and the dialog still stands there.`);
  }

  /** Looks until it is so; false when a key would have shown by now. */
  private async until(session: Folded, fits: (seen: Seen) => boolean | undefined): Promise<boolean> {
    const deadline = performance.now() + limits.menu.keyTimeout;
    for (;;) {
      if (fits(await screenOf(session))) return true;
      if (performance.now() > deadline) return false;
      await pause(limits.menu.poll);
    }
  }

  /** A dialog that its hook tells of is painted a moment later: whoever was told of it may be faster. */
  private async painted(session: Folded): Promise<void> {
    const deadline = performance.now() + limits.menu.dialogPainted;
    while (this.asksByMenu(session.id) && performance.now() < deadline) {
      if ((await screenOf(session)).menu) return;
      await pause(limits.menu.poll);
    }
  }

  /** The form of an MCP server is no menu. */
  private asksByMenu(id: string): boolean {
    const kind = headKind(this.sessionIndex.get(id));
    return kind !== undefined && kind !== 'elicitation';
  }
}

const headKind = (session: Folded | undefined) => session && headAsk(session.memory)?.kind;

/** How often a key is pressed that nobody hears. */
const keyTries = 4;

/** Whether two open requests have dialogs that look the same. */
const hasLookalike = (session: Folded | undefined): boolean => {
  const lines = session?.requests.map(({ line }) => line) ?? [];
  return new Set(lines).size < lines.length;
};

/** Of two dialogs with the same words, the second asks something else. */
const askOf = (session: Folded | undefined): number | undefined =>
  session && headAsk(session.memory)?.evidence.seq;
