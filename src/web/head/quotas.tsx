/** How much of the quotas of each account is used. */
import { accountName, quotasOf, quotaWindows } from '../../client/board/quota-text.ts';
import type { Session } from '../../contract/session.ts';
import { shortTime } from '../../session/state-text.ts';
import { Bar } from '../session/gauge.tsx';
import './quotas.css';

export const Quotas = ({ sessions, now }: { sessions: Iterable<Session>; now: number }) => {
  const quotas = quotasOf(sessions, now);
  if (quotas.length === 0) return null;
  return (
    <div className="quotas">
      {quotas.flatMap(quota =>
        quotaWindows(quota).map(({ label, window: { percent, resetsAt } }) => {
          const name = quotas.length > 1 ? `${accountName(quota.account)} ${label}` : label;
          const reset = resetsAt === null ? '' : `, reset at ${shortTime(resetsAt, now)}`;
          return (
            <Bar
              key={`${quota.account} ${label}`}
              label={name}
              name={`Quota ${name}`}
              title={`Quota of ${label} in ${quota.account}${reset}`}
              percent={percent}
            />
          );
        }),
      )}
    </div>
  );
};
