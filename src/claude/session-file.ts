/** Parses Claude's session files, `<claude dir>/sessions/<pid>.json`. They are not documented, so every field may be missing. */
import * as z from 'zod';

/** Only named fields are kept: the folder also holds secrets, and later versions may add some. */
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
  /** Who gave the name: `user`, or `derived` from the folder. 2.1.197 leaves it out for a name that a person gave. */
  nameSource: z.string().optional(),
  status: z.string().optional(),
  waitingFor: z.string().optional(),
  statusUpdatedAt: z.number().optional(),
  tmux: z.string().optional(),
});
export type SessionFile = z.infer<typeof SessionFile>;

/** Parses a file; null when it is half written or something else. */
export const parseSessionFile = (text: string): SessionFile | null => {
  try {
    const parsed = SessionFile.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

/** The pid in a file name; null for other files, which are never opened (`*.key` among them). */
export const sessionFilePid = (name: string): number | null => {
  const match = /^(\d+)\.json$/.exec(name);
  return match ? Number(match[1]) : null;
};
