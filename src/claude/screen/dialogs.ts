/** Recognises the CLI's start-up dialogs by their text. While one is open no hook runs and no session file exists. */
import { noticeOf } from './notice.ts';
import { isFullRule } from './rule.ts';

const fullscreen = 'try the fullscreen renderer?';

const dialogs: [name: string, text: RegExp][] = [
  ['trust this folder?', /trust (?:the files in )?this folder|Quick safety check|Do you trust/i],
  ['use the API key of the environment?', /Detected a custom API key/i],
  ['choose a theme', /Choose the text style|Choose a theme|Let's get started/i],
  ['bypass permissions?', /Bypass Permissions mode/i],
  ['settings warning', /Settings (?:Warning|Error)/i],
  ['use the MCP server of this project?', /New MCP servers? found in this project/i],
  [fullscreen, /Try the new fullscreen renderer/i],
  ['log in', /Select login method/i],
  ['read the security notes', /Security notes:[\s\S]*Press Enter/i],
  // Any other dialog: all start-up menus end with this line.
  ['a question at the start', /Enter to (?:confirm|continue|select)/i],
];

/** The dialog on a screen, in a few words; null when it shows none that is known. */
export const startupDialog = (screen: string): string | null => {
  // A prompt line means that the CLI is up, and the rows above it are history.
  if (/^❯\s*$/m.test(screen)) return null;
  return dialogs.find(([, text]) => text.test(screen))?.[0] ?? null;
};

/**
 * The dialog that a session shows which has its session file already; null for a menu that a person opened. Only the part below the
 * last rule is read, because a conversation may mention anything.
 */
export const sessionDialog = (rows: string[], width: number): string | null => {
  const notice = noticeOf(rows, width);
  if (notice) return notice.title;
  const name = startupDialog(rows.slice(rows.findLastIndex(row => isFullRule(row, width)) + 1).join('\n'));
  return name === fullscreen ? name : null;
};

/** Rows from the highlighted option of the trust dialog down to "Yes"; null when the screen shows no such dialog. */
export const trustSteps = (screen: string): number | null => {
  if (startupDialog(screen) !== dialogs[0]?.[0]) return null;
  const rows = screen.split('\n');
  const caret = rows.findIndex(row => /^\s*❯\s*(?:\d+\.\s*)?\S/.test(row));
  const yes = rows.findIndex(row => /^\s*(?:❯\s*)?(?:\d+\.\s*)?Yes\b/.test(row));
  return caret < 0 || yes < 0 ? null : yes - caret;
};

/** Time for a key to have an effect, ms. After that it was ignored. */
const keyTimeout = 1_000;

/**
 * Chooses the keys that answer the trust dialog with yes, one at a time. The next follows only when the last has had an effect:
 * a late key would move the highlight on to "No", and Enter would then end the session.
 */
export class TrustKeys {
  private moved: { steps: number; at: number } | null = null;
  private moves = 0;
  private yesFrom: number | null = null;
  private entered = Number.NEGATIVE_INFINITY;

  /** The key to press now; null when there is no such dialog, or the last key has had no effect yet. */
  next(screen: string, now: number): 'Up' | 'Down' | 'Enter' | null {
    const steps = trustSteps(screen);
    if (steps !== 0) this.yesFrom = null;
    if (steps === null) return null;
    return steps === 0 ? this.enter(now) : this.move(steps, now);
  }

  private move(steps: number, now: number): 'Up' | 'Down' | null {
    if (this.moved?.steps === steps && now - this.moved.at < keyTimeout) return null;
    this.moved = { steps, at: now };
    this.moves++;
    return steps > 0 ? 'Down' : 'Up';
  }

  private enter(now: number): 'Enter' | null {
    this.yesFrom ??= now;
    // After several moves one may still be pending.
    if (this.moves > 1 && now - this.yesFrom < keyTimeout) return null;
    if (now - this.entered < keyTimeout) return null;
    this.entered = now;
    return 'Enter';
  }
}
