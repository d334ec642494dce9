/** Claude's own live registry: `<claude dir>/sessions/<pid>.json`. Not documented, so everything in it may be missing. */
import * as z from 'zod';

/** The fields that are kept, by name: the folder also holds secrets, and fields may come that are none of our business. */
export const SessionFile = z.object({
  pid: z.number().int(),
  sessionId: z.string().min(1),
  cwd: z.string().optional(),
  startedAt: z.number().optional(),
  procStart: z.union([z.string(), z.number()]).transform(String).optional(),
  version: z.string().optional(),
  kind: z.string().optional(),
  entrypoint: z.string().optional(),
  name: z.string().optional(),
  status: z.string().optional(),
  waitingFor: z.string().optional(),
  statusUpdatedAt: z.number().optional(),
  tmux: z.string().optional(),
});
export type SessionFile = z.infer<typeof SessionFile>;

/** The file's content; null when it is half written or something else. */
export const parseSessionFile = (text: string): SessionFile | null => {
  try {
    const parsed = SessionFile.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

/** Only these names are ever opened; `*.key` files beside them never are. */
export const sessionFilePid = (name: string): number | null => {
  const match = /^(\d+)\.json$/.exec(name);
  return match ? Number(match[1]) : null;
};
