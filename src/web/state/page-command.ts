/** The commands that the page carries out itself: those with their own form, and those for several sessions. */
import { type CommandId, isApplicable } from '../../client/board.ts';
import { whyAway } from '../../client/fleet-text.ts';
import type { Session } from '../../contract/session.ts';
import type { Form } from '../forms/form.ts';

/** What a command does on the page: opens a form, acts on sessions, or cannot be used and says why. */
export type PageCommand =
  | { kind: 'form'; form: Form }
  | { kind: 'defer'; act: 'skip' | 'dismiss'; ids: string[] }
  | { kind: 'undo' | 'mark' }
  /** The Changes tab of the session. */
  | { kind: 'changes' }
  /** The message field of the session. */
  | { kind: 'write' }
  | { kind: 'notice'; text: string };

/**
 * The command of a key or a button for these sessions: the marked ones, else the selected one. Null: the board decides what it
 * means. Leaves out sessions that the command does not apply to, if there are several.
 */
export const pageCommand = (
  id: CommandId,
  targets: Session[],
  isMarked: boolean,
  now: number,
): PageCommand | null => {
  if (id === 'new') return { kind: 'form', form: { kind: 'new' } };
  if (id === 'undo' || id === 'mark' || id === 'changes') return { kind: id };
  if (!sessionCommands.has(id) || (deferrals.has(id) && !isMarked)) return null;
  const fit = targets.filter(session => isApplicable(id, session));
  const [first] = fit;
  if (!first) return { kind: 'notice', text: whyNot(id, targets, now) };
  const ids = fit.map(session => session.id);
  switch (id) {
    case 'answer':
    case 'deny':
      return answerForm(first, id === 'deny');
    case 'permit':
    case 'message':
      return isMarked ? { kind: 'form', form: { kind: 'message', ids } } : { kind: 'write' };
    case 'tag':
    case 'park':
    case 'snooze':
      return { kind: 'form', form: { kind: id, ids } };
    case 'skip':
    case 'dismiss':
      return { kind: 'defer', act: id, ids };
    default:
      return { kind: 'form', form: { kind: id as 'rename' | 'interrupt', id: first.id } };
  }
};

const deferrals = new Set<CommandId>(['skip', 'snooze', 'dismiss']);
const sessionCommands = new Set<CommandId>([
  ...deferrals,
  'answer',
  'deny',
  'message',
  'permit',
  'interrupt',
  'rename',
  'tag',
  'park',
]);

const answerForm = ({ id, requests }: Session, isDenial: boolean): PageCommand => ({
  kind: 'form',
  form: { kind: 'answer', id, request: requests[0]?.id ?? 0, isDenial },
});

const whyNot = (id: CommandId, [first]: Session[], now: number): string => {
  if (!first) return 'No session is selected.';
  const away = whyAway(first, now);
  if (away !== null) return away;
  const name = 'The session';
  if (id === 'answer' || id === 'deny') return `${name} has no open request.`;
  if (id === 'interrupt') return `${name} is not working.`;
  if (id === 'park') return `${name} is not idle, so it cannot be parked.`;
  return deferrals.has(id) ? `${name} is not waiting.` : `${name} has ended.`;
};
