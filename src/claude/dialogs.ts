/** Dialogs at the start of the CLI, known by their words: no hook runs and no session file exists while one is up. */

const dialogs: [name: string, words: RegExp][] = [
  ['trust this folder?', /trust (?:the files in )?this folder|Quick safety check|Do you trust/i],
  ['use the API key of the environment?', /Detected a custom API key/i],
  ['choose a theme', /Choose the text style|Choose a theme|Let's get started/i],
  ['bypass permissions?', /Bypass Permissions mode/i],
  ['settings warning', /Settings (?:Warning|Error)/i],
  ['use the MCP server of this project?', /New MCP servers? found in this project/i],
  ['log in', /Select login method/i],
  ['read the security notes', /Security notes:[\s\S]*Press Enter/i],
  // Whatever else a start may ask: its menus all end in this line.
  ['a question at the start', /Enter to (?:confirm|continue|select)/i],
];

/** What a screen asks, in a few words; null when it shows no dialog that is known. */
export const startupDialog = (screen: string): string | null => {
  // A prompt line means that the CLI is up: what stands above it is history.
  if (/^❯\s*$/m.test(screen)) return null;
  return dialogs.find(([, words]) => words.test(screen))?.[0] ?? null;
};

/** How far the highlight is from "Yes" in the trust dialog, rows down; null when that dialog is not on the screen. */
export const trustSteps = (screen: string): number | null => {
  if (startupDialog(screen) !== dialogs[0]?.[0]) return null;
  const rows = screen.split('\n');
  const caret = rows.findIndex(row => /^\s*❯\s*(?:\d+\.\s*)?\S/.test(row));
  const yes = rows.findIndex(row => /^\s*(?:❯\s*)?(?:\d+\.\s*)?Yes\b/.test(row));
  return caret < 0 || yes < 0 ? null : yes - caret;
};

/** A key has shown its effect by then, or was not heard. */
const heardWithin = 1_000;

/**
 * Which keys say yes to the trust dialog. One at a time, the next only when the screen shows what the last one did: one that
 * comes late would carry the highlight on to "No", and Enter would end the session.
 */
export class TrustKeys {
  private moved: { steps: number; at: number } | null = null;
  private moves = 0;
  private yesFrom: number | null = null;
  private entered = Number.NEGATIVE_INFINITY;

  /** What to press now; null: nothing, there is no such dialog or the last key has to show. */
  next(screen: string, now: number): 'Up' | 'Down' | 'Enter' | null {
    const steps = trustSteps(screen);
    if (steps !== 0) this.yesFrom = null;
    if (steps === null) return null;
    return steps === 0 ? this.enter(now) : this.move(steps, now);
  }

  private move(steps: number, now: number): 'Up' | 'Down' | null {
    if (this.moved?.steps === steps && now - this.moved.at < heardWithin) return null;
    this.moved = { steps, at: now };
    this.moves++;
    return steps > 0 ? 'Down' : 'Up';
  }

  private enter(now: number): 'Enter' | null {
    this.yesFrom ??= now;
    // Of several moves one may still be on its way.
    if (this.moves > 1 && now - this.yesFrom < heardWithin) return null;
    if (now - this.entered < heardWithin) return null;
    this.entered = now;
    return 'Enter';
  }
}
