/**
 * Operates the menus of a session by keys. The screen is read before each key, and its effect is awaited. When the screen
 * changes unexpectedly, no more keys are pressed. Only one caller at a time can use a session.
 */
import type { Clock } from '../../clock.ts';
import { type Menu, type MenuOption, takesText } from '../../claude/screen/menu.ts';
import { withoutSpace } from '../../claude/screen/without-space.ts';
import { DroverError } from '../../contract/error.ts';
import type { MenuAction, MenuView } from '../../contract/menu.ts';
import { limits } from '../../limits.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import { headRequest } from '../../session/request/requests.ts';
import type { Folded } from '../../session/memory.ts';
import { press, pressText, typeText } from '../../driver/input/prompt-input.ts';
import { pollUntil } from '../../poll-until.ts';
import type { DrivePolicy } from '../drive-policy.ts';
import { targetOf } from '../target.ts';
import {
  findOption,
  indexOfOption,
  isSameMenu,
  isSelected,
  menuChangedError,
  optionsHint,
} from './menu-option.ts';
import { assertRequestOpen } from '../request/no-answer.ts';
import { hasTitle, menuOn, assertShows, readScreen, type Screen, viewOf } from './screen.ts';
import type { SessionControls } from '../start/session-controls.ts';

export class Menus {
  /** Sessions in which keys are being pressed. */
  private readonly busy = new Set<string>();

  constructor(
    private readonly sessionIndex: SessionIndex,
    private readonly controls: SessionControls,
    private readonly drive: DrivePolicy,
    private readonly clock: Clock,
  ) {}

  /** Reads what the screen shows. `chose` is the option that was chosen before. */
  async read(session: Folded, chose: string | null = null): Promise<MenuView> {
    return viewOf(session.id, await readScreen(session), chose);
  }

  /** Does one action and returns the screen after it. Throws `refused` when the action does not fit the screen. */
  act(session: Folded, action: MenuAction): Promise<MenuView> {
    return this.exclusivelyAsDriver(session, async () => {
      const seen = await readScreen(session);
      assertRequestOpen(this.sessionIndex.get(session.id) ?? session, action, this.clock.now());
      assertShows(seen, action.expect);
      let chose: string | null = null;
      switch (action.action) {
        case 'enter':
          chose = seen.menu?.options.find(({ selected }) => selected)?.label ?? null;
          await this.enter(session, seen, action.expect !== undefined);
          break;
        case 'esc':
          await this.escape(session, seen);
          break;
        case 'choose': {
          const option = findOption(menuOn(seen), action.option);
          await this.choose(session, option, menuOn(seen));
          chose = option.label;
          break;
        }
        case 'type':
          await this.type(session, seen, action.text);
          break;
        case 'submit':
          await this.submit(session, seen);
          break;
      }
      // Between two dialogs the screen shows neither a menu nor a prompt line for a moment.
      await this.awaitScreen(session, now => now.menu !== null || now.prompt !== null);
      return this.read(session, chose);
    });
  }

  /** Runs `work` while no other caller presses keys in this session. Throws unless programs may drive it. */
  async exclusivelyAsDriver<T>(session: Folded, work: () => Promise<T>): Promise<T> {
    this.drive.assertMayDrive(session);
    return this.exclusively(session, work);
  }

  /** The same for an answer, which needs no right to drive. */
  async exclusively<T>(session: Folded, work: () => Promise<T>): Promise<T> {
    targetOf(session);
    if (this.busy.has(session.id))
      throw new DroverError('refused', 'Another caller is pressing keys in this session right now.');
    this.busy.add(session.id);
    try {
      await this.awaitDialog(session);
      return await work();
    } finally {
      this.busy.delete(session.id);
    }
  }

  /** Reads the menu on the screen; throws when it has another title. */
  async readMenu(session: Folded, title?: string): Promise<Menu> {
    const menu = menuOn(await readScreen(session));
    if (title !== undefined && !hasTitle(menu, title))
      throw new DroverError(
        'refused',
        `The screen asks ${JSON.stringify(menu.title)}, not ${JSON.stringify(title)}.`,
      );
    return menu;
  }

  /** Selects an option and presses Enter; resolves when the screen has changed. `seen`: the menu that it was found in. */
  async choose(session: Folded, wanted: MenuOption, seen?: Menu): Promise<void> {
    const menu = await this.select(session, wanted, seen);
    await this.confirm(session, menu);
  }

  /** Selects the option that takes text and types it there. */
  async typeInto(session: Folded, menu: Menu, text: string): Promise<void> {
    const wanted = menu.options.find(takesText);
    if (!wanted) throw new DroverError('refused', 'No option of this menu takes text.', optionsHint(menu));
    if (/[\n\r]/.test(text)) throw new DroverError('bad_request', 'Text in a menu must be a single line.');
    const before = await this.select(session, wanted);
    const isTyped = (screen: Screen) => {
      const row = screen.menu?.options.find(option => option.selected);
      // The menu shows the end of a long text, or several rows of it.
      return (
        row && row.label !== wanted.label && withoutSpace(screen.text).includes(withoutSpace(text).slice(-20))
      );
    };
    // A new dialog of 2.1.325 ignores text for a moment, even after it has taken arrow keys: an empty row is typed into again.
    for (let tries = 0; tries < keyTries; tries++) {
      await pressText(targetOf(session), text);
      if (await this.awaitScreen(session, isTyped)) return;
      const { menu: now } = await readScreen(session);
      if (now?.text !== before.text) break;
    }
    throw menuChangedError(before);
  }

  private async enter(session: Folded, seen: Screen, expected: boolean): Promise<void> {
    if (seen.menu) return this.confirm(session, seen.menu);
    if (seen.prompt)
      throw new DroverError(
        'refused',
        seen.prompt.draft ? 'The prompt line has a draft.' : 'The prompt line is empty.',
        seen.prompt.draft ? 'Send it with `submit`.' : 'Send a prompt with `type` and `submit`.',
      );
    if (!expected)
      throw new DroverError(
        'refused',
        'The screen shows no menu.',
        'To press Enter anyway, add --expect <text on the screen>.',
      );
    await press(targetOf(session), 'Enter');
    await this.awaitScreen(session, now => now.text !== seen.text);
  }

  private async escape(session: Folded, seen: Screen): Promise<void> {
    if (!seen.menu) {
      // It throws when there is nothing to interrupt.
      await this.controls.interrupt(session);
      return;
    }
    await this.pressUntil(session, 'Escape', seen.menu, now => now.menu?.text !== seen.menu?.text);
  }

  private async type(session: Folded, seen: Screen, text: string): Promise<void> {
    if (seen.menu) return this.typeInto(session, seen.menu, text);
    const typed = await typeText(targetOf(session), text, limits.message.pasteTimeout, text.startsWith('/'));
    if (typed === 'draft')
      throw new DroverError('refused', 'The prompt line has a draft, which was left unchanged.');
    if (typed === 'no prompt') throw new DroverError('refused', 'There is no prompt line to type into.');
    if (typed === 'unseen')
      throw new DroverError('failed', 'The text was pasted, but does not appear in the prompt line.');
  }

  private async submit(session: Folded, seen: Screen): Promise<void> {
    if (seen.menu) {
      const wanted = seen.menu.options.find(({ label }) => /^Submit(?: answers)?$/.test(label));
      if (!wanted)
        throw new DroverError('refused', 'This menu has nothing to submit.', optionsHint(seen.menu));
      return this.choose(session, wanted);
    }
    const draft = seen.prompt?.draft;
    if (!draft) throw new DroverError('refused', 'The prompt line is empty: there is nothing to submit.');
    const isGone = (now: Screen) => now.prompt?.draft !== draft;
    for (let tries = 0; tries < keyTries; tries++) {
      await press(targetOf(session), 'Enter');
      if (await this.awaitScreen(session, isGone)) return;
    }
    throw new DroverError('failed', 'Enter was pressed, but the draft is still in the prompt line.');
  }

  /** Presses Up or Down until the option is selected. */
  private async select(session: Folded, wanted: MenuOption, seen?: Menu): Promise<Menu> {
    const first = await this.readMenu(session);
    if (seen && !isSameMenu(seen, first)) throw menuChangedError(seen);
    const at = indexOfOption(first, wanted);
    let menu = first;
    for (let keys = 0; keys < first.options.length * 2 + keyTries; keys++) {
      const now = menu.options.findIndex(({ selected }) => selected);
      if (now === at) return menu;
      await press(targetOf(session), now < at ? 'Down' : 'Up');
      // A new dialog ignores keys for a moment: then the key is pressed again.
      await this.awaitScreen(
        session,
        ({ menu: shown }) => shown !== null && isSameMenu(first, shown) && !isSelected(shown, now),
      );
      menu = await this.readMenu(session);
      if (!isSameMenu(first, menu)) throw menuChangedError(first);
    }
    throw new DroverError('failed', `Could not select ${JSON.stringify(wanted.label)}.`);
  }

  private confirm(session: Folded, menu: Menu): Promise<void> {
    return this.pressUntil(session, 'Enter', menu, now => now.menu?.text !== menu.text);
  }

  /** Presses a key, and again only while the same dialog is still shown. */
  private async pressUntil(
    session: Folded,
    key: string,
    menu: Menu,
    hasWorked: (screen: Screen) => boolean,
  ): Promise<void> {
    const request = requestOf(this.sessionIndex.get(session.id));
    const tries = hasLookalike(this.sessionIndex.get(session.id)) ? 1 : keyTries;
    for (let done = 0; done < tries; done++) {
      if (!(await this.awaitScreen(session, now => now.menu?.text === menu.text)))
        throw menuChangedError(menu);
      await press(targetOf(session), key);
      if (await this.awaitScreen(session, hasWorked)) return;
      // It was answered, and the next dialog has the same text.
      if (request !== undefined && requestOf(this.sessionIndex.get(session.id)) !== request) return;
    }
    // The next dialog may look the same, and a second key could answer it. So it stays unknown whether the key worked.
    if (tries === 1) return;
    throw new DroverError('failed', `${key} was pressed, but the dialog is still open.`);
  }

  /** Reads the screen until it fits; false when a key would have had an effect by now. */
  private awaitScreen(session: Folded, fits: (screen: Screen) => boolean | undefined): Promise<boolean> {
    const check = async () => fits(await readScreen(session)) ?? false;
    return pollUntil(check, limits.menu.keyTimeout, limits.menu.poll);
  }

  /** Waits for the dialog of an open request: it is painted a moment after its hook has fired. */
  private async awaitDialog(session: Folded): Promise<void> {
    const isShown = async () => !this.hasMenuRequest(session.id) || (await readScreen(session)).menu !== null;
    await pollUntil(isShown, limits.screen.painted, limits.menu.poll);
  }

  /** The form of an MCP server is not a menu. */
  private hasMenuRequest(id: string): boolean {
    const kind = headKind(this.sessionIndex.get(id));
    return kind !== undefined && kind !== 'elicitation';
  }
}

const headKind = (session: Folded | undefined) => session && headRequest(session.memory)?.kind;

/** How often a key without an effect is pressed. */
const keyTries = 4;

/** Whether two open requests have dialogs that look the same. */
const hasLookalike = (session: Folded | undefined): boolean => {
  const lines = session?.requests.map(({ line }) => line) ?? [];
  return new Set(lines).size < lines.length;
};

/** Identifies the open request: two dialogs may have the same text. */
const requestOf = (session: Folded | undefined): number | undefined =>
  session && headRequest(session.memory)?.evidence.seq;
