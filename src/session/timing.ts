/** How long the fold waits before it believes what one source alone says, and for how long a state may hold. */

export const timing = {
  /** A Stop without a session file: time for another hook to block it and for the turn to go on. */
  stopAlone: 400,
  /** A dialog told by its hook alone, while a file that would tell of it too does not. */
  askAlone: 600,
  /**
   * A permission may be given by another hook that runs beside ours, with the dialog on screen meanwhile: so long after
   * it was shown, and on top, up to a bound, what hooks and files take on this machine just now.
   */
  askSettles: 80,
  /** The same where a hook is known that decides, and where it is known that there is none. */
  askDecided: 700,
  askUndecided: 20,
  askSettlesAtMost: 1_000,
  /** A dialog told by the file alone: its hook says what is asked, and may be on its way. */
  waitAlone: 400,
  /** An answer told by a hook, while the file still says waiting. */
  fileLags: 2_000,
  /** The file says idle and no Stop came: the transcript, written 100 ms later, says why. */
  idleAlone: 170,
  /** The same where no hook tells: the transcript alone knows, and is asked several times meanwhile. */
  idleMute: 600,
  /** The file says idle after background work: the session may wake in the same moment. */
  idleAfterTasks: 400,
  /** A session first told by a file that says busy: after `/clear` that is a moment's untruth. */
  busyAlone: 250,
  /** A prompt that a hook refused leaves the file idle and fires no Stop; 30 busy sessions on two cores take 3 s to say busy. */
  promptRefused: 8_000,
  /** A change of the file without a hook near it: hooks are not reaching us. */
  silent: 2_000,
  /** The file carries another id and no SessionEnd came: it says whether that was `/clear`. */
  endAlone: 1_000,
  /** A session whose process goes on after SessionEnd: `/clear` and `/resume` rewrite its file once more. */
  afterEnd: 3_000,
  /** A leftover shell (a dev server) does not hold a session in `background` for longer. */
  shellHolds: 5 * 60_000,
  /** Nor does any other task that is never heard of again. */
  taskHolds: 60 * 60_000,
  /** How long a skipped session is deferred, and how long a claim keeps others away. */
  skipCools: 30_000,
  claimHolds: 30_000,
} as const;

/** A file is not believed to be later than this, however late it was heard: the daemon may have been down. */
export const lagAtMost = 1_000;

/** Hook times are those of the files they were written to, some milliseconds late. */
export const slack = 20;

/** Stall budgets: long inside a tool, short between two calls. Config may set others. */
export interface Budgets {
  tool: number;
  between: number;
  /** A stalled session stands in the queue. */
  queue: boolean;
}

export const defaultBudgets: Budgets = { tool: 20 * 60_000, between: 5 * 60_000, queue: false };

/** Steps of evidence kept for `drover explain`. */
export const trailLength = 30;
