/** What an error of tmux means, where Drover acts on it. tmux has no error codes: its exit status is always 1. */

/** `serverExiting`: the server exited with its last session. It has done nothing, so the command can be retried. */
export type TmuxErrorKind = 'serverExiting' | 'sessionExists';

/** The texts, with the versions of tmux that were seen to print them. */
const texts: readonly [kind: TmuxErrorKind, text: RegExp][] = [
  // 3.0a to 3.4: `server exited unexpectedly`, or `server exited`. Up to 2.8: `lost server`.
  ['serverExiting', /server exited|lost server/],
  // 3.3a: `duplicate session: NAME`.
  ['sessionExists', /duplicate session/],
];

/** Classifies the error text of a command; null for any other error. */
export const tmuxErrorKind = (error: string | null): TmuxErrorKind | null =>
  texts.find(([, text]) => text.test(error ?? ''))?.[0] ?? null;
