/** Runs of commands in the log: what a session remembers of its run, so that the next daemon can cancel it. */
import type { Hook } from '../../contract/hook.ts';
import type { Memory } from '../memory.ts';

/** The names of the events. */
export const commandEvents = {
  started: 'CommandsStarted',
  step: 'CommandsStep',
  done: 'CommandsDone',
  cancelled: 'CommandsCancelled',
} as const;

const names: string[] = Object.values(commandEvents);

export const isCommandEvent = (name: string): boolean => names.includes(name);

export const reduceCommands = (memory: Memory, name: string, payload: Hook): void => {
  const { run, message } = payload as Record<string, unknown>;
  if (name === commandEvents.done || name === commandEvents.cancelled) memory.commands = null;
  else if (name === commandEvents.step && typeof run === 'string' && typeof message === 'string')
    memory.commands = { run, message };
};
