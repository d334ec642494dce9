/** The tool calls that have begun and have no result. One of them may have a dialog that no hook reports. */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Memory, OpenCall } from '../memory.ts';

/** More than a session calls at once. */
const maxCalls = 64;

export const beginCall = (memory: Memory, { seq }: Event, hook: Hook, inside: string | null): void => {
  const { tool_use_id: id } = hook;
  if (typeof id !== 'string' || memory.calls.some(call => call.id === id)) return;
  memory.calls = [...memory.calls, { id: id.slice(0, 200), seq, inside }].slice(-maxCalls);
};

export const endCalls = (memory: Memory, isOver: (call: OpenCall) => boolean): void => {
  if (memory.calls.some(isOver)) memory.calls = memory.calls.filter(call => !isOver(call));
};
