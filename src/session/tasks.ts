/** Background tasks and scheduled prompts of a session, as its Stop reports them. */
import type { Hook } from '../contract/hook.ts';
import type { RunningTask, ScheduledPrompt } from '../contract/session.ts';
import type { Memory } from './memory.ts';

/** Returns the background tasks that continue after a Stop. */
export const tasksOf = ({ background_tasks: tasks }: Hook): RunningTask[] =>
  objectsIn(tasks)
    .filter(({ status }) => status === undefined || status === 'running' || status === 'pending')
    .slice(0, 50)
    .map(task => {
      const type = text(task.type, 40) ?? 'task';
      const what = [task.command, task.description, task.name, task.agent_type].map(value =>
        text(value, 200),
      );
      const found = what.find(value => value !== null) ?? null;
      return { id: text(task.id, 100) ?? `${type} ${found ?? ''}`, type, what: found };
    });

/** Returns the prompts that a session has scheduled for itself. */
export const cronsOf = ({ session_crons: crons }: Hook): ScheduledPrompt[] =>
  objectsIn(crons)
    .slice(0, 20)
    .map(({ schedule, recurring, prompt }) => ({
      schedule: text(schedule, 100) ?? '',
      recurring: recurring === true,
      prompt: text(prompt, 500) ?? '',
    }));

/** Notes at which Stop each shell was first seen. Stops may arrive in any order. */
export const noteShells = (memory: Memory, tasks: RunningTask[], at: number): void => {
  const running = tasks.filter(isShell).map(({ id }) => [id, Math.min(memory.shells[id] ?? at, at)] as const);
  const isNewest = memory.end === null || memory.end.evidence.at <= at;
  // A shell that the newest Stop does not name has ended.
  memory.shells = { ...(isNewest ? {} : memory.shells), ...Object.fromEntries(running) };
};

/** Returns the tasks that delay the end of the last turn. A shell that was running at an earlier Stop, such as a dev server, does not. */
export const delayingTasks = ({ end, shells }: Memory): RunningTask[] =>
  (end?.tasks ?? []).filter(
    task => !isShell(task) || (shells[task.id] ?? Number.POSITIVE_INFINITY) >= (end?.evidence.at ?? 0),
  );

export const isShell = ({ type }: RunningTask): boolean => type === 'shell';

/** Describes running tasks in a few words: `npm run dev`, `2 shells, 1 subagent`; empty without any. */
export const tasksText = (tasks: RunningTask[]): string => {
  const [only] = tasks;
  if (tasks.length === 1 && only) return only.what ? `${only.type}: ${only.what}` : only.type;
  const counts = new Map<string, number>();
  for (const { type } of tasks) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${count} ${type}${count === 1 ? '' : 's'}`).join(', ');
};

const objectsIn = (value: unknown): Record<string, unknown>[] =>
  (Array.isArray(value) ? value : []).filter(
    (item): item is Record<string, unknown> => typeof item === 'object' && item !== null,
  );

const text = (value: unknown, length: number): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, length) : null;
