/** Commands that install, run and check Drover. */
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';

export const setupVerbs: Verb[] = [
  {
    name: 'demo',
    args: '',
    summary: 'Try Drover with scripted sessions; needs no account and no setup',
    options: {
      page: { help: 'Also open the page in your browser' },
      print: { help: "Only print the page's address; stop with Ctrl-C" },
      json,
    },
    details: `Runs in a temporary folder with its own tmux server and daemon. It needs no Claude Code and does not touch your files. Everything is deleted when you quit: q on the board, or prefix d.

Enter on the board opens a session, and you can answer it there. Prefix B goes back, prefix o shows the page's address.
Without a terminal it behaves as with --print.`,
    load: () => import('../verbs/demo.ts'),
  },
  {
    name: 'setup',
    args: '',
    summary: "Register hooks in Claude's settings, or set up tmux (--tmux)",
    options: {
      'dry-run': { help: 'Print the diff and write nothing' },
      remove: { help: 'Remove the hooks; the file is restored byte for byte' },
      scope: {
        value: '<scope>',
        choices: ['user', 'project', 'local'],
        help: 'Settings file to change: user (default), project (shared) or local',
      },
      tmux: { help: 'Set up only tmux: status, pane titles and keys' },
      socket: {
        value: '<path>',
        repeatable: true,
        help: 'With --tmux: load it into this server (default: all running servers)',
      },
      'load-only': { help: 'With --tmux: do not change tmux.conf (for plugin managers)' },
      protect: { help: "Add only rules that keep Claude Code's tools out of DROVER_HOME" },
      statusline: {
        help: "Read only cost and context from Claude Code's status line; yours keeps running",
      },
      mcp: { help: 'Register only the MCP server, so that sessions can use Drover' },
      drive: { help: 'With --mcp: let it also start, message and stop sessions, not only read' },
      answer: { help: 'With --mcp: let it answer requests of other sessions, permissions too' },
      with: {
        value: '<event>',
        repeatable: true,
        choices: ['MessageDisplay'],
        help: 'Also register a frequent event',
      },
      alias: {
        value: '<names>',
        repeatable: true,
        choices: ['cld', 'claude-print', 'menu-driver.sh'],
        help: 'Also install Drover as cld, claude-print or menu-driver.sh',
      },
      notify: { help: 'Turn notifications on, without asking' },
      'no-notify': { help: 'Turn notifications off, without asking' },
      json,
    },
    details: `Registers only events that every Claude CLI on this machine supports. Your own hooks, the order of keys and the
formatting of the file stay as they are. A backup is kept in DROVER_HOME/backups.

  drover setup --dry-run
  drover setup --scope project

In a terminal it asks once whether to notify you. In scripts, use --notify or --no-notify; without them and without a
terminal, notifications stay as they are.

--tmux writes DROVER_HOME/tmux.conf, adds one line to your tmux.conf that sources it, and loads it into running servers.
Your own formats and key bindings are kept.

  drover setup --tmux
  drover setup --tmux --remove

--statusline registers a script as \`statusLine\` in your user settings. It runs your own status line and passes its output on;
without one it shows model, context, cost today and waiting sessions. --statusline --remove restores the file.

--mcp runs \`claude mcp add\` for \`drover mcp\` in user scope and gives it a token of its own, which can only read. --drive lets it
start, message and stop other sessions, --answer lets it answer their requests, but not those of sessions that it started itself. It never acts
on the session that it runs in. --mcp --remove removes the registration and the token.

--protect adds \`permissions.deny\` rules for DROVER_HOME to your user settings. They do not restrict Bash, which runs as
you. --protect --remove removes the rules; --remove removes rules and hooks.`,
    load: () => import('../verbs/setup.ts'),
  },
  {
    name: 'config',
    args: 'get|set|unset|edit|check|schema [name] [value]',
    summary: 'Read, change and check config.json',
    options: { json },
    details: `Actions:
  get [name]          Print a setting, or all, with defaults. Exits with 1 if it is not set
  set <name> <value>  Change a setting. The value is JSON or text
  unset <name>        Remove a setting, so that its default applies
  edit                Open a copy in VISUAL or EDITOR. It is saved only if it is valid, else kept for the next edit
  check               Check the file and name wrong and unknown fields. Exits with 1 if a field is wrong
  schema              Print the JSON schema of the file, for editors

A running daemon applies changes at once. \`port\`, \`claudeDirs\`, \`env\`, \`tmuxSocket\` and \`autostart\` apply after
\`drover restart\`, \`tmux\` with \`drover setup --tmux\`. If the file is not valid, the daemon keeps the previous config and
\`drover doctor\` says so. The rest of the file keeps its formatting.

  drover config set stalls.queue true
  drover config set notify '{"after": 60, "desktop": true}'
  drover config get drive`,
    load: () => import('../verbs/config.ts'),
  },
  {
    name: 'doctor',
    args: '',
    summary: 'Check the whole path from hook to log and say how to fix problems',
    options: {
      at: { value: '<url>', help: 'Check whether a phone can reach the page at this URL' },
      fix: { help: 'Show what can be repaired, and ask before repairing it' },
      yes: { short: 'y', help: 'With --fix: do not ask' },
      json,
    },
    details: `Sends a test event through the registered hook. Exits with 1 if a check fails.

--at checks from outside: TLS, the certificate, the Host header, that it asks for a sign-in, and that nothing else is reachable. It
sends no token.

--fix repairs missing or outdated hooks, the script that they run, the script of the MCP server, the settings of
\`drover setup --tmux\`, permissions of files, what a dead daemon left behind, and a damaged search index. Then it checks again.
Without --fix, the line \`repairs\` names what it would repair. --fix --json without --yes prints the repairs and changes nothing.

  drover doctor --fix
  drover doctor --at https://drover.example`,
    load: () => import('../verbs/doctor.ts'),
  },
  {
    name: 'report',
    args: '',
    summary: 'Write a redacted bundle for a bug report, and show it first',
    options: {
      out: { value: '<file>', short: 'o', help: 'File to write (default: drover-report-<time>.json here)' },
      yes: { short: 'y', help: 'Save it without asking' },
    },
    details: `Contains versions, the results of \`drover doctor\`, known fields of the config, recent errors, and outlines of sessions and
events. It contains no prompts, answers, titles, paths, addresses, ids, tokens or names: of an error it
contains only text that is part of Drover's own code. It is printed before you are asked whether to save it.

  drover report`,
    load: () => import('../verbs/report.ts'),
  },
  {
    name: 'up',
    args: '',
    summary: 'Start the daemon in the background',
    options: {
      foreground: { help: 'Run in this terminal until Ctrl-C' },
      port: { value: '<port>', help: 'Port to listen on (default 4000 or DROVER_PORT; 0 for any free port)' },
      host: { value: '<address>', help: 'With --foreground: listen on this address instead of 127.0.0.1' },
      'allow-host': {
        value: '<host>',
        repeatable: true,
        help: 'With --foreground: also accept this Host header, e.g. host.docker.internal',
      },
      'behind-tls': { help: 'With --host: confirm that a TLS proxy is in front' },
      'i-understand': { help: 'With --host: allow tokens and prompts to be sent unencrypted' },
      json,
    },
    details: `Does nothing if the daemon is already running. Hooks and commands start it too when needed, unless you stopped it with
\`drover down\`.`,
    load: () => import('../verbs/up.ts'),
  },
  {
    name: 'down',
    args: '',
    summary: 'Stop managed sessions and the daemon; no event is lost',
    options: { keep: { help: 'Leave managed sessions running' }, json },
    details: `Managed sessions are those that Drover started or resumed. \`drover restart\`, a signal or a crash leaves them running. If the
daemon is already gone, it is started again to stop them. Exits with 7 and names the session if one does not stop.

Hooks keep writing to the spool, which the next daemon reads.`,
    load: () => import('../verbs/down.ts'),
  },
  {
    name: 'restart',
    args: '',
    summary: 'Replace the daemon with a new one without losing events',
    options: { json },
    load: () => import('../verbs/restart.ts'),
  },
  {
    name: 'status',
    args: '',
    summary: 'Show whether the daemon is running and whether anything was lost',
    options: { json },
    details: 'Exits with 0 if the daemon is running, 3 if not.',
    load: () => import('../verbs/status.ts'),
  },
  {
    name: 'service',
    args: 'install|remove',
    summary: 'Run the daemon as a user service (systemd or launchd)',
    options: { json },
    load: () => import('../verbs/service.ts'),
  },
  {
    name: 'completion',
    args: 'bash|zsh|fish',
    summary: 'Print a completion script for your shell',
    options: {},
    details: `  drover completion bash > ~/.local/share/bash-completion/completions/drover
  drover completion zsh > "\${fpath[1]}/_drover"
  drover completion fish > ~/.config/fish/completions/drover.fish`,
    load: () => import('../verbs/completion.ts'),
  },
  {
    name: 'uninstall',
    args: '',
    summary: 'Undo all of setup, and stop the daemon and its sessions',
    options: {
      yes: { help: 'Do not prompt; keep the data unless --delete-data' },
      'keep-data': { help: 'Keep the event log and everything else in DROVER_HOME' },
      'delete-data': { help: 'Delete DROVER_HOME' },
      keep: { help: 'Leave the sessions running that Drover started' },
      json,
    },
    details:
      'Removes hooks, tmux settings, MCP server, service and aliases. In a terminal it asks first whether to delete the data too: history,\ntokens, settings and backups. Afterwards `npm uninstall -g drover` removes\nthe command itself.',
    load: () => import('../verbs/uninstall.ts'),
  },
];
