/** Menus on the screen of a session, actions on them, and sequences of commands. */
import * as z from 'zod';
import { AnswerText } from './answer.ts';
import { PlainText } from './plain-text.ts';

const NoNul = z.string().refine(text => !text.includes('\0'), 'must not contain NUL');

export const MenuView = z.object({
  /** The session whose screen it is; a new one after `/clear`. */
  id: z.string(),
  /** `other`: neither a menu nor a prompt line, e.g. a start, a pager, another program. */
  shows: z.enum(['menu', 'prompt', 'other']),
  menu: z
    .object({
      /** The row above the options, usually a question. */
      title: z.string().nullable(),
      /** The questions of one dialog, each a tab. */
      tabs: z.array(z.object({ label: z.string(), answered: z.boolean() })),
      options: z.array(
        z.object({
          /** Null for a row without one, such as Submit: it is chosen by its label. */
          number: z.number().int().nullable(),
          label: z.string(),
          selected: z.boolean(),
          /** Whether it is ticked; null in a menu with one answer. */
          checked: z.boolean().nullable(),
        }),
      ),
    })
    .nullable(),
  /** The label of the option that the action chose, ticked or unticked; null where it chose none. */
  chose: z.string().nullable(),
  /** Text in the prompt line that is not submitted; null when there is no prompt line. */
  draft: z.string().nullable(),
  /** The screen as text, without colours. */
  screen: z.string(),
});
export type MenuView = z.infer<typeof MenuView>;

/** Text that the dialog must show, or the screen when there is no dialog; otherwise no key is pressed. */
const expect = NoNul.min(1).optional();
/** The request that the dialog belongs to. No key is pressed when it is gone, or when the screen may show another one. */
const id = z.number().int().optional();

export const MenuAction = z.discriminatedUnion('action', [
  /** Chooses the selected option. Without a menu on the screen it needs `expect`. */
  z.strictObject({ action: z.literal('enter'), expect, id }),
  /** Leaves the menu; interrupts a session that works. */
  z.strictObject({ action: z.literal('esc'), expect, id }),
  /** Chooses an option by number or label; ticks or unticks it in a menu with several answers. */
  z.strictObject({
    action: z.literal('choose'),
    option: z.union([z.number().int().positive(), NoNul.min(1)]),
    expect,
    id,
  }),
  /** Types into an empty prompt line, or into an option for free text. Nothing is submitted. */
  z.strictObject({ action: z.literal('type'), text: PlainText.min(1), expect, id }),
  /** Submits the prompt line, or the chosen answers. */
  z.strictObject({ action: z.literal('submit'), expect, id }),
]);
export type MenuAction = z.infer<typeof MenuAction>;

export const AskAnswers = z.strictObject({
  /** Every question, by its text or header, with a label, several labels, or free text. */
  answers: z.record(z.string(), AnswerText),
  /** The id of the request. Optional only while one question is open. */
  id: z.number().int().optional(),
});
export type AskAnswers = z.infer<typeof AskAnswers>;

/** The given answers, and those that Claude Code accepted. */
export const AskReport = z.object({
  id: z.string(),
  /** Through the held hook, or by keys in its terminal. */
  by: z.enum(['hook', 'keys']),
  /** `unseen`: no PostToolUse confirmed it. */
  verdict: z.enum(['matched', 'mismatch', 'unseen']),
  answers: z.array(
    z.object({ question: z.string(), given: z.string(), taken: z.string().nullable(), matches: z.boolean() }),
  ),
});
export type AskReport = z.infer<typeof AskReport>;

export const RunCommands = z.strictObject({
  /** Prompts and slash commands, in sequence. */
  commands: z.array(NoNul.min(1)).min(1).max(50),
  /** Answer when all commands have finished; at once by default. */
  wait: z.boolean().default(false),
  /** How long to wait, in seconds. The commands run either way. */
  timeout: z.number().positive().max(3_600).default(600),
});
export type RunCommands = z.infer<typeof RunCommands>;

export const CommandStep = z.object({
  command: z.string(),
  status: z.enum(['pending', 'active', 'done', 'cancelled']),
  /** The event that it waits for before the next one is typed. */
  awaits: z.enum(['SessionStart(clear)', 'SessionStart(compact)', 'Stop']),
  /** The beginning of what was answered; or `quiet` for a command of the CLI itself that began no turn. */
  result: z.string().nullable(),
  endedAt: z.number().int().nullable(),
});
export type CommandStep = z.infer<typeof CommandStep>;

/** A sequence of commands in a session, each typed after the event of the one before. */
export const Commands = z.object({
  id: z.string(),
  /** The session that they are typed into now. */
  sessionId: z.string(),
  status: z.enum(['running', 'done', 'cancelled']),
  /** Why the rest was cancelled. */
  reason: z.string().nullable(),
  steps: z.array(CommandStep),
});
export type Commands = z.infer<typeof Commands>;

/** The last sequence of a session; null when there was none since the daemon started. */
export const CommandsPage = z.object({ commands: Commands.nullable() });
export type CommandsPage = z.infer<typeof CommandsPage>;
