/** The commands of the board: their keys, their texts and when they apply. The board and the page both use this table. */
import { isQueued } from '../../session/queue/queue.ts';
import type { Session } from '../../contract/session.ts';
import { isHostAway } from '../fleet-text.ts';

export interface Command {
  /** Keys as `press` names them. */
  keys: string[];
  /** The keys as the help shows them; on the page where they differ, null: the page does not have them. */
  shown: string;
  shownOnPage?: string | null;
  /** The text of the button on the page, and in lower case of the hint on the board. */
  label: string;
  /** A shorter text for the hint. */
  hint?: string;
  help: string;
  /** Whether the command can be used on a session. Without it, it is not about a session. */
  appliesTo?: (session: Session) => boolean;
}

const hasRequest = ({ requests, state }: Session): boolean => requests.length > 0 && state !== 'ended';

const isLive = ({ state, headless, origin }: Session): boolean =>
  state !== 'ended' && !headless && origin === null;

/** It is between two turns, so nothing is lost when its process ends. A new one has nothing to resume. */
const isAtRest = (session: Session): boolean =>
  isLive(session) &&
  session.state === 'waiting' &&
  /^(?:stopped|interrupted|failed)$/.test(session.reason ?? '');

/** Whether a dialog is open, which would take what is typed for its answer. */
export const hasDialog = ({ state, reason }: Session): boolean =>
  state === 'waiting' && /^(?:permission|question|plan|elicitation|dialog)$/.test(reason ?? '');

export const commands = {
  move: { keys: ['j', 'k', 'down', 'up'], shown: 'j k ↓ ↑', label: 'Move', help: 'Move down or up' },
  ends: {
    keys: ['g', 'G', 'home', 'end'],
    shown: 'gg G',
    label: 'First, last',
    help: 'Go to the first or last row',
  },
  halfPage: {
    keys: ['ctrl-d', 'ctrl-u', 'pagedown', 'pageup'],
    shown: '^d ^u',
    label: 'Half a page',
    help: 'Move half a page down, up',
  },
  position: {
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    shown: '1-9',
    label: 'Select',
    help: 'Select by position',
  },
  scroll: {
    keys: ['J', 'K'],
    shown: 'J K',
    shownOnPage: null,
    label: 'Scroll',
    help: 'Scroll the request or message',
  },
  otherRequest: {
    keys: ['[', ']'],
    shown: '[ ]',
    shownOnPage: null,
    label: 'Other request',
    help: 'Show another open request of the session',
  },
  go: {
    keys: ['enter', 'l'],
    shown: 'Enter l',
    label: 'Go to pane',
    hint: 'go',
    help: 'Go to the pane of the session',
    appliesTo: ({ pane, state, parked, fleet, headless }) =>
      ((pane !== null || (fleet !== undefined && !headless)) && state !== 'ended') || parked,
  },
  next: {
    keys: ['tab'],
    shown: 'Tab',
    shownOnPage: 'n',
    label: 'Next',
    help: 'Go to the next session in the queue',
  },
  answer: {
    keys: ['a'],
    shown: 'a',
    label: 'Answer',
    help: 'Answer the shown request',
    appliesTo: hasRequest,
  },
  deny: { keys: ['x'], shown: 'x', label: 'Deny', help: 'Deny the shown request', appliesTo: hasRequest },
  skip: {
    keys: ['s'],
    shown: 's',
    label: 'Skip',
    help: 'Move to the back of the queue for 30 s',
    appliesTo: isQueued,
  },
  snooze: {
    keys: ['z'],
    shown: 'z',
    label: 'Snooze',
    help: 'Hide it for the time you enter',
    appliesTo: isQueued,
  },
  dismiss: {
    keys: ['d'],
    shown: 'd',
    label: 'Dismiss',
    help: 'Defer until the state changes',
    appliesTo: isQueued,
  },
  undo: {
    keys: ['u'],
    shown: 'u',
    label: 'Undo',
    help: 'Undo the last skip, snooze or dismiss',
  },
  message: {
    keys: ['m'],
    shown: 'm',
    label: 'Message',
    help: 'Write a message to the session',
    appliesTo: session => (isLive(session) && !hasDialog(session)) || session.parked,
  },
  permit: {
    keys: ['y'],
    shown: 'y',
    label: 'Permit',
    help: 'Write to the session that it may do what Claude Code denied',
    appliesTo: session => isLive(session) && !hasDialog(session) && session.denied?.last[0] !== undefined,
  },
  interrupt: {
    keys: ['i'],
    shown: 'i',
    label: 'Interrupt',
    help: 'Interrupt the turn',
    appliesTo: session => isLive(session) && (session.state === 'working' || session.state === 'background'),
  },
  rename: {
    keys: ['e'],
    shown: 'e',
    label: 'Rename',
    help: 'Give the session a title',
    appliesTo: () => true,
  },
  tag: {
    keys: ['t'],
    shown: 't',
    label: 'Tags',
    help: 'Add and remove tags',
    appliesTo: () => true,
  },
  park: {
    keys: ['p'],
    shown: 'p',
    label: 'Park',
    help: 'Stop an idle session and keep its row; Enter or a message resumes it',
    appliesTo: isAtRest,
  },
  changes: {
    keys: ['f'],
    shown: 'f',
    label: 'Changes',
    help: 'Show the files that the session changed',
    appliesTo: ({ changes }) => changes !== null,
  },
  mark: {
    keys: [' '],
    shown: 'Space',
    label: 'Mark',
    help: 'Mark several sessions for skip, snooze, dismiss, message or park',
  },
  new: { keys: ['N'], shown: 'N', label: 'New session', hint: 'new', help: 'Start a new session' },
  openPage: {
    keys: ['o'],
    shown: 'o',
    shownOnPage: null,
    label: 'Open page',
    hint: 'page',
    help: 'Open the page in your browser',
  },
  filter: { keys: ['/'], shown: '/', label: 'Filter', help: 'Filter the list; Esc clears the filter' },
  resume: {
    keys: ['R'],
    shown: 'R',
    label: 'Resume',
    help: 'Resume an ended or parked session',
    appliesTo: ({ state, next }) => state === 'ended' && next === null,
  },
  help: { keys: ['?'], shown: '?', label: 'Help', help: 'Show these keys' },
  quit: { keys: ['q'], shown: 'q', shownOnPage: null, label: 'Quit', help: 'Quit' },
} as const satisfies Record<string, Command>;

export type CommandId = keyof typeof commands;

const list = Object.entries(commands) as [CommandId, Command][];

/** The command of a key; null where the key has none. */
export const commandOf = (key: string): CommandId | null =>
  list.find(([, command]) => command.keys.includes(key))?.[0] ?? null;

/** Whether a command can be used on a session. Whatever is for a session needs its host. */
export const isApplicable = (id: CommandId, session: Session): boolean => {
  const { appliesTo }: Command = commands[id];
  return appliesTo === undefined || (!isHostAway(session) && appliesTo(session));
};

/** The rows of the help, on the board or on the page. */
export const helpRows = (surface: 'board' | 'page'): { keys: string; label: string; help: string }[] =>
  list.flatMap(([, { shown, shownOnPage, label, help }]) => {
    const keys = surface === 'page' && shownOnPage !== undefined ? shownOnPage : shown;
    return keys === null ? [] : [{ keys, label, help }];
  });

/** A command in the last line of the board: `s skip`. */
export const hintOf = (id: CommandId): string => {
  const { shown, label, hint = label.toLowerCase() }: Command = commands[id];
  return `${shown.split(' ')[0]} ${hint}`;
};

/** The tooltip of a command's button: `s: Move to the back of the queue for 30 s`. */
export const tooltipOf = (id: CommandId): string => {
  const { shown, help } = commands[id];
  return `${shown.split(' ')[0]}: ${help}`;
};
