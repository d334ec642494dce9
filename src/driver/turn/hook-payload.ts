/** What a hook payload says, as far as a run reads it. Every field may be missing. */

export interface Payload {
  sessionId: string | null;
  transcript: string | null;
  cwd: string | null;
  answer: string | null;
  /** Tasks that will wake the session again; a shell left behind will not. */
  background: boolean;
}

export const parsePayload = (payload: string): Payload => {
  const body = objectOf(payload);
  const tasks = Array.isArray(body.background_tasks) ? (body.background_tasks as Task[]) : [];
  return {
    sessionId: text(body.session_id),
    transcript: text(body.transcript_path),
    cwd: text(body.cwd),
    answer: typeof body.last_assistant_message === 'string' ? body.last_assistant_message : null,
    background: tasks.some(task => isLive(task) && task?.type !== 'shell'),
  };
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

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
