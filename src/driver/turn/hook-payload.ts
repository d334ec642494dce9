/** The fields of a hook payload that describe a turn. Every one may be missing. */

export interface HookPayload {
  sessionId: string | null;
  transcript: string | null;
  cwd: string | null;
  answer: string | null;
  /** Background tasks will wake the session again. A background shell does not. */
  hasBackgroundTasks: boolean;
}

export const parseHookPayload = (payload: string): HookPayload => {
  const body = objectOf(payload);
  const tasks = Array.isArray(body.background_tasks) ? (body.background_tasks as Task[]) : [];
  return {
    sessionId: textOf(body.session_id),
    transcript: textOf(body.transcript_path),
    cwd: textOf(body.cwd),
    answer: typeof body.last_assistant_message === 'string' ? body.last_assistant_message : null,
    hasBackgroundTasks: tasks.some(task => isLive(task) && task?.type !== 'shell'),
  };
};

/** Whether this is a complete payload, with or without a final newline. */
export const isCompletePayload = (text: string): boolean => {
  // Most parts of a long one are recognised without parsing.
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

interface Task {
  type?: string;
  status?: string;
}

const isLive = (task: Task | null): boolean =>
  task !== null && (task.status === undefined || task.status === 'running' || task.status === 'pending');

const objectOf = (payload: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(payload)) as Record<string, unknown>;
  } catch {
    return {};
  }
};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
