/** When notifications are sent, from the config. Times are in milliseconds. */
import type { NotifyConfig } from '../contract/notice.ts';
import type { NoticeDelays } from '../session/queue/notice.ts';
import type { QuietHours } from './quiet-hours.ts';

export interface NoticePolicy extends NoticeDelays {
  /** Between two notices. */
  cooldown: number;
  /** Between two notices about the same session. */
  sessionCooldown: number;
  quietHours: QuietHours | null;
}

type Timing = Partial<
  Pick<
    NotifyConfig,
    'after' | 'blockedAfter' | 'finishedAfter' | 'deniedAfter' | 'cooldown' | 'sessionCooldown' | 'quietHours'
  >
>;

/**
 * Fills in the defaults. With `after`, which is older than the other delays, every session is due after the same time, once per
 * wait, and the cooldown is between any two notices.
 */
export const policyOf = (config: Timing): NoticePolicy => {
  const { after, quietHours } = config;
  const finishedAfter = config.finishedAfter === undefined ? (after ?? 600) : config.finishedAfter;
  const deniedAfter = config.deniedAfter === undefined ? finishedAfter : config.deniedAfter;
  return {
    blockedAfter: (config.blockedAfter ?? after ?? 30) * 1_000,
    finishedAfter: finishedAfter === null ? null : finishedAfter * 1_000,
    deniedAfter: deniedAfter === null ? null : deniedAfter * 1_000,
    oncePerWait: after !== undefined,
    cooldown: (config.cooldown ?? (after === undefined ? 0 : 300)) * 1_000,
    sessionCooldown: (config.sessionCooldown ?? (after === undefined ? 300 : 0)) * 1_000,
    quietHours: quietHours ?? null,
  };
};
