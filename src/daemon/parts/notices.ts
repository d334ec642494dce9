/** Notifications, as the config asks for them. */
import type { NotifyConfig } from '../../contract/notice.ts';
import { deliver } from '../../notify/deliver.ts';
import { Notify } from '../../notify/notify.ts';
import { panesInSight, ring } from '../../tmux/server/clients.ts';
import type { Commit } from '../../live/loop.ts';
import type { Core } from '../core.ts';
import type { Part } from '../part.ts';
import { redactor } from '../redact.ts';

export const openNotices = ({ config, clock, loop, record, log }: Core) => {
  const notify = new Notify(config.notify, clock, {
    sessions: () => loop.sessionIndex.live(),
    inSight: panesInSight,
    deliver: (notice, sessions) =>
      deliver(notice, config.notify as NotifyConfig, () =>
        ring(sessions.flatMap(({ pane }) => pane?.socket ?? [])),
      ),
    take: record,
    mask: redactor(config.redact),
    onError: log.error,
  });
  return {
    name: 'notices',
    status: () => notify.status,
    onCommit: ({ changed }: Commit) => {
      for (const { before, after } of changed) notify.onChange(before, after);
    },
    start: () => notify.start(),
    close: () => notify.close(),
  } satisfies Part & Record<string, unknown>;
};
