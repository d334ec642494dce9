/** Commands that find and resume past sessions. */
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';

export const resumeVerbs: Verb[] = [
  {
    name: 'resume',
    args: '[session]',
    summary: 'Resume a session in its own directory, or go to it if it runs',
    options: {
      yes: { short: 'y', help: "Change to the session's directory without asking" },
      no: { short: 'n', help: 'Stay in the current directory' },
      here: { help: 'Same as --no, for a session whose directory no longer exists' },
      mkdir: { help: 'Create the directory again if it no longer exists' },
      fork: { help: 'Continue under a new id; the session itself does not change' },
      danger: { short: 'D', help: 'Pass --dangerously-skip-permissions' },
      pick: { help: 'Choose from a list, even if this pane had a session' },
      'or-new': { help: 'Start a new session if there is none to resume, or if you decline' },
      'dry-run': { help: 'Print the directory and the command, start nothing' },
      json: { help: 'With --dry-run: print id, dir and argv as JSON' },
    },
    passThrough: true,
    exits: {
      usage: 1,
      bad_id: 1,
      bad_config: 1,
      refused: 1,
      no_session: 2,
      ambiguous: 3,
      not_in_tmux: 4,
      no_pane_session: 5,
      failed: 6,
      unsupported: 6,
      nested: 7,
    },
    details: `A session is a prefix of its id with at least 6 hex digits. Without one: the session of this pane, or a list to choose
from. Arguments after -- are passed to claude.

Exits with the code of claude once it runs. Before that, as with cld: 0 done, 1 bad input or no answer, 2 no such session,
3 ambiguous, 4 not in tmux, 5 no session in this pane, 6 claude or tmux failed, 7 inside Claude Code.

  drover resume 23e30f82
  drover resume -y 23e30f82 -- --model opus
  drover resume 23e30f82 --dry-run --json`,
    load: () => import('../verbs/resume.ts'),
  },
  {
    name: 'sessions',
    args: '[words...]',
    summary: 'List past sessions of all projects, or search what was said',
    options: {
      project: { value: '<text>', help: 'Only sessions whose directory contains this text' },
      branch: { value: '<text>', help: 'Only sessions whose git branch contains this text' },
      since: { value: '<time>', help: 'Only sessions active since a date or age, e.g. 7d' },
      last: { value: '<n>', short: 'n', help: 'Newest n sessions (default 30)' },
      json,
    },
    details: `Searching prompts and answers needs the index, which is off by default. It keeps a copy of the text in
DROVER_HOME/search.db. When Claude Code deletes a transcript, its text is removed from the index too.

  drover sessions
  drover sessions index on        (index off deletes it, index shows progress)
  drover sessions migration plan --project shop`,
    load: () => import('../verbs/sessions.ts'),
  },
  {
    name: 'restore',
    args: '',
    summary: 'Restore the sessions that were lost with their tmux server',
    options: {
      yes: { short: 'y', help: 'Restore them; without this flag the plan is printed' },
      since: { value: '<time>', help: 'Everything that ended since a date or age, e.g. 2h' },
      json,
    },
    details: `Use it after a reboot. Each session returns to its tmux session, window and directory. Sessions that are running, that
ended before their server, or that ended more than ten minutes before the server's last one are skipped. Flags of the
original start are not used again.`,
    load: () => import('../verbs/restore.ts'),
  },
];
