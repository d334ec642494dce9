/** Executes the commands of keys and buttons that the daemon carries out. */
import { type BoardCommand, noNextText, resumedText } from '../../client/board.ts';
import { idParts, shortAddress } from '../../contract/origin.ts';
import type { MovedClient } from '../../contract/page.ts';
import { call } from '../daemon/call.ts';

/** What the page does next. */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'notice'; text: string }
  /** Several tmux clients could be switched; the user chooses one. */
  | { kind: 'choose-client'; id: string; clients: MovedClient['clients'] }
  | { kind: 'open'; id: string; after: Outcome };

export const execute = async (command: BoardCommand): Promise<Outcome> => {
  switch (command.kind) {
    case 'quit':
      return { kind: 'done' };
    case 'go':
      return goTo(command.id);
    case 'next':
      return goToNext();
    case 'resume': {
      const { pane } = await call('resumeSession', { id: command.id });
      return { kind: 'notice', text: resumedText(pane) };
    }
    case 'skip':
      await call('skipSession', { id: command.id });
      return { kind: 'done' };
    case 'snooze':
      await call('snoozeSession', { id: command.id, body: { seconds: command.seconds } });
      return { kind: 'done' };
    case 'dismiss':
      await call('dismissSession', { id: command.id });
      return { kind: 'done' };
    default:
      // The page has forms of its own for the other commands.
      return { kind: 'done' };
  }
};

/** Switches a tmux client to a session: the named client, or the only one. */
export const goTo = async (id: string, client?: string): Promise<Outcome> => {
  const { origin } = idParts(id);
  if (origin !== null)
    return {
      kind: 'notice',
      text: `The session runs on ${origin}. \`drover go ${shortAddress(id)}\` opens it in your terminal.`,
    };
  const went = await call('goToSession', { id, body: client === undefined ? {} : { client } });
  if (went.client !== null)
    return { kind: 'notice', text: `The tmux client ${went.client} shows the session.` };
  if (went.clients.length > 1) return { kind: 'choose-client', id, clients: went.clients };
  return { kind: 'notice', text: 'No terminal is attached to the tmux server of the session.' };
};

const goToNext = async (): Promise<Outcome> => {
  const { next, waiting } = await call('nextInQueue', { body: { client: `page-${tab}` } });
  if (!next) return { kind: 'notice', text: noNextText(waiting) };
  const { id } = next.session;
  return { kind: 'open', id, after: await goTo(id) };
};

const tab = crypto.randomUUID().slice(0, 8);
