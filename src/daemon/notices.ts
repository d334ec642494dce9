/** Notices as the config wants them. */
import { systemClock } from '../clock.ts';
import type { Config } from '../contract/config.ts';
import type { Draft } from '../contract/event.ts';
import type { NotifyConfig } from '../contract/notice.ts';
import { deliver } from '../notify/deliver.ts';
import { Notify } from '../notify/notify.ts';
import type { Folded } from '../session/memory.ts';
import { panesInSight, ring } from '../tmux/server/clients.ts';
import type { DaemonLog } from './log.ts';
import { redactor } from './redact.ts';

export const openNotices = (
  config: Config,
  sessions: () => Folded[],
  take: (drafts: Draft[]) => void,
  log: DaemonLog,
): Notify =>
  new Notify(config.notify, systemClock, {
    sessions,
    inSight: panesInSight,
    deliver: (notice, told) =>
      deliver(notice, config.notify as NotifyConfig, () =>
        ring(told.flatMap(({ pane }) => pane?.socket ?? [])),
      ),
    take,
    mask: redactor(config.redact),
    onError: log.error,
  });
