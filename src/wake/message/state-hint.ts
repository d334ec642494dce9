/** Map a session's state to the hint in wake messages. It never depends on text on a screen. */
import type { Reason, State } from '../../contract/session.ts';
import type { StateHint, Trigger } from '../../contract/wake.ts';
import type { Folded } from '../../session/memory.ts';
import { delayingTasks } from '../../session/tasks.ts';

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
  limit: 'error',
  exit: 'terminated',
  clear: 'terminated',
  killed: 'terminated',
  lost: 'terminated',
};

export const stateHint = ({ state, reason, memory }: Folded, trigger: Trigger): StateHint => {
  if (state === 'ended') return 'terminated';
  // The compaction begins with this hook; the session file is slightly behind.
  if (trigger === 'pre_compact') return 'working';
  if (state === 'waiting') return reason ? reasonHints[reason] : 'idle';
  // The Stop hook has ended the turn; only the session file is slightly behind.
  const hasEnded = memory.end !== null && memory.end.evidence.at >= memory.prompted;
  if (trigger === 'response_complete' && state === 'working' && hasEnded)
    return delayingTasks(memory).length > 0 ? 'working' : 'idle';
  return stateHints[state];
};
