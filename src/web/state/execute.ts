/** Carrying out what a key or a button asked for beyond the board itself. */
import type { Wish } from '../../client/board.ts';
import type { Answered } from '../../contract/answer.ts';
import type { Resumed } from '../../contract/api.ts';
import type { Went } from '../../contract/page.ts';
import type { Next } from '../../contract/queue.ts';
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
      const { behavior, line } = await call<Answered>('POST', `/sessions/${wish.id}/answer`, wish.answer);
      return { kind: 'notice', text: `${behavior === 'deny' ? 'Denied' : 'Allowed'}: ${line}` };
    }
    case 'resume': {
      const { pane } = await call<Resumed>('POST', `/sessions/${wish.id}/resume`, {});
      return { kind: 'notice', text: `It is taken up again in pane ${pane.id}.` };
    }
    default: {
      const body = wish.kind === 'snooze' ? { seconds: wish.seconds } : undefined;
      await call('POST', `/queue/${wish.id}/${wish.kind}`, body);
      return { kind: 'done' };
    }
  }
};

/** Moves a tmux client to a session: the named one, or the only one. */
export const goTo = async (id: string, client?: string): Promise<Outcome> => {
  const went = await call<Went>('POST', `/sessions/${id}/go`, client === undefined ? {} : { client });
  if (went.client !== null) return { kind: 'notice', text: `Your tmux client ${went.client} is there now.` };
  if (went.clients.length > 1) return { kind: 'which', id, clients: went.clients };
  return { kind: 'notice', text: 'No terminal is attached to its tmux server.' };
};

const goToNext = async (): Promise<Outcome> => {
  const { next, waiting } = await call<Next>('POST', '/queue/next', { client: `page-${tab}` });
  if (!next)
    return {
      kind: 'notice',
      text: waiting ? 'Nobody else waits: the others are passed over.' : 'Nobody waits.',
    };
  const { id } = next.session;
  return { kind: 'look', id, next: await goTo(id) };
};

const tab = crypto.randomUUID().slice(0, 8);
