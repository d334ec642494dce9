/** The newest notifications: sent, failed or suppressed, and why. */
import { useEffect, useState } from 'react';
import { clean } from '../../client/text.ts';
import type { NoticePage } from '../../contract/notice.ts';
import { call } from '../daemon/call.ts';
import { clockTime, dateText, hourTime } from '../shared/clock.ts';

export const Notices = ({ isLive, changed }: { isLive: boolean; changed: unknown }) => {
  const [page, setPage] = useState<NoticePage | null>(null);
  useEffect(() => {
    if (!isLive) return undefined;
    const abort = new AbortController();
    call('readNotices', { query: { last: 20 }, signal: abort.signal })
      .then(setPage)
      .catch(() => {});
    return () => abort.abort();
  }, [isLive, changed]);
  if (!page) return null;
  const { on, sent, failed, suppressed } = page.status;
  const today = dateText(Date.now());
  return (
    <table className="ranked notices">
      <caption>
        Notifications{' '}
        {on ? `(${sent} sent, ${failed} failed, ${suppressed} suppressed since the start)` : '(off)'}
      </caption>
      <tbody>
        {page.entries.toReversed().map(({ at, outcome, channel, reason, title }, index) => (
          <tr key={`${at} ${index}`}>
            <th scope="row">{clean(title)}</th>
            <td>{outcome}</td>
            <td>{[channel, reason].flatMap(one => (one === null ? [] : clean(one))).join(': ')}</td>
            <td>{dateText(at) === today ? clockTime(at) : `${dateText(at)} ${hourTime(at)}`}</td>
          </tr>
        ))}
        {page.entries.length === 0 && (
          <tr>
            <td colSpan={4}>None yet</td>
          </tr>
        )}
      </tbody>
    </table>
  );
};
