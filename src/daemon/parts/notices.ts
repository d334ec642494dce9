/** Notifications, as the config asks for them. */
import type { Forget } from '../../contract/api.ts';
import type { Notice } from '../../contract/notice.ts';
import { limits } from '../../limits.ts';
import type { Commit } from '../../live/loop.ts';
import type { Announcement } from '../../notify/announcement.ts';
import type { Channel } from '../../notify/channel.ts';
import { channelsOf } from '../../notify/channels.ts';
import { deliver } from '../../notify/deliver.ts';
import type { OfferAnswers } from '../../notify/ntfy.ts';
import { NoticeLog } from '../../notify/notice-log.ts';
import { Notifier } from '../../notify/notifier.ts';
import { policyOf } from '../../notify/policy.ts';
import { noticeHandlers } from '../../server/handlers/notices.ts';
import type { Folded } from '../../session/memory.ts';
import { panesInSight, ringBell } from '../../tmux/server/clients.ts';
import type { Core } from '../core.ts';
import type { Part } from '../part.ts';
import { redactor } from '../redact.ts';

export const openNotices = ({ paths, config, clock, loop, record, log }: Core) => {
  const settings = () => config.notify;
  const policy = policyOf(settings() ?? {});
  /** When a page last said that it shows a session in a focused tab. */
  const pageSeenAt = new Map<string, number>();
  let offerAnswers: OfferAnswers | null = null;
  const noticeLog = new NoticeLog(paths.notices, log.error);

  const ringTerminals = ({ sessions }: Notice) => {
    const panes = sessions.length ? sessions : loop.sessionIndex.live();
    return ringBell(panes.flatMap(({ pane }) => pane?.socket ?? []));
  };
  const ownChannels = (): Channel[] => {
    const now = settings();
    return now ? channelsOf(now, ringTerminals, offerAnswers) : [];
  };
  const sources: (() => Channel[])[] = [ownChannels];
  const channels = (): Channel[] =>
    settings()?.on === false ? [] : sources.flatMap(channelsOfSource => channelsOfSource());

  const inSight = async (sessions: Folded[]): Promise<Set<string>> => {
    const shown = await panesInSight(sessions.flatMap(({ pane }) => pane ?? []));
    const since = clock.now() - limits.notify.pageSight;
    const isInSight = ({ id, pane }: Folded) =>
      (pane !== null && shown.has(pane)) || (pageSeenAt.get(id) ?? 0) > since;
    return new Set(sessions.filter(isInSight).map(({ id }) => id));
  };

  const notify = new Notifier(policy, clock, {
    isOn: () => channels().length > 0,
    sessions: () => loop.sessionIndex.live(),
    inSight,
    deliver: notice => deliver(notice, channels()),
    log: noticeLog,
    record,
    mask: redactor(() => config.redact),
    onError: log.error,
  });
  return {
    name: 'notices',
    handlers: noticeHandlers(noticeLog, notify),
    /** Sends a notification that is not about waiting sessions. */
    announce: (announcement: Announcement) =>
      notify.announce(announcement).catch((error: unknown) => log.error('notification failed', error)),
    status: () => notify.status,
    /** Adds channels besides those of the config. They are asked for before each notice. */
    addChannels: (source: () => Channel[]) => void sources.push(source),
    /** Lets notifications of ntfy answer requests. */
    setAnswerActions: (offer: OfferAnswers) => {
      offerAnswers = offer;
    },
    /** Call it when a channel was added or removed. */
    refresh: () => notify.schedule(),
    onPageSeen: (id: string) => void pageSeenAt.set(id, clock.now()),
    forget: ({ id, before, all }: Forget) =>
      noticeLog.forget({
        ...(id !== undefined && { id }),
        ...(before !== undefined && { before }),
        ...(all && { all }),
      }),
    onCommit: ({ changed }: Commit) => {
      for (const { before, after } of changed) {
        if (after.state !== 'waiting') pageSeenAt.delete(after.id);
        notify.onChange(before, after);
      }
    },
    start: () => notify.start(),
    reload: (changed: ReadonlySet<string>) => {
      if (!changed.has('notify')) return;
      Object.assign(policy, policyOf(settings() ?? {}));
      notify.onPolicy();
    },
    close: () => notify.close(),
  } satisfies Part & Record<string, unknown>;
};
