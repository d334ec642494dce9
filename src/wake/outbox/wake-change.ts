/** What can happen to a wake. Each change gives a new wake; one that is finished does not change any more. */
import type { ContentSource, Wake } from '../../contract/wake.ts';

export type WakeChange =
  /** Its message was written; its content comes from `source`. */
  | { kind: 'written'; source: ContentSource }
  /** A delivery of `together` wakes begins. */
  | { kind: 'begun'; bundle: string; together: number }
  /** The delivery never started, so it does not count as an attempt. */
  | { kind: 'undone' }
  /** The next attempt is not before `due`. */
  | { kind: 'postponed'; due: number }
  /** The delivery has failed, and is tried again. */
  | { kind: 'failed'; due: number; took: number | null; reason: string }
  | { kind: 'delivered'; at: number; took: number | null; reason: string | null }
  /** It could not be delivered, and is not tried again. */
  | { kind: 'dead'; at: number; took: number | null; reason: string | null }
  /** It no longer applies. */
  | { kind: 'dropped'; at: number; reason: string | null };

/** Applies one change. */
export const changeWake = (wake: Wake, change: WakeChange): Wake => {
  if (!isOpen(wake)) return wake;
  switch (change.kind) {
    case 'written':
      return { ...wake, source: change.source };
    case 'begun': {
      const { bundle, together } = change;
      return { ...wake, status: 'sending', bundle, together, tries: wake.tries + 1 };
    }
    case 'undone':
      return { ...wake, status: 'pending', tries: wake.tries - 1 };
    case 'postponed':
      return { ...wake, due: change.due };
    case 'failed':
      return { ...wake, status: 'pending', due: change.due, duration: change.took, reason: change.reason };
    case 'dropped':
      return { ...wake, status: 'dropped', doneAt: change.at, reason: change.reason };
    default: {
      const { kind: status, at: doneAt, took: duration, reason } = change;
      return { ...wake, status, doneAt, duration, reason };
    }
  }
};

/** Whether it is still to be delivered. */
export const isOpen = ({ status }: Wake): boolean =>
  status === 'pending' || status === 'withheld' || status === 'sending';
