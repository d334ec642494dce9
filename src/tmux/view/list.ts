/** The queue as one tmux server's keys and status line see it: server options, made from the queue alone. */
import { limits } from '../../limits.ts';
import { holdOf } from '../../session/deferral.ts';
import type { Queued } from '../../session/queue.ts';
import { labelOf } from './label.ts';
import type { Options } from './options.ts';

/** Server options for the panes that wait on this server, the first nine of them, and how many wait in all. */
export const listOptions = (queue: Queued[], socket: string, serverPid: number): Options => {
  // Whoever was skipped, snoozed or dismissed is not walked to; a claim only says that someone is on the way.
  const open = queue.filter(({ held }) => held === null || held === 'claimed');
  const here = open.filter(
    ({ session: { pane } }) => pane?.socket === socket && pane.serverPid === serverPid,
  );
  const listed = here.slice(0, limits.tmux.listed);
  const slots = Array.from({ length: limits.tmux.listed }, (_, n) => listed[n]);
  return {
    '@drover_count': String(queue.filter(({ held }) => held !== 'snoozed' && held !== 'dismissed').length),
    '@drover_head': labelOf(open[0]?.session.project ?? '') || null,
    '@drover_elsewhere': String(open.length - here.length),
    ...Object.fromEntries(
      slots.flatMap((item, n) => [
        [`@drover_${n + 1}`, item?.session.pane?.id ?? null],
        [`@drover_${n + 1}_by`, claimant(item)],
      ]),
    ),
  };
};

/** What differs from what was written last. */
export const changedOptions = (before: Options, after: Options): Options =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));

const claimant = (item: Queued | undefined): string | null =>
  item?.held === 'claimed' ? (holdOf(item.session)?.claim?.by ?? null) : null;
