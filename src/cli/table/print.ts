/** `drover print`, with the flags of `claude-print`. */
import type { Verb } from '../verb.ts';

export const printVerb: Verb = {
  name: 'print',
  args: '[prompt]',
  summary: 'Run one prompt through the interactive CLI and print the answer',
  options: {
    'input-file': {
      value: '<file>',
      short: 'f',
      help: 'Read the prompt from this file instead of argument or standard input',
    },
    'output-format': {
      value: '<format>',
      short: 'o',
      choices: ['text', 'json', 'stream-json'],
      help: 'text (default), json (one object) or stream-json (transcript lines as they are written)',
    },
    model: { value: '<model>', short: 'm', help: 'Model (default: the one `claude` would use)' },
    'max-turns': { value: '<n>', help: 'Stop the run after this many answers' },
    allowedTools: { value: '<tools>', help: 'Tools that need no permission, e.g. "Bash(git:*),Edit"' },
    disallowedTools: { value: '<tools>', help: 'Tools that are denied' },
    'permission-mode': { value: '<mode>', help: 'Permission mode of the session' },
    'dangerously-skip-permissions': { help: 'Skip all permission requests' },
    'on-permission': {
      value: '<action>',
      choices: ['fail', 'wait', 'hold'],
      help: 'On a permission request: fail (default) and name the tool, wait for its terminal, or hold for `drover answer`',
    },
    'mcp-config': { value: '<config>', repeatable: true, help: 'Use only these MCP servers' },
    'append-system-prompt': { value: '<text>', help: 'Add this to the system prompt' },
    'add-dir': { value: '<dir>', repeatable: true, help: 'Another folder that tools may use' },
    resume: { value: '<id>', short: 'r', help: 'Continue this session' },
    continue: { short: 'c', help: 'Continue the last session of this folder' },
    'session-id': { value: '<uuid>', help: 'Id of the new session' },
    'no-inherit-hooks': { help: 'Ignore user and project settings, and so their hooks' },
    trust: { help: 'Accept the trust dialog for this folder permanently' },
    'trust-once': { help: 'Trust this folder for this run only; the default as `claude-print`' },
    'trust-fallback': {
      help: 'If the CLI asks all the same, accept its dialog permanently; the default as `claude-print`',
    },
    'pretrust-cwd': { help: 'Mark this folder as trusted in ~/.claude.json first' },
    timeout: { value: '<s>', help: 'Seconds for the whole run (default 3600)' },
    'first-output-timeout': { value: '<s>', help: 'Seconds until the CLI shows anything (default 90)' },
    'stream-json-timeout': { value: '<s>', help: 'Seconds until the first line of stream-json (default 90)' },
    'stop-hook-timeout': {
      value: '<s>',
      help: 'Seconds without progress and without a Stop hook (default 120)',
    },
    'claude-binary': { value: '<path>', help: 'CLI to run' },
    warm: {
      help: "Use a session of the daemon's warm pool, or start one as usual if there is none (--verbose says why)",
    },
    config: {
      value: '<file>',
      help: "claude-print's defaults file: model, inherit_hooks, max_turns, timeout_secs in a [defaults] table",
    },
    'pool-socket': {
      value: '<path>',
      help: 'Accepted for compatibility with claude-print and ignored; see --warm',
    },
    'show-child-stderr': { help: "On failure, print the CLI's last screen" },
    verbose: { help: 'Print progress on standard error' },
    check: { help: 'Check that a run can work here; exits with 0 or 2' },
    clean: { help: 'With --check: remove leftovers of killed runs older than an hour' },
    version: { short: 'V', help: 'Print the version' },
  },
  details: `Arguments after -- are passed to claude. Needs no daemon. Also installed as \`claude-print\` (\`drover setup --alias
claude-print\`).

Exit codes: 0 answered, 1 the assistant failed, 2 internal error, 4 no prompt, 124 timeout, 130 interrupted.

  drover print "say hi"
  git diff | drover print -o json -- --effort high`,
  passThrough: true,
  load: () => import('../verbs/print.ts'),
};
