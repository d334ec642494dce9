/** What Drover does with each fact that the probe measures: the text of docs/claude-code.md, and the code that relies on it. */

export interface ReliedOn {
  area: string;
  /** A sentence that is true for the values in the table. */
  says: string;
  /** The source file that would have to change with it. */
  code: string;
}

const row = (area: string, says: string, code: string): ReliedOn => ({ area, says, code });

const hooks = 'Hooks';
const ends = 'How sessions start and end';
const file = 'Session file';
const transcript = 'Transcript';
const dialogs = 'Dialogs';
const keys = 'Keys and the prompt line';
const limit = 'Usage limits and failures of the API';
const window = 'Status line, result of `claude -p`, context window';

/** By the name of the fact, or its beginning up to a `*`. */
export const reliedOn: { [fact: string]: ReliedOn } = {
  'hooks.known': row(hooks, 'Event names that a settings file may hold', 'src/claude/hook-events.ts'),
  'hooks.fields.*': row(hooks, 'Fields of the payload', 'src/contract/hook.ts'),
  'hooks.environment': row(hooks, 'Variables in the environment of a hook', 'src/hook/emit.sh'),
  'hooks.claudePidSet': row(hooks, '`CLAUDE_PID` is the pid of the CLI', 'src/hook/emit.sh'),
  'hooks.parentIsCli': row(hooks, 'The parent of a hook is the CLI', 'src/hook/emit.sh'),
  'hooks.paneSet': row(hooks, '`TMUX_PANE` is the pane of the CLI', 'src/hook/emit.sh'),
  'hooks.payloadIsOneLine': row(hooks, 'The payload is one line with a newline', 'src/hook/payload.ts'),
  'turn.fires': row(hooks, 'A prompt and its answer fire', 'src/session/reduce-hook.ts'),
  'turn.stopCarriesMessage': row(hooks, 'Stop carries the last message', 'src/session/request/detail.ts'),
  'interrupt.fires': row(hooks, 'Esc while the model answers fires', 'src/session/opinion.ts'),
  'permission.fires': row(hooks, 'A tool that needs approval fires', 'src/session/request/requests.ts'),
  'permission.fields': row(hooks, 'Fields of PermissionRequest for Bash', 'src/session/request/detail.ts'),
  'permission.deniedByEscFires': row(hooks, 'Esc on a permission dialog fires', 'src/session/opinion.ts'),
  'permission.allowedFires': row(
    hooks,
    'An approved tool fires, from prompt to Stop',
    'src/session/request/requests.ts',
  ),
  'question.fires': row(hooks, 'AskUserQuestion fires', 'src/session/request/requests.ts'),
  'question.deniedByEscFires': row(hooks, 'Esc on a question fires', 'src/session/opinion.ts'),
  'toolFailure.fires': row(hooks, 'A tool that fails fires', 'src/session/reduce-hook.ts'),
  'apiError.fires': row(hooks, 'An API error fires', 'src/session/reduce-hook.ts'),
  'subagent.fires': row(hooks, 'A subagent fires', 'src/session/reduce-hook.ts'),
  'background.taskFields': row(hooks, 'A running shell in Stop has', 'src/session/reduce-hook.ts'),
  'compact.fires': row(hooks, '`/compact` fires', 'src/session/reduce-hook.ts'),
  'stopBlock.setsStopHookActive': row(
    hooks,
    'After a blocked Stop the next one has `stop_hook_active`',
    'src/wake/outbox/triggers.ts',
  ),
  'hookAnswer.allowSays': row(
    hooks,
    'A hook that allows closes the dialog, which says',
    'src/hub/request/decision.ts',
  ),
  'hookAnswer.bareAllowClosesPlan': row(
    hooks,
    'A hook that allows a plan without `updatedInput` closes its dialog',
    'src/hub/request/decision.ts',
  ),

  'start.fires': row(ends, 'A start fires', 'src/session/reduce-hook.ts'),
  'start.source': row(ends, 'Its `source`', 'src/session/reduce-hook.ts'),
  'clear.fires': row(ends, '`/clear` fires', 'src/session/fold.ts'),
  'clear.newId': row(ends, 'SessionEnd has the old id, SessionStart a new one', 'src/session/fold.ts'),
  'clear.sameProcess': row(ends, 'The process stays the same', 'src/session/fold.ts'),
  'resume.keepsId': row(ends, '`--resume` keeps the id', 'src/session/fold.ts'),
  'fork.newId': row(ends, '`--fork-session` makes a new id', 'src/session/fold.ts'),
  'fork.startCarriesOldId': row(ends, 'SessionStart of a fork carries the old id', 'src/session/fold.ts'),
  'exit.reason': row(ends, '`reason` of SessionEnd after `/exit`', 'src/session/decide.ts'),
  'exit.removesFile': row(ends, '`/exit` removes the session file', 'src/watch/sweep.ts'),
  'sigterm.fires': row(ends, 'SIGTERM fires', 'src/driver/stop/end-process.ts'),
  'sigkill.fires': row(ends, 'SIGKILL fires', 'src/watch/sweep.ts'),
  'sigkill.leavesFile': row(ends, 'SIGKILL leaves the session file', 'src/watch/sweep.ts'),
  'process.name': row(ends, 'The process is called', 'src/watch/panes.ts'),
  'headless.fires': row(ends, '`claude -p` fires', 'src/session/place.ts'),
  'headless.exitCode*': row(ends, 'Exit code of `claude -p`', 'src/print/run.ts'),

  'file.fields': row(file, 'Fields', 'src/claude/session-file.ts'),
  'file.start': row(file, '`status` after the start', 'src/session/reduce-file.ts'),
  'file.permission': row(
    file,
    '`status` and `waitingFor` of a permission dialog',
    'src/session/reduce-file.ts',
  ),
  'file.question': row(file, '`status` and `waitingFor` of a question', 'src/session/reduce-file.ts'),

  'transcript.foundBySlug': row(
    transcript,
    'It is in the folder named after the directory',
    'src/claude/slug.ts',
  ),
  'transcript.types': row(transcript, 'Types of lines', 'src/claude/transcript.ts'),
  'transcript.userFields': row(transcript, 'Fields of a `user` line', 'src/claude/transcript.ts'),
  'transcript.assistantFields': row(transcript, 'Fields of an `assistant` line', 'src/claude/transcript.ts'),
  'transcript.usageFields': row(transcript, 'Fields of `usage`', 'src/claude/transcript.ts'),
  'transcript.interrupts': row(transcript, 'Texts that mean an interrupt', 'src/claude/transcript.ts'),

  'dialogs.permission': row(
    dialogs,
    'Options of a permission (`>` is selected)',
    'src/claude/screen/menu.ts',
  ),
  'dialogs.question': row(dialogs, 'Options of a question', 'src/claude/screen/menu.ts'),
  'dialogs.severalAnswers': row(
    dialogs,
    'Options of a question with several answers',
    'src/claude/screen/menu.ts',
  ),
  'dialogs.plan': row(dialogs, 'Options of a plan', 'src/claude/screen/menu.ts'),
  'dialogs.trust': row(dialogs, 'Options of the trust dialog', 'src/claude/screen/dialogs.ts'),
  'dialogs.apiKey': row(dialogs, 'Options for an API key in the environment', 'src/claude/screen/dialogs.ts'),
  'dialogs.bypass': row(dialogs, 'Options of the warning about bypass mode', 'src/claude/screen/dialogs.ts'),
  'dialogs.mcp': row(dialogs, 'Options for an MCP server of the project', 'src/claude/screen/dialogs.ts'),
  'dialogs.unknownHookEvent': row(
    dialogs,
    'A hook event that the CLI does not know stops the start with',
    'src/claude/hook-events.ts',
  ),
  'dialogs.*.recognisedAs': row(dialogs, 'Drover recognises it as', 'src/claude/screen/dialogs.ts'),
  'startup.trustFires': row(dialogs, 'Behind the trust dialog fires', 'src/watch/panes.ts'),
  'startup.trustHasFile': row(
    dialogs,
    'There is a session file behind the trust dialog',
    'src/watch/panes.ts',
  ),

  'keys.enterAcceptedAtPaintWhileTyping': row(
    keys,
    'Enter answers a dialog at once, although somebody was typing when it came',
    'src/driver/input/prompt-input.ts',
  ),
  'keys.enterAcceptedAtPaintAfterSilence': row(
    keys,
    'Enter answers a dialog at once, if nobody was typing',
    'src/driver/input/prompt-input.ts',
  ),
  'keys.enterAcceptedOneSecondAfterPaint': row(
    keys,
    'Enter answers it a second later in any case',
    'src/driver/input/prompt-input.ts',
  ),
  'keys.digitSubmitsPermission': row(keys, 'A digit answers a permission at once', 'src/hub/menu/menu.ts'),
  'keys.digitSubmitsQuestion': row(keys, 'A digit answers a question at once', 'src/hub/menu/menu.ts'),
  'prompt.pastedVerbatim': row(keys, 'Pasted text arrives unchanged', 'src/driver/input/prompt-input.ts'),
  'prompt.exclamationFires': row(
    keys,
    '`!` runs a shell command and fires',
    'src/driver/input/prompt-input.ts',
  ),
  'prompt.unknownCommandFires': row(keys, 'An unknown `/command` fires', 'src/driver/input/prompt-input.ts'),
  'prompt.backslashFires': row(
    keys,
    'Enter after a backslash at the end fires',
    'src/driver/input/prompt-input.ts',
  ),

  'limit.statusLineFields': row(
    limit,
    'Quotas of a subscription in the status line',
    'src/session/limit/quota.ts',
  ),
  'limit.statusLineHasSeconds': row(limit, 'Their reset has seconds', 'src/session/limit/quota.ts'),
  'limit.fires': row(limit, 'A 429 of a subscription that is used up fires', 'src/session/limit/limit.ts'),
  'limit.error': row(limit, '`error` of that StopFailure', 'src/session/limit/limit.ts'),
  'limit.message': row(limit, 'Its message', 'src/session/limit/reset-time.ts'),
  'limit.file': row(limit, '`status` and `waitingFor` of the session file then', 'src/session/opinion.ts'),
  'limit.menu': row(limit, 'Options of the menu that opens', 'src/hub/limit/limit-menu.ts'),
  'limit.digitClosesMenu': row(limit, 'A digit closes that menu', 'src/hub/limit/limit-menu.ts'),
  'limit.announcesContinuation': row(
    limit,
    'The screen says "continuing automatically"',
    'src/hub/limit/limit-menu.ts',
  ),
  'limit.transcriptFields': row(limit, 'Fields of the line in the transcript', 'src/claude/transcript.ts'),
  'apiError.message*': row(limit, 'Its message', 'src/session/limit/limit.ts'),
  'apiError.error*': row(limit, '`error` of StopFailure after this HTTP status', 'src/session/state-text.ts'),

  'statusLine.fields': row(window, 'Fields of the JSON for the status line', 'src/hook/learned-windows.ts'),
  'statusLine.model': row(window, 'Default model', 'src/claude/window.ts'),
  'statusLine.window': row(window, 'Its context window', 'src/claude/window.ts'),
  'headless.resultFields': row(window, 'Fields of the result', 'src/print/result.ts'),
  'headless.modelUsageFields': row(window, 'Fields of `modelUsage`', 'src/hook/learned-windows.ts'),
  'headless.defaultModel': row(window, 'Default model of `claude -p`', 'src/claude/window.ts'),
  windows: row(window, 'Context windows, see `src/claude/windows.generated.ts`', 'src/claude/window.ts'),
};

/** The entry of a fact; undefined when nothing says why it is measured. */
export const reliedOnFor = (fact: string): ReliedOn | undefined =>
  reliedOn[fact] ??
  Object.entries(reliedOn).find(([name]) => {
    const [head = '', tail = ''] = name.split('*');
    return name.includes('*') && fact.startsWith(head) && fact.endsWith(tail);
  })?.[1];
