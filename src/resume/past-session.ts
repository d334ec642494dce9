/** A past session of which Drover has seen no event: what its transcript tells, in the form of any other. */
import type { Session } from '../contract/session.ts';
import { glance } from './glance.ts';
import type { Past } from './transcripts.ts';

export const pastSession = (past: Past): Session => {
  const { dir, last, title, prompt } = glance(past);
  const at = Math.floor(past.at);
  const text = last ?? prompt;
  return {
    id: past.id,
    state: 'ended',
    reason: null,
    since: at,
    evidence: { source: 'transcript', name: 'Transcript', seq: 0, at },
    detail:
      text === null
        ? null
        : { line: title ?? text.slice(0, 200), text, tool: null, questions: [], agent: null },
    cwd: dir,
    dir,
    project: dir?.split('/').findLast(Boolean) ?? null,
    transcript: past.path,
    model: null,
    permissionMode: null,
    pid: null,
    version: null,
    pane: null,
    hooks: 'live',
    context: null,
    stalled: null,
    approvals: 'terminal',
    pending: null,
    managed: false,
    headless: false,
    hold: null,
    next: null,
    host: null,
    started: at,
    touched: at,
    seq: 0,
  };
};
