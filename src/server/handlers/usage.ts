/** Tokens and cost of sessions. */
import { DroverError } from '../../contract/error.ts';
import { type Usage, UsageBy, type UsageQuery } from '../../contract/usage.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import type { Handlers } from '../call.ts';

export const usageHandlers = (
  sessionIndex: Pick<SessionIndex, 'get'>,
  report: (query: UsageQuery) => Promise<Usage>,
): Pick<Handlers, 'usage'> => ({
  usage: async ({ query }) => {
    const since = query.get('since');
    if (since !== null && !/^\d{1,15}$/.test(since))
      throw new DroverError('bad_request', 'since must be a time in ms since the epoch.');
    const session = query.get('session');
    if (session !== null && !/^[\w@.-]{6,256}$/.test(session))
      throw new DroverError('bad_request', 'session must be the complete id of a session.');
    const usage = await report({
      by: dimension(query.get('by')) ?? 'day',
      split: dimension(query.get('split')),
      since: since === null ? null : Number(since),
      session,
    });
    if (usage.by !== 'session') return usage;
    const rows = usage.rows.map(row => ({ ...row, title: sessionIndex.get(row.name)?.title ?? null }));
    return { ...usage, rows };
  },
});

const dimension = (given: string | null): UsageBy | null => {
  if (given === null) return null;
  const found = UsageBy.safeParse(given);
  if (found.success) return found.data;
  throw new DroverError('bad_request', `by and split must be one of ${UsageBy.options.join(', ')}.`);
};
