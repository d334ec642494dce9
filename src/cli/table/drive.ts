/** Commands that start sessions and type into them. */
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';
import { printVerb } from './print.ts';
import { wakeVerb } from './wake.ts';

export const driveVerbs: Verb[] = [
  {
    name: 'new',
    args: '[prompt]',
    summary: 'Start a session in its own tmux session',
    options: {
      dir: { value: '<dir>', short: 'd', help: 'Working directory (default: the current one)' },
      on: { value: '<host>', help: 'Start it on this host of the fleet' },
      name: { value: '<name>', help: 'Name of the session' },
      model: { value: '<model>', help: 'Model to use' },
      'permission-mode': {
        value: '<mode>',
        help: 'Permission mode, as in `claude --permission-mode`: default, acceptEdits, plan, …',
      },
      id: { value: '<uuid>', help: 'Session id (default: a new one)' },
      held: { help: 'Hold its requests, so that answers go through its hooks' },
      trust: { help: 'Accept the trust dialog for the folder' },
      json,
    },
    details: `Arguments after -- are passed to claude.

  drover new "fix the failing test" --dir ~/app
  drover new "run the benchmark" --on devbox`,
    passThrough: true,
    load: () => import('../verbs/new.ts'),
  },
  {
    name: 'send',
    args: '<session> [text]',
    summary: 'Send a message to a session and report its outcome',
    options: {
      wait: {
        value: '<status>',
        choices: ['queued', 'typed', 'submitted', 'answered'],
        help: 'Return when it is queued, typed, submitted (default) or answered',
      },
      timeout: { value: '<s>', help: 'Seconds to wait (default 600); the message is not cancelled' },
      command: { help: 'Run the text as a slash command' },
      force: { help: 'Type it even while the session is working' },
      json,
    },
    details: `Without text, or with -, the message is read from standard input. While the session is working, the message is queued.
Nothing is typed over your draft or into a dialog: the command exits with 6. It also exits with 6 for a session that you started
yourself, until \`drover drive\` allows it, because a script may have run the command. From the board and the page you can always
send a message.

  drover send 23e30f82 "and now the docs" --wait answered`,
    daemon: true,
    load: () => import('../verbs/send.ts'),
  },
  {
    name: 'continue',
    args: '[session]',
    summary: 'Continue a session after the reset of its usage limit',
    options: {
      'at-reset': { help: 'Send one message after the reset' },
      all: { help: 'All sessions that wait for a usage limit' },
      message: {
        value: '<text>',
        help: 'The message (default: `continue`, or `continue.message` in config.json)',
      },
      within: { value: '<time>', help: 'How far ahead the reset may be (default 6h)' },
      list: { help: 'List the scheduled messages; also without arguments' },
      cancel: { help: 'Cancel the scheduled message' },
      json,
    },
    details: `Nothing is sent if a turn begins before, or if Claude Code announces that it continues by itself. Sessions of one account get
their messages one after the other. A scheduled message survives a restart of the daemon and is typed once; its receipt is among
the messages of the session.

  drover continue --all --at-reset
  drover continue 6c57b6f4 --at-reset --message "go on with the tests"
  drover continue 6c57b6f4 --cancel`,
    daemon: true,
    load: () => import('../verbs/continue.ts'),
  },
  {
    name: 'menu',
    args: '<session> [action] [words...]',
    summary: 'Read the screen of a session, choose options and type',
    options: {
      expect: { value: '<text>', help: 'Press nothing unless the dialog shows this text' },
      id: { value: '<number>', help: 'Request to act on; press nothing if it is gone' },
      'no-wait': { help: 'queue: return at once' },
      timeout: { value: '<s>', help: 'queue: seconds to wait for all commands (default 600)' },
      cancel: { help: 'queue: cancel the commands that have not started' },
      json,
    },
    details: `Actions:
  snapshot            show the screen, and the menu or prompt on it; the default
  enter               choose the selected option
  esc                 leave the menu; interrupt a working session
  choose <n|label>    choose an option; toggle it where several may be chosen
  type <text>         type into an empty prompt, or into an option that takes text
  submit              submit the prompt, or the chosen answers
  clear_then <text>   run /clear, then send this text to the new conversation
  ask <answer>...     answer all questions: a label, its number, several with commas, or your own text
  queue <command>...  run commands one after the other; if somebody else types, the rest is cancelled

Each action is rejected if the screen does not allow it, and returns when the screen shows its effect. \`ask\` compares your
answers with those Claude Code received and exits with 7 if they differ.

  drover menu 6c57b6f4 choose 1 --expect 'touch made'
  drover menu 6c57b6f4 ask Large Nuts,Milk
  drover menu 6c57b6f4 queue /clear 'run the tests'`,
    passThrough: true,
    daemon: true,
    load: () => import('../verbs/menu.ts'),
  },
  {
    name: 'interrupt',
    args: '<session>',
    summary: 'Interrupt a session with Esc and wait until it stops working',
    options: { json },
    daemon: true,
    load: () => import('../verbs/interrupt.ts'),
  },
  {
    name: 'stop',
    args: '<session>',
    summary: 'Stop a session gracefully: SIGTERM, then SIGKILL after 5 s',
    options: { force: { help: 'Also stop a session that Drover does not manage' }, json },
    daemon: true,
    load: () => import('../verbs/stop.ts'),
  },
  {
    name: 'park',
    args: '<session>',
    summary: 'End an idle session to free its memory, and keep it listed',
    options: { json },
    details: `Its process ends with SIGTERM, so Claude Code keeps a worktree that it made. \`drover go\`, Enter on the board and \`drover send\` start it again: in its directory, with
its settings, model and permission mode, in a window of the same name. Exits with 6 if there is a dialog, a draft in the
prompt line, a background task or a waiting message. \`park.idleHours\` in config.json parks idle sessions automatically.

  drover park 6c57b6f4`,
    daemon: true,
    load: () => import('../verbs/park.ts'),
  },
  {
    name: 'drive',
    args: '<session>',
    summary: 'Allow programs to type into a session that you started yourself',
    options: { off: { help: 'Revoke it' }, json },
    details: `With \`"drive": "managed"\` in config.json (the default), commands and programs can send messages and keys, interrupt and stop only sessions that
Drover started. This command adds one of your own sessions, and its successors after /clear or a resume, until --off. It does not
affect answers to requests (\`drover answer\`), or what you do on the board or the page.

  drover drive 6c57b6f4 && drover send 6c57b6f4 "run the tests"`,
    daemon: true,
    load: () => import('../verbs/drive.ts'),
  },
  printVerb,
  wakeVerb,
];
