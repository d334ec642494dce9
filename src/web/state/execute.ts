/** Carrying out what a key or a button asked for beyond the board itself. */
import type { Wish } from '../../client/board.ts';
import type { Went } from '../../contract/page.ts';
import { call } from '../daemon/call.ts';

/** What the page has to do about it. */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'notice'; text: string }
  /** Several tmux clients could be moved: a person says which. */
  | { kind: 'which'; id: string; clients: Went['clients'] }
  | { kind: 'look'; id: string; next: Outcome };

export const execute = async (wish: Wish): Promise<Outcome> => {
  switch (wish.kind) {
    case 'quit':
      return { kind: 'done' };
    case 'go':
      return goTo(wish.id);
    case 'next':
      return goToNext();
    case 'answer': {
      const { behavior, line } = await call('answerSession', { id: wish.id, body: wish.answer });
      return { kind: 'notice', text: `${behavior === 'deny' ? 'Denied' : 'Allowed'}: ${line}` };
    }
    case 'resume': {
      const { pane } = await call('resumeSession', { id: wish.id });
      return { kind: 'notice', text: `It is taken up again in pane ${pane.id}.` };
    }
    case 'skip':
      await call('skipSession', { id: wish.id });
      return { kind: 'done' };
    case 'snooze':
      await call('snoozeSession', { id: wish.id, body: { seconds: wish.seconds } });
      return { kind: 'done' };
    case 'dismiss':
      await call('dismissSession', { id: wish.id });
      return { kind: 'done' };
  }
};

/** Moves a tmux client to a session: the named one, or the only one. */
export const goTo = async (id: string, client?: string): Promise<Outcome> => {
  const went = await call('goToSession', { id, body: client === undefined ? {} : { client } });
  if (went.client !== null) return { kind: 'notice', text: `Your tmux client ${went.client} is there now.` };
  if (went.clients.length > 1) return { kind: 'which', id, clients: went.clients };
  return { kind: 'notice', text: 'No terminal is attached to its tmux server.' };
};

const goToNext = async (): Promise<Outcome> => {
  const { next, waiting } = await call('nextInQueue', { body: { client: `page-${tab}` } });
  if (!next)
    return {
      kind: 'notice',
      text: waiting ? 'Nobody else waits: the others are deferred.' : 'Nobody waits.',
    };
  const { id } = next.session;
  return { kind: 'look', id, next: await goTo(id) };
};

const tab = crypto.randomUUID().slice(0, 8);
