/** How long a state that one source alone reports stays tentative, and how long some states may last. All in ms. */

export const timing = {
  /** A Stop without a session file: time for another hook to block it and for the turn to continue. */
  stopAlone: 400,
  /** A dialog reported by its hook alone, while the file does not show it. */
  requestAlone: 600,
  /**
   * Another hook that runs in parallel may answer a permission while its dialog is on the screen: this long after it
   * appeared, plus, up to a bound, the current delay of hooks and files on this machine.
   */
  requestSettle: 80,
  /** The same when another hook that may answer is known to exist, and when there is known to be none. */
  requestSettleWithHook: 700,
  requestSettleWithoutHook: 20,
  maxRequestLag: 1_000,
  /** A dialog reported by the file alone: its hook, which has the details, may be on its way. */
  waitAlone: 400,
  /** An answer reported by a hook, while the file still says waiting. */
  fileLag: 2_000,
  /** The file says idle and no Stop came: the transcript, written 100 ms later, says why. */
  idleAlone: 170,
  /** The same without hooks: only the transcript knows, and it is read several times before that. */
  idleWithoutHooks: 600,
  /** The file says idle after background work: the session may start working again at once. */
  idleAfterTasks: 400,
  /** A session first reported by a file that says busy, which is briefly wrong after `/clear`. */
  busyAlone: 250,
  /** A prompt that a hook rejected leaves the file idle and fires no Stop. With 30 busy sessions on two cores, busy takes 3 s to appear. */
  promptRefused: 8_000,
  /** The file changed without a hook around that time: hooks do not arrive. */
  silent: 2_000,
  /** The file names another id and no SessionEnd arrived, which would say whether it was `/clear`. */
  endAlone: 1_000,
  /** The process continues after SessionEnd: `/clear` and `/resume` write its file once more. */
  afterEnd: 3_000,
  /** An end within this time after Drover began to park a session counts as caused by parking. */
  parkGrace: 60_000,
  /** A background task other than a shell keeps a session in `background` at most this long while it reports nothing. */
  longestTask: 60 * 60_000,
  /** A usage limit whose reset is not known counts as over after this, so that a person looks at it. */
  limitUnknown: 15 * 60_000,
  /** A session enters the queue this long after the reset. Claude Code, or Drover's message, should have continued it by then. */
  limitGrace: 5 * 60_000,
  /** Claude's files usually report within a second what an emitter without a token reports too. */
  contradiction: 5_000,
  /** How long a skipped session is deferred, and how long a claim keeps others away. */
  skipPeriod: 30_000,
  claimPeriod: 30_000,
} as const;

/** The most lag that a file is assumed to have. It may have arrived later because the daemon was down. */
export const maxFileLag = 1_000;

/** Hook times are the times of their spool files, a few milliseconds late. */
export const slack = 20;

/** What the config may set. A stall budget is long inside a tool, and short between two calls. */
export interface Budgets {
  /** A background shell that is new keeps a session in `background` at most this long: it may be a build, or a dev server. */
  shell: number;
  tool: number;
  between: number;
  /** Stalled sessions are queued. */
  queue: boolean;
  /** A finished turn that ends with a question counts as one that asks. */
  questions: boolean;
}

export const defaultBudgets: Budgets = {
  shell: 60_000,
  tool: 20 * 60_000,
  between: 5 * 60_000,
  queue: false,
  questions: true,
};

/** Steps of evidence kept for `drover explain`. */
export const trailLength = 30;
