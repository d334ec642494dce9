/** How long the fold waits before it believes what one source alone says, and for how long a state may hold. */

export const timing = {
  /** A Stop without a session file: time for another hook to block it and for the turn to go on. */
  stopAlone: 400,
  /** A dialog told by its hook alone: another hook may answer it before it is on screen. */
  askAlone: 250,
  /** The file says idle and no Stop came: the hook may be on its way. */
  idleAlone: 200,
  /** The file says idle after background work: the session may wake in the same moment. */
  idleAfterTasks: 400,
  /** A session first told by a file that says busy: after `/clear` that is a moment's untruth. */
  busyAlone: 250,
  /** A prompt that a hook refused leaves the file idle and fires no Stop. */
  promptRefused: 3_000,
  /** A change of the file without a hook near it: hooks are not reaching us. */
  silent: 2_000,
  /** A session whose process goes on after SessionEnd: `/clear` and `/resume` rewrite its file once more. */
  afterEnd: 3_000,
  /** A leftover shell (a dev server) does not hold a session in `background` for longer. */
  shellHolds: 5 * 60_000,
  /** Nor does any other task that is never heard of again. */
  taskHolds: 60 * 60_000,
} as const;

/** Stall budgets: long inside a tool, short between two calls. Config may set others. */
export interface Budgets {
  tool: number;
  between: number;
}

export const defaultBudgets: Budgets = { tool: 20 * 60_000, between: 5 * 60_000 };

/** Steps of evidence kept for `drover explain`. */
export const trailLength = 30;
