/** Commands that show what sessions are doing. */
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';
import { sessionHelp } from './session-help.ts';

export const watchVerbs: Verb[] = [
  {
    name: 'board',
    args: '',
    summary: 'Show the live board; `drover` without a command does the same',
    options: {},
    details: `Waiting sessions come first. Enter opens the selected session, Tab the next one in the queue, ? lists the keys. Starts
the daemon if needed. Without a terminal it prints the list of \`drover ls\`.`,
    load: () => import('../verbs/board.ts'),
  },
  {
    name: 'ls',
    args: '[filter...]',
    summary: 'List sessions, those waiting for you first',
    options: {
      all: { short: 'a', help: 'Include ended and headless sessions' },
      waiting: { short: 'w', help: 'Only waiting sessions: blocked ones, and those that have finished' },
      local: { help: 'Only sessions of this machine, not those of the fleet' },
      watch: { help: 'Print the list again whenever it changes' },
      json,
    },
    details: `A filter is a list of words that must all match, and of tag:, branch:, state:, project: and host: terms.
Separate several values with commas. Parked sessions are listed; ended ones only with --all. Columns for id, branch and changed files
appear from 100 columns on, for pane, memory and tags from 120 on, if there is room left for the request. With sessions of other
hosts there is a column for the host; \`away 3 min\` is the time since its last heartbeat.

  drover ls tag:urgent
  drover ls host:devbox,local
  drover ls state:waiting,parked branch:feature`,
    daemon: true,
    load: () => import('../verbs/ls.ts'),
  },
  {
    name: 'show',
    args: '<session>',
    summary: 'Show one session and its open requests in full',
    options: { json },
    details: sessionHelp,
    daemon: true,
    load: () => import('../verbs/show.ts'),
  },
  {
    name: 'rename',
    args: '<session> [title...]',
    summary: 'Give a session a title',
    options: {
      clear: { help: 'Remove it, so that the title from Claude Code or the project is shown' },
      json,
    },
    details: `The last name that you gave wins: here, or with /rename in Claude Code. Without one, the title that Claude Code generated
is shown, else the project.

${sessionHelp}

  drover rename 6c57b6f4 Payments export`,
    daemon: true,
    load: () => import('../verbs/rename.ts'),
  },
  {
    name: 'tag',
    args: '<session> [tag...]',
    summary: 'Add tags to a session, or list them',
    options: { remove: { value: '<tag>', short: 'r', repeatable: true, help: 'Remove this tag' }, json },
    details: `A tag is one word of letters, digits, \`.\`, \`_\`, \`/\` and \`-\`.

${sessionHelp}

  drover tag payments urgent client-a
  drover ls tag:urgent`,
    daemon: true,
    load: () => import('../verbs/tag.ts'),
  },
  {
    name: 'explain',
    args: '<session>',
    summary: 'Explain why a session is in its current state',
    options: { json },
    daemon: true,
    load: () => import('../verbs/explain.ts'),
  },
  {
    name: 'changes',
    args: '<session>',
    summary: 'List the files that a session changed, with diffs',
    options: {
      diff: { short: 'd', help: 'Show the diffs, by turn' },
      git: { help: 'Show all changes of the working tree since HEAD, whoever made them' },
      json,
    },
    details: `The changes are the session's own, even when several sessions share a checkout: they come from its Edit, Write,
MultiEdit and NotebookEdit calls. Files that its shell commands changed are marked as inferred: git lists them at the end of
the turn, and they changed while a command ran. A file that another live session changed within 30 minutes is marked as a
collision; nothing is blocked.

${sessionHelp}

  drover changes payments
  drover changes 6c57b6f4 --diff
  drover changes 6c57b6f4 --git --diff`,
    daemon: true,
    load: () => import('../verbs/changes.ts'),
  },
  {
    name: 'worktrees',
    args: '',
    summary: 'List the git worktrees of sessions, and remove merged ones',
    options: {
      'remove-merged': { help: 'Remove those that are merged and clean; asks first' },
      yes: { short: 'y', help: 'Do not ask' },
      json,
    },
    details: `Lists the linked worktrees in which sessions run or ran, with size and branch. A worktree is merged when its commit is in
the default branch. One with changes, untracked files, a live or parked session, a lock or submodules is never removed. Files
that git ignores are removed with it; its branch stays.

  drover worktrees
  drover worktrees --remove-merged`,
    daemon: true,
    load: () => import('../verbs/worktrees.ts'),
  },
  {
    name: 'audit',
    args: '[session]',
    summary: 'Show who did what to which session, when and from where',
    options: {
      since: { value: '<time>', help: 'Start at a date or age, e.g. 2h or 3d' },
      last: { value: '<n>', help: 'Newest n entries (default 100, at most 1000)' },
      json,
    },
    details: `Lists answers, messages, keys, menus, starts, stops, holds, token changes, sign-ins and \`forget\`, successful or rejected,
oldest first. With a session: what was done to it, and what was attempted from inside it. \`drover forget\` removes the
texts; time, caller, action, tool and result are kept for 400 days.

  drover audit --since 2h
  drover audit 6c57b6f4 --json`,
    daemon: true,
    load: () => import('../verbs/audit.ts'),
  },
  {
    name: 'denied',
    args: '[session]',
    summary: 'List calls that Claude Code denied without asking, and allow one',
    options: {
      since: { value: '<time>', help: 'Start at a date or age, e.g. 2h or 3d' },
      last: { value: '<n>', short: 'n', help: 'Newest n calls (default 50, at most 1000)' },
      allow: {
        value: '<id>',
        help: 'Add the rule that allows this call to your settings of its project; shows the change and asks',
      },
      'dry-run': { help: 'With --allow: only show the change' },
      json,
    },
    details: `In auto mode Claude Code checks each call and denies what it takes for risky, without a dialog. The list has the call, the
reason, and how many calls each permission rule would have allowed. A message helps without a rule: \`drover send <session> "You may run …"\`.

  drover denied --since 1d
  drover denied 6c57b6f4 --json
  drover denied --allow 4711`,
    daemon: true,
    load: () => import('../verbs/denied.ts'),
  },
  {
    name: 'open',
    args: '',
    summary: 'Open the page: board, requests and terminals in your browser',
    options: {
      print: { help: 'Print the address instead; it works once, within two minutes' },
      at: {
        value: '<url>',
        help: 'Address at which the browser reaches the daemon, e.g. through a tunnel',
      },
      qr: { help: 'Print a QR code instead, which pairs one phone or tablet once' },
      json,
    },
    details: `Starts the daemon if needed. Prints the address if there is no browser. \`drover token rotate\` signs out all browsers.
A paired device stays signed in when its browser is closed; \`drover devices\` lists and revokes devices.

  drover open
  drover open --print --at https://drover.example
  drover open --qr --at https://drover.example`,
    load: () => import('../verbs/open.ts'),
  },
  {
    name: 'devices',
    args: '[rm] [device]',
    summary: 'List the devices that are signed in to the page, or sign one out',
    options: { json },
    details: `Pair a phone with \`drover open --qr\`. \`rm\` signs a device out and ends its streams at once.

  drover devices
  drover devices rm 3f9c20a1`,
    daemon: true,
    load: () => import('../verbs/devices.ts'),
  },
  {
    name: 'notify',
    args: '[log|test]',
    summary: 'List notifications that were sent, failed or suppressed, and why',
    options: { last: { value: '<n>', short: 'n', help: 'Newest n entries (default 50)' }, json },
    details: `\`drover setup --notify\` turns notifications on. Channels, delays and quiet hours are set under \`notify\` in
config.json. \`test\` sends one notification through every channel now, and exits with 1 if one failed.

  drover notify log -n 20
  drover notify test`,
    daemon: true,
    load: () => import('../verbs/notify.ts'),
  },
  {
    name: 'events',
    args: '[session]',
    summary: 'Show the event log',
    options: {
      follow: { short: 'f', help: 'Keep printing new events' },
      after: { value: '<seq>', help: 'Start after this sequence number (0: from the beginning)' },
      last: { value: '<n>', short: 'n', help: 'Start with the newest n events (default 50)' },
      json: { help: 'Print one JSON object per line, including the payload' },
    },
    details: `${sessionHelp}

  drover events -f
  drover events 23e30f82 --after 0 --json`,
    daemon: true,
    load: () => import('../verbs/events.ts'),
  },
  {
    name: 'timeline',
    args: '',
    summary: 'Show today as one bar per session: when it worked and waited',
    options: {
      hours: { value: '<n>', help: 'Number of hours to include instead of today' },
      json,
    },
    daemon: true,
    load: () => import('../verbs/timeline.ts'),
  },
  {
    name: 'stats',
    args: '',
    summary: 'Show how long sessions waited for you, by day, reason and project',
    options: {
      days: { value: '<n>', help: 'Number of days to include, counting today (default 14)' },
      fleet: { help: 'Ask every host of the fleet, and show a line for each' },
      json,
    },
    details: 'A wait counts for the day it ended. Waits are kept for 400 days; `drover forget` removes them.',
    daemon: true,
    load: () => import('../verbs/stats.ts'),
  },
  {
    name: 'usage',
    args: '',
    summary: 'Show tokens and cost by day, project, session or model',
    options: {
      by: {
        value: '<what>',
        choices: ['day', 'project', 'session', 'model'],
        help: 'day (default), project, session or model',
      },
      since: { value: '<time>', help: 'A date, or an age such as 7d (default 30d; `all` for everything)' },
      fleet: { help: 'Ask every host of the fleet, and add up what they answer' },
      json,
      csv: { help: 'Print comma-separated values, with exact figures' },
    },
    details: `Counts all transcripts of Claude Code, with subagents and sessions from before Drover was installed. The cost is what the
API would charge for these tokens; with a subscription you do not pay it. A model without a known price has tokens only: add its price under
\`prices\` in the config. \`budget\` in the config (day, week, session; in dollars) sends a notification when it is reached.

  drover usage --by project --since 7d
  drover usage --by session --since 2026-01-31 --csv`,
    daemon: true,
    load: () => import('../verbs/usage.ts'),
  },
];
