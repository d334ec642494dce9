/** Quotas of accounts as text: `5 h ▮▮▮▯▯ 62 %, 7 d ▮▯▯▯▯ 12 %`. */
import type { QuotaWindow } from '../../contract/session.ts';
import type { AccountQuota } from '../../session/limit/quota.ts';
import { lastPart } from '../usage-text.ts';

export { quotasOf } from '../../session/limit/quota.ts';

/** One text for all accounts. Several are named by their folder. `bars`: the number of steps; 0 for none. */
export const quotaText = (quotas: AccountQuota[], bars: number): string =>
  quotas
    .map(quota => {
      const windows = quotaWindows(quota).map(({ label, window }) => windowText(label, window, bars));
      return `${quotas.length > 1 ? `${accountName(quota.account)}: ` : ''}${windows.join(', ')}`;
    })
    .join(' · ');

/** The windows of a quota that are known. */
export const quotaWindows = ({
  fiveHour,
  sevenDay,
}: AccountQuota): { label: string; window: QuotaWindow }[] =>
  [
    { label: '5 h', window: fiveHour },
    { label: '7 d', window: sevenDay },
  ].filter((one): one is { label: string; window: QuotaWindow } => one.window !== null);

/** The last part of the folder, such as `.claude-work`. */
export const accountName = lastPart;

const windowText = (label: string, { percent }: QuotaWindow, bars: number): string => {
  const full = Math.min(bars, Math.round((percent / 100) * bars));
  const bar = bars > 0 ? ` ${'▮'.repeat(full)}${'▯'.repeat(bars - full)}` : '';
  return `${label}${bar} ${percent} %`;
};
