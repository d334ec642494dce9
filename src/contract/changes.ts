/** Files that sessions changed. */
import * as z from 'zod';

const count = z.number().int();

/** What a row shows: `+12 −3, 4 files`. Lines of inferred changes are unknown and not counted. */
export const ChangeCounts = z.object({ files: count, added: count, removed: count });
export type ChangeCounts = z.infer<typeof ChangeCounts>;

/** A file that another live session has changed too, or that this one asks to change. */
export const Collision = z.object({
  path: z.string(),
  /** The other session. */
  sessionId: z.string(),
  /** When the newer of both changes was made, ms. */
  at: z.number().int(),
});
export type Collision = z.infer<typeof Collision>;

/** One change of one file. */
export const FileChange = z.object({
  /** The sequence number of its event. */
  seq: z.number().int(),
  at: z.number().int(),
  path: z.string(),
  /** `Edit`, `Write`, `MultiEdit`, `NotebookEdit`; `shell` for an inferred change. */
  tool: z.string(),
  /** A shell command changed it, as `git status` and the time of the file suggest. */
  isInferred: z.boolean(),
  /** The file did not exist before. */
  isNew: z.boolean(),
  added: count,
  removed: count,
  /** Hunks as in a unified diff; null when they were not asked for, or are not known. */
  patch: z.string().nullable(),
  /** `patch` leaves something out. */
  isCut: z.boolean(),
});
export type FileChange = z.infer<typeof FileChange>;

/** All changes of one file by the session. */
export const ChangedFile = z.object({
  path: z.string(),
  /** Relative to the directory of the session, where it is inside. */
  name: z.string(),
  edits: count,
  added: count,
  removed: count,
  isNew: z.boolean(),
  /** Every change of it is inferred. */
  isInferred: z.boolean(),
  at: z.number().int(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** The changes between one prompt and the next. */
export const ChangedTurn = z.object({
  /** The sequence number of its prompt; null when it is not known. */
  id: z.number().int().nullable(),
  at: z.number().int(),
  /** The beginning of the prompt; null when the log no longer has it. */
  prompt: z.string().nullable(),
  changes: z.array(FileChange),
});
export type ChangedTurn = z.infer<typeof ChangedTurn>;

/** The working tree of a session against HEAD, whoever changed it. */
export const GitChanges = z.object({
  root: z.string(),
  branch: z.string().nullable(),
  /** As `git status --porcelain` has them: two letters, and the path relative to `root`. */
  files: z.array(z.object({ status: z.string(), path: z.string() })),
  /** Null when it was not asked for. */
  diff: z.string().nullable(),
  /** `diff` or `files` leave something out. */
  isCut: z.boolean(),
});
export type GitChanges = z.infer<typeof GitChanges>;

export const Changes = z.object({
  sessionId: z.string(),
  dir: z.string().nullable(),
  total: ChangeCounts,
  files: z.array(ChangedFile),
  /** Oldest first. */
  turns: z.array(ChangedTurn),
  collisions: z.array(Collision),
  /** Null when it was not asked for. */
  git: GitChanges.nullable(),
});
export type Changes = z.infer<typeof Changes>;

/** A linked git worktree in which a session runs or ran. */
export const Worktree = z.object({
  path: z.string(),
  /** The main checkout of the repository. */
  repository: z.string(),
  branch: z.string().nullable(),
  /** Bytes on disk; null when counting took too long. */
  bytes: z.number().int().nullable(),
  /** Its commits are in the default branch; null when git could not tell. */
  isMerged: z.boolean().nullable(),
  /** It has changes that are not committed, or something else that would be lost; null when git could not tell. */
  isDirty: z.boolean().nullable(),
  /** Why it is kept: `live session`, `dirty`, `not merged`, `locked`, `unknown`; null when it can be removed. */
  keptFor: z.enum(['live session', 'dirty', 'not merged', 'locked', 'unknown']).nullable(),
  /** The sessions in it, newest first. */
  sessions: z.array(z.object({ id: z.string(), title: z.string().nullable(), isLive: z.boolean() })),
});
export type Worktree = z.infer<typeof Worktree>;

export const WorktreeList = z.object({ worktrees: z.array(Worktree) });
export type WorktreeList = z.infer<typeof WorktreeList>;

export const RemoveWorktree = z.object({ path: z.string().min(1).max(4096) });
export type RemoveWorktree = z.infer<typeof RemoveWorktree>;
