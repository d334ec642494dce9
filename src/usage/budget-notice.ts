/** The notification of a budget that was reached. */
import type { Notice } from '../contract/notice.ts';
import type { Session } from '../contract/session.ts';
import { shortId } from '../contract/short-id.ts';
import type { BudgetReached } from './budgets.ts';

export const budgetNotice = (
  { kind, of, limit, spent }: BudgetReached,
  session: Pick<Session, 'id' | 'title'> | undefined,
): Pick<Notice, 'title' | 'text' | 'brief'> => {
  const subjects = {
    day: 'today',
    week: 'this week',
    session: `by ${session?.title ?? shortId(of)}`,
  };
  const title = (subject: string) => `Budget reached: ${dollars(spent)} of ${dollars(limit)} ${subject}`;
  const text = 'API-equivalent cost. Sessions keep running. See `drover usage`.';
  return {
    title: title(subjects[kind]),
    text,
    // The title of a session is for this machine only.
    ...(kind === 'session' && { brief: { title: title(`by ${shortId(of)}`), text } }),
  };
};

export const dollars = (amount: number): string => `$${amount.toFixed(2)}`;
