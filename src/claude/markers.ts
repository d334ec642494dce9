import type { Env } from '../paths.ts';

/** What a session sets for those it starts. Inherited, it makes a CLI take itself for a child and keep no transcript. */
export const markers: readonly string[] = [
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SKIP_PROMPT_HISTORY',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_PID',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_ENV_FILE',
];

/** By this a session knows the one that started it; `drover new` sets it inside a session. */
export const parentVariable = 'DROVER_PARENT_SESSION';

/** An environment without them, and without the terminal that whoever asks may sit in. */
export const withoutMarkers = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !markers.includes(name) && name !== 'TMUX' && name !== 'TMUX_PANE',
    ),
  );
