/** Commands for tokens and stored data. */
import { rightsHelp } from '../../contract/rights.ts';
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';

export const connectVerbs: Verb[] = [
  {
    name: 'mcp',
    args: '',
    summary: 'Run the MCP server that lets Claude use Drover',
    options: {
      plugin: { help: 'For the plugin: offer no tools if `drover setup --mcp` has registered them' },
    },
    details: `Speaks MCP on standard input and output. Claude Code starts it; register it once with \`drover setup --mcp\`.

Tools read sessions, requests, transcripts, screens, usage and the queue, and wait for changes. After
\`drover setup --mcp --drive\` they also start, message, interrupt, stop and resume sessions; with --answer they also answer requests. No
tool acts on the session that the server runs in.`,
    load: () => import('../verbs/mcp.ts'),
  },
  {
    name: 'token',
    args: 'add|ls|rm|rotate [name]',
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
    name: 'forget',
    args: '[session]',
    summary: 'Delete sessions from the log and from everything derived from it',
    options: {
      before: { value: '<time>', help: 'Sessions without events since a date or age, e.g. 30d' },
      all: { help: 'All sessions' },
      json,
    },
    details: "Overwrites the text on disk. Claude's own transcripts are not changed.",
    load: () => import('../verbs/forget.ts'),
  },
];
