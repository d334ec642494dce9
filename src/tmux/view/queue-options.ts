/** Turn the queue into server options, which the keys and the status line of a tmux server read. */
import { limits } from '../../limits.ts';
import { deferralOf } from '../../session/queue/deferral.ts';
import type { Queued } from '../../session/queue/queue.ts';
import { labelOf } from './label.ts';
import type { Options } from './options.ts';

/** Return the options for a server: its first nine waiting panes, and how many sessions wait here and on other hosts. */
export const queueOptions = (
  queue: Queued[],
  socket: string,
  serverPid: number,
  waitingOnOtherHosts = 0,
): Options => {
  // Keys skip deferred sessions. A claim alone does not hide a session: it only says that a client is on its way.
  const open = queue.filter(({ deferred }) => deferred === null || deferred === 'claimed');
  const here = open.filter(
    ({ session: { pane } }) => pane?.socket === socket && pane.serverPid === serverPid,
  );
  const listed = here.slice(0, limits.tmux.listed);
  const slots = Array.from({ length: limits.tmux.listed }, (_, n) => listed[n]);
  return {
    '@drover_count': String(
      queue.filter(({ deferred }) => deferred !== 'snoozed' && deferred !== 'dismissed').length,
    ),
    '@drover_head': labelOf(open[0]?.session.title ?? open[0]?.session.project ?? '') || null,
    '@drover_elsewhere': String(open.length - here.length),
    '@drover_fleet': waitingOnOtherHosts > 0 ? String(waitingOnOtherHosts) : null,
    ...Object.fromEntries(
      slots.flatMap((item, n) => [
        [`@drover_${n + 1}`, item?.session.pane?.id ?? null],
        [`@drover_${n + 1}_by`, claimant(item)],
      ]),
    ),
  };
};

/** Return the options that differ from the last written ones. */
export const changedOptions = (before: Options, after: Options): Options =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));

const claimant = (item: Queued | undefined): string | null =>
  item?.deferred === 'claimed' ? (deferralOf(item.session)?.claim?.by ?? null) : null;
