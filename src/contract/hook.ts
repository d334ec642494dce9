/** What Claude Code puts into a hook payload. Loose: unknown fields are kept, known ones may be missing. */
import * as z from 'zod';

export const Hook = z.looseObject({
  session_id: z.string().optional(),
  hook_event_name: z.string().optional(),
  transcript_path: z.string().optional(),
  cwd: z.string().optional(),
  permission_mode: z.string().optional(),
  agent_id: z.string().optional(),
  agent_type: z.string().optional(),
  pid: z.number().optional(),
  version: z.string().optional(),
  status: z.string().optional(),
  waitingFor: z.string().optional(),
  source: z.string().optional(),
  reason: z.string().optional(),
  model: z.string().optional(),
  prompt: z.string().optional(),
  tool_name: z.string().optional(),
  tool_input: z.unknown().optional(),
  notification_type: z.string().optional(),
  message: z.string().optional(),
  error: z.string().optional(),
  last_assistant_message: z.string().optional(),
  background_tasks: z.array(z.unknown()).optional(),
  session_crons: z.array(z.unknown()).optional(),
  effort: z.unknown().optional(),
});
export type Hook = z.infer<typeof Hook>;
