/** The verb table: every command, its flags and its help. Help, completion, README and dispatch are made from it. */
import type { Verb } from './verb.ts';

const json = { help: 'print JSON for programs' };

export const verbs: Verb[] = [
  {
    name: 'up',
    words: '',
    summary: 'start the daemon in the background',
    options: {
      foreground: { help: 'stay in this terminal until Ctrl-C' },
      port: { value: '<port>', help: 'listen on this port (default 4000, or DROVER_PORT; 0: any free one)' },
      json,
    },
    more: 'Does nothing when it runs already. A hook may start it too, until `drover down`.',
    load: () => import('./up.ts'),
  },
  {
    name: 'down',
    words: '',
    summary: 'stop the daemon; events go into the spool until the next `up`',
    options: { json },
    load: () => import('./down.ts'),
  },
  {
    name: 'restart',
    words: '',
    summary: 'swap the daemon for a new one with nothing lost',
    options: { json },
    load: () => import('./restart.ts'),
  },
  {
    name: 'status',
    words: '',
    summary: 'say whether the daemon is up, and whether anything is lost or stuck',
    options: { json },
    more: 'Exit code 0 when it is up, 3 when it is down.',
    load: () => import('./status.ts'),
  },
  {
    name: 'setup',
    words: '',
    summary: "register Drover's hooks in Claude's settings",
    options: {
      scope: {
        value: '<scope>',
        choices: ['user', 'project', 'local'],
        help: 'user (default), project (shared) or local settings file',
      },
      'dry-run': { help: 'print the exact diff and write nothing' },
      remove: { help: 'take the hooks out again; the file is as it was' },
      with: { value: '<event>', many: true, choices: ['MessageDisplay'], help: 'watch a loud event too' },
      alias: {
        value: '<names>',
        many: true,
        choices: ['cld', 'claude-print'],
        help: 'link further names for drover: cld,claude-print',
      },
      json,
    },
    more: 'Only events that every Claude CLI on this machine knows are registered. Other hooks, key order and formatting\nof the file stay as they are, and a copy of it is kept in DROVER_HOME/backups.\n\n  drover setup --dry-run\n  drover setup --scope project',
    load: () => import('./setup.ts'),
  },
  {
    name: 'uninstall',
    words: '',
    summary: 'remove the hooks of every scope, the service and the daemon',
    options: {
      yes: { help: 'ask nothing; the data is kept unless --delete-data' },
      'keep-data': { help: 'keep the event log and everything else in DROVER_HOME' },
      'delete-data': { help: 'delete it' },
      json,
    },
    load: () => import('./uninstall.ts'),
  },
  {
    name: 'events',
    words: '[session]',
    summary: 'show the event log',
    options: {
      follow: { short: 'f', help: 'go on with what comes' },
      after: { value: '<seq>', help: 'begin behind this sequence number (0: all that is kept)' },
      last: { value: '<n>', short: 'n', help: 'begin with the newest n (default 50)' },
      json: { help: 'print one JSON object a line, payload included' },
    },
    more: 'A session is named by a unique prefix of its id, 6 hex digits or more.\n\n  drover events -f\n  drover events 23e30f82 --after 0 --json',
    load: () => import('./events.ts'),
  },
  {
    name: 'forget',
    words: '[session]',
    summary: 'clear sessions from the log and from everything derived from it',
    options: {
      before: { value: '<time>', help: 'sessions last heard of before a date, or longer ago than e.g. 30d' },
      all: { help: 'everything' },
      json,
    },
    more: "Overwrites the text on disk. Claude's own transcripts are not touched.",
    load: () => import('./forget.ts'),
  },
  {
    name: 'doctor',
    words: '',
    summary: 'check every link from hook to log, each failure with its fix',
    options: { json },
    more: 'Sends a probe through the registered command. Exit code 1 when something is wrong.',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'service',
    words: 'install|remove',
    summary: 'run the daemon as a service of yours (systemd or launchd)',
    options: { json },
    load: () => import('./service.ts'),
  },
  {
    name: 'completion',
    words: 'bash|zsh|fish',
    summary: 'print a completion script for your shell',
    options: {},
    more: '  drover completion bash > ~/.local/share/bash-completion/completions/drover\n  drover completion zsh > "${fpath[1]}/_drover"\n  drover completion fish > ~/.config/fish/completions/drover.fish',
    load: () => import('./completion.ts'),
  },
];
