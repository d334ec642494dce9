/** A session's state in the words of wake messages. One table, from Drover's own state; no word on a screen counts. */
import type { Reason, State } from '../../contract/session.ts';
import type { StateHint, Trigger } from '../../contract/wake.ts';
import type { Folded } from '../../session/memory.ts';

export const stateHints: Record<Exclude<State, 'waiting' | 'ended'>, StateHint> = {
  ready: 'idle',
  working: 'working',
  background: 'working',
};

export const reasonHints: Record<Reason, StateHint> = {
  stopped: 'idle',
  permission: 'permission_prompt',
  question: 'menu',
  plan: 'menu',
  elicitation: 'menu',
  dialog: 'menu',
  interrupted: 'idle',
  failed: 'error',
  exit: 'terminated',
  clear: 'terminated',
  killed: 'terminated',
  lost: 'terminated',
};

export const hintOf = ({ state, reason, memory }: Folded, trigger: Trigger): StateHint => {
  if (state === 'ended') return 'terminated';
  // The compaction begins with this hook; the session file is a moment behind.
  if (trigger === 'pre_compact') return 'working';
  if (state === 'waiting') return reason ? reasonHints[reason] : 'idle';
  // Its Stop is final, and only the session file is a moment behind.
  const over = memory.end !== null && memory.end.evidence.at >= memory.prompted;
  if (trigger === 'response_complete' && state === 'working' && over)
    return memory.end?.tasks.length ? 'working' : 'idle';
  return stateHints[state];
};
