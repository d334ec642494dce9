/** The log of notifications. */
import { DroverError } from '../../contract/error.ts';
import type { NoticeEntry, NoticePage, NoticeTest, NotifyStatus } from '../../contract/notice.ts';
import { limits } from '../../limits.ts';
import type { Handlers } from '../call.ts';
import { countOf } from '../count.ts';

export const noticeHandlers = (
  log: { newest: (most: number) => NoticeEntry[] },
  notify: { status: NotifyStatus; test: () => Promise<NoticeTest['deliveries']> },
): Pick<Handlers, 'readNotices' | 'testNotices'> => ({
  readNotices: ({ query }): NoticePage => ({
    status: notify.status,
    entries: log.newest(countOf(query.get('last'), 50, limits.notify.logEntries)),
  }),
  testNotices: async () => {
    const deliveries = await notify.test();
    if (deliveries.length > 0) return { deliveries };
    throw new DroverError(
      'refused',
      'Notifications are off.',
      'Turn them on with `drover setup --notify`, or name a channel under `notify` in config.json.',
    );
  },
});
