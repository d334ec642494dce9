/**
 * Operates the menus of a session by keys. The screen is read before each key, tmux compares it in the command that sends the key, and
 * its effect is awaited. When the screen changes unexpectedly, no more keys are pressed. Only one caller at a time can use a session.
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
import { typeText } from '../../driver/input/prompt-input.ts';
import { pollUntil } from '../../poll-until.ts';
import type { Input } from '../../tmux/input/send-if-shown.ts';
import type { DrivePolicy } from '../drive-policy.ts';
import { KeysGiven } from '../request/keys-given.ts';
import { assertRequestOpen } from '../request/no-answer.ts';
import { promptRows, TerminalScreen } from '../request/terminal-screen.ts';
import { targetOf } from '../target.ts';
import {
  findOption,
  indexOfOption,
  isSameMenu,
  isSelected,
  menuChangedError,
  optionsHint,
} from './menu-option.ts';
import { menuOn, assertShows, readScreen, type Screen, viewOf } from './screen.ts';
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
    return viewOf(session.id, await readScreen(new TerminalScreen(session, this.clock)), chose);
  }

  /** Does one action and returns the screen after it. Throws `refused` when the action does not fit the screen. */
  act(session: Folded, action: MenuAction): Promise<MenuView> {
    this.drive.assertMayDrive(session);
    return this.exclusively(session, async () => {
      const at: Place = {
        session,
        terminal: new TerminalScreen(session, this.clock),
        keys: new KeysGiven(session),
      };
      try {
        const chose = await this.perform(at, action);
        // Between two dialogs the screen shows neither a menu nor a prompt line for a moment.
        await awaitScreen(at, now => now.menu !== null || now.prompt !== null);
        return await this.read(session, chose);
      } catch (error) {
        throw await at.keys.explain(error, at.terminal);
      }
    });
  }

  /** Runs `work` while no other caller presses keys in this session. */
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

  /** Presses the keys of an action; returns the option that it chose. */
  private async perform(at: Place, action: MenuAction): Promise<string | null> {
    const { session } = at;
    const shown = await readScreen(at.terminal);
    assertRequestOpen(this.sessionIndex.get(session.id) ?? session, action, this.clock.now());
    assertShows(shown, action.expect);
    let chose: string | null = null;
    switch (action.action) {
      case 'enter':
        chose = shown.menu?.options.find(({ selected }) => selected)?.label ?? null;
        await this.enter(at, shown, action.expect !== undefined);
        break;
      case 'esc':
        await this.escape(at, shown);
        break;
      case 'choose': {
        const option = findOption(menuOn(shown), action.option);
        await this.choose(at, option, menuOn(shown));
        chose = option.label;
        break;
      }
      case 'type':
        await this.type(at, shown, action.text);
        break;
      case 'submit':
        await this.submit(at, shown);
        break;
    }
    return chose;
  }

  /** Selects an option and presses Enter; resolves when the screen has changed. */
  private async choose(at: Place, wanted: MenuOption, seen: Menu): Promise<void> {
    const menu = await this.select(at, wanted, seen);
    await this.pressUntil(at, 'Enter', menu, now => now.menu?.text !== menu.text);
  }

  /** Selects the option that takes text and types it there. */
  private async typeInto(at: Place, menu: Menu, text: string): Promise<void> {
    const wanted = menu.options.find(takesText);
    if (!wanted) throw new DroverError('refused', 'No option of this menu takes text.', optionsHint(menu));
    if (/[\n\r]/.test(text)) throw new DroverError('bad_request', 'Text in a menu must be a single line.');
    const before = await this.select(at, wanted, menu);
    const isTyped = (screen: Screen) => {
      const row = screen.menu?.options.find(option => option.selected);
      // The menu shows the end of a long text, or several rows of it.
      return (
        row && row.label !== wanted.label && withoutSpace(screen.text).includes(withoutSpace(text).slice(-20))
      );
    };
    // A new dialog of 2.1.325 ignores text for a moment, even after it has taken arrow keys: an empty row is typed into again.
    for (let tries = 0; tries < keyTries; tries++) {
      const now = await readScreen(at.terminal);
      if (now.menu?.text !== before.text) break;
      if ((await press(at, now, { paste: text })) && (await awaitScreen(at, isTyped))) return;
    }
    throw menuChangedError(before);
  }

  private async enter(at: Place, shown: Screen, expected: boolean): Promise<void> {
    const { menu, prompt } = shown;
    if (menu) return this.pressUntil(at, 'Enter', menu, now => now.menu?.text !== menu.text);
    if (prompt)
      throw new DroverError(
        'refused',
        prompt.draft ? 'The prompt line has a draft.' : 'The prompt line is empty.',
        prompt.draft ? 'Send it with `submit`.' : 'Send a prompt with `type` and `submit`.',
      );
    if (!expected)
      throw new DroverError(
        'refused',
        'The screen shows no menu.',
        'To press Enter anyway, add --expect <text on the screen>.',
      );
    if (!(await press(at, shown, { key: 'Enter' })))
      throw new DroverError('refused', 'The screen has changed.');
    await awaitScreen(at, now => now.text !== shown.text);
  }

  private async escape(at: Place, { menu }: Screen): Promise<void> {
    // It throws when there is nothing to interrupt.
    if (!menu) return void (await this.controls.interrupt(at.session));
    await this.pressUntil(at, 'Escape', menu, now => now.menu?.text !== menu.text);
  }

  private async type(at: Place, { menu }: Screen, text: string): Promise<void> {
    if (menu) return this.typeInto(at, menu, text);
    const target = targetOf(at.session);
    const typed = await typeText(target, text, limits.message.pasteTimeout, text.startsWith('/'));
    if (typed === 'draft')
      throw new DroverError('refused', 'The prompt line has a draft, which was left unchanged.');
    if (typed === 'no prompt') throw new DroverError('refused', 'There is no prompt line to type into.');
    if (typed === 'unseen')
      throw new DroverError('failed', 'The text was pasted, but does not appear in the prompt line.');
  }

  private async submit(at: Place, shown: Screen): Promise<void> {
    if (shown.menu) {
      const wanted = shown.menu.options.find(({ label }) => /^Submit(?: answers)?$/.test(label));
      if (!wanted)
        throw new DroverError('refused', 'This menu has nothing to submit.', optionsHint(shown.menu));
      return this.choose(at, wanted, shown.menu);
    }
    const draft = shown.prompt?.draft;
    if (!draft) throw new DroverError('refused', 'The prompt line is empty: there is nothing to submit.');
    const isGone = (now: Screen) => now.prompt?.draft !== draft;
    for (let tries = 0; tries < keyTries; tries++) {
      const now = await readScreen(at.terminal);
      if (isGone(now)) return;
      const isSent = await press(at, now, { key: 'Enter' }, promptRows(now.seen));
      if (isSent && (await awaitScreen(at, isGone))) return;
    }
    throw new DroverError('failed', 'The draft is still in the prompt line: it ignored Enter.');
  }

  /** Presses Up or Down until the option is selected. */
  private async select(at: Place, wanted: MenuOption, seen: Menu): Promise<Menu> {
    let screen = await readScreen(at.terminal);
    const first = menuOn(screen);
    if (!isSameMenu(seen, first)) throw menuChangedError(seen);
    const index = indexOfOption(first, wanted);
    for (let keys = 0; keys < first.options.length * 2 + keyTries; keys++) {
      const menu = menuOn(screen);
      if (!isSameMenu(first, menu)) throw menuChangedError(first);
      const now = menu.options.findIndex(({ selected }) => selected);
      if (now === index) return menu;
      await press(at, screen, { key: now < index ? 'Down' : 'Up' });
      // A new dialog ignores keys for a moment: then the key is pressed again.
      await awaitScreen(
        at,
        ({ menu: shown }) => shown !== null && isSameMenu(first, shown) && !isSelected(shown, now),
      );
      screen = await readScreen(at.terminal);
    }
    throw new DroverError('failed', `Could not select ${JSON.stringify(wanted.label)}.`);
  }

  /** Presses a key, and again only while the same dialog is still shown and no other one can follow it. */
  private async pressUntil(
    at: Place,
    key: 'Enter' | 'Escape',
    menu: Menu,
    hasWorked: (screen: Screen) => boolean,
  ): Promise<void> {
    const current = () => this.sessionIndex.get(at.session.id);
    const request = requestOf(current());
    const isAlone = (current()?.requests.length ?? 0) < 2;
    for (let tries = 0; tries < keyTries; tries++) {
      const seen = await readScreen(at.terminal);
      if (seen.menu?.text !== menu.text) {
        if (await awaitScreen(at, now => now.menu?.text === menu.text)) continue;
        throw menuChangedError(menu);
      }
      if (!(await press(at, seen, { key }))) continue;
      if (await awaitScreen(at, hasWorked)) return;
      // It was answered, and the next dialog has the same text.
      if (request !== undefined && requestOf(current()) !== request) return;
      // The next dialog may look the same, and a second key could answer it.
      if (!isAlone) break;
    }
    throw new DroverError('failed', 'The dialog is still open: it ignored the key.');
  }

  /** Waits for the dialog of an open request: it is painted a moment after its hook has fired. */
  private async awaitDialog(session: Folded): Promise<void> {
    const terminal = new TerminalScreen(session, this.clock);
    const isShown = async () =>
      !this.hasMenuRequest(session.id) || (await readScreen(terminal)).menu !== null;
    await pollUntil(isShown, limits.screen.painted, limits.menu.poll);
  }

  /** The form of an MCP server is not a menu. */
  private hasMenuRequest(id: string): boolean {
    const kind = headKind(this.sessionIndex.get(id));
    return kind !== undefined && kind !== 'elicitation';
  }
}

/** A session while an action is done in its terminal. */
interface Place {
  session: Folded;
  terminal: TerminalScreen;
  keys: KeysGiven;
}

/** Presses a key or types text if the terminal still shows the same; false, and nothing is sent, if not. */
const press = async (at: Place, { seen }: Screen, input: Input, rows?: string[]): Promise<boolean> => {
  const isSent = await at.terminal.press(seen, input, rows);
  if (isSent) at.keys.add(input);
  return isSent;
};

/** Reads the screen until it fits; false when a key would have had an effect by now. */
const awaitScreen = (
  { terminal }: Place,
  fits: (screen: Screen) => boolean | undefined,
): Promise<boolean> => {
  const check = async () => fits(await readScreen(terminal)) ?? false;
  return pollUntil(check, limits.menu.keyTimeout, limits.menu.poll);
};

const headKind = (session: Folded | undefined) => session && headRequest(session.memory)?.kind;

/** How often a key without an effect is pressed. */
const keyTries = 4;

/** Identifies the open request: two dialogs may have the same text. */
const requestOf = (session: Folded | undefined): number | undefined =>
  session && headRequest(session.memory)?.evidence.seq;
