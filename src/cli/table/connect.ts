/** Commands for agents, programs and stored data. */
import { rightsHelp } from '../../contract/rights.ts';
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';

export const connectVerbs: Verb[] = [
  {
    name: 'wake',
    args: 'add|ls|rm|test|pause|resume|import|log [agent|file]',
    summary: 'Notify other agents about what your sessions do and request',
    options: {
      tmux: { value: '<name>', help: 'add: watch the session in the tmux session with this exact name' },
      project: { value: '<dir>', help: 'add: watch all sessions started in this folder' },
      session: { value: '<id>', repeatable: true, help: 'add: watch this session; log: only this session' },
      parent: { value: '<id>', help: 'add: watch the sessions that this session starts, and notify it' },
      origin: {
        value: '<name>',
        repeatable: true,
        help: 'add: watch the sessions that this token or host reports',
      },
      openclaw: { value: '<id>', help: 'add: deliver with `openclaw agent --session-id`' },
      webhook: { value: '<url>', help: 'add: deliver with POST' },
      'secret-file': {
        value: '<file>',
        help: 'With --webhook: sign with the secret in this file (mode 0600)',
      },
      'to-session': { value: '<id>', help: 'add: deliver as a message to this session' },
      mode: {
        value: '<mode>',
        choices: ['async', 'bidirectional'],
        help: 'add: bidirectional if its answer decides (default async)',
      },
      set: {
        value: '<name=value>',
        repeatable: true,
        help: 'add: setting of this agent, e.g. max_blocks=2, triggers.plan=false; name= removes it',
      },
      replace: { help: 'add, import: replace an existing entry or setting' },
      'dry-run': { help: 'test: send nothing; import: write nothing' },
      agent: { value: '<agent>', help: 'log: only this agent' },
      last: { value: '<n>', short: 'n', help: 'log: newest n entries (default 50)' },
      json,
    },
    details: `Agents are stored in config.json, in the format of gsd-code-skill. Changes apply at once. To deliver to a command, put it
after --; it gets the message on standard input.

  drover wake add warden --tmux warden-main --openclaw 7c1f
  drover wake add watch --project ~/projects -- logger -t claude
  drover wake import recovery-registry.json
  drover wake test warden`,
    passThrough: true,
    load: () => import('../verbs/wake.ts'),
  },
  {
    name: 'token',
    args: '<action> [name]',
    summary: 'Manage tokens for programs: add, ls, rm, rotate',
    options: {
      scope: {
        value: '<rights>',
        help: 'add: rights separated by commas: ingest, read, queue, answer, drive, admin',
      },
      json,
    },
    details: `Actions:
  add <name> --scope <rights>   Create a token and print it once
  ls                            List named tokens, their rights and last use
  rm <name>                     Remove a token and close its streams
  rotate [name]                 Replace a token. Without a name: the one in DROVER_HOME/token; signs out all browsers

Rights:
${Object.entries(rightsHelp)
  .map(([right, help]) => `  ${right.padEnd(8)} ${help}`)
  .join('\n')}

A token has only the rights listed for it. No token is enough to let programs drive or hold your own session, or to sign in
a browser; these need a person. The token in DROVER_HOME/token has \`admin\`. This command does not run inside a Claude Code
session.

  drover token add ci --scope read,answer
  drover token rm ci`,
    load: () => import('../verbs/token.ts'),
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
    name: 'forget',
    args: '[session]',
    summary: 'Delete sessions from the log and from everything derived from it',
    options: {
      before: { value: '<time>', help: 'Sessions without events since a date or for an age, e.g. 30d' },
      all: { help: 'All sessions' },
      json,
    },
    details: "Overwrites the text on disk. Claude's own transcripts are not changed.",
    load: () => import('../verbs/forget.ts'),
  },
];
