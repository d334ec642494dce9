import type { Env } from '../paths.ts';

/** Variables that a session sets for its child processes. A CLI that inherits them runs as a child and keeps no transcript. */
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

/** Names the session that started this one. `drover new` sets it inside a session. */
export const parentVariable = 'DROVER_PARENT_SESSION';

/** Makes a CLI trust its folder for as long as it runs. 2.1.325 does not pass it on to the programs that it starts. */
export const trustVariable = 'CLAUDE_CODE_SANDBOXED';

/** An environment without them and without the caller's tmux pane. */
export const withoutMarkers = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !markers.includes(name) && name !== 'TMUX' && name !== 'TMUX_PANE',
    ),
  );
